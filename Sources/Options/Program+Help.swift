extension Program {
    /// The text of `--help`: 80 columns, ends with a line feed.
    package var help: String {
        var parts = [usages, wrapped(summary)]
        if !verbs.isEmpty { parts.append("Verbs:\n" + table(verbs.map { ($0.label, $0.summary) })) }
        parts.append(table(of: ownOptions + options))
        if !notes.isEmpty { parts.append(notes) }
        parts += lists.map { "\($0.title):\n" + table($0.rows) }
        if !examples.isEmpty {
            parts.append("Examples:\n" + examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The lists of the help and of the man page.
    var lists: [(title: String, rows: [(label: String, text: String)])] {
        let statuses = statuses.map { (label: "\($0.status.rawValue)", text: $0.text) }
        let variables = environment.map { (label: $0.name, text: $0.text) }
        return [(title: "Exit status", rows: statuses), (title: "Environment", rows: variables)]
            .filter { !$0.rows.isEmpty }
    }

    func help(for verb: Verb) -> String {
        let parts = [
            usage(command(verb), verb.operands), wrapped(verb.summary),
            table(of: verb.options + options),
        ]
        return parts.joined(separator: "\n\n") + "\n"
    }

    func command(_ verb: Verb) -> String { "\(name) \(verb.name)" }

    /// A program with operands and verbs has two lines.
    private var usages: String {
        guard !verbs.isEmpty else { return usage(name, operands) }
        let verb = " VERB [OPERAND]..."
        guard operands.isEmpty else {
            return usage(name, operands) + "\n  or:  \(name) [OPTION]...\(verb)"
        }
        return usage(name, []) + (isVerbRequired ? verb : " [VERB [OPERAND]...]")
    }

    private func usage(_ command: String, _ operands: [Operand]) -> String {
        (["Usage: \(command) [OPTION]..."] + operands.map(\.label)).joined(separator: " ")
    }

    private func table(of options: [Option]) -> String {
        "Options:\n" + table((options + [.help, .version]).map { ($0.label, $0.help) })
    }

    /// Two columns; a label that is too long for the first has a line of its own.
    private func table(_ rows: [(label: String, text: String)]) -> String {
        let column = (rows.map(\.label.count).filter { $0 <= 28 }.max() ?? 0) + 4
        let lines = rows.map { label, text in
            let words = wrapped(text, indent: column)
            return label.count + 4 > column
                ? "  \(label)\n\(words)"
                : "  \(label)" + words.dropFirst(label.count + 2)
        }
        return lines.joined(separator: "\n")
    }

    private func wrapped(_ text: String, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, line.count + 1 + word.count <= 80 - indent {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { margin + $0 }.joined(separator: "\n")
    }
}

extension Verb {
    /// `send ADDRESS EVENT [PAYLOAD]`
    fileprivate var label: String { ([name] + operands.map(\.label)).joined(separator: " ") }
}
