import BusdProtocol

extension Program {
    /// The tables as a man page in roff. `--manual` prints it. scripts/manuals.sh adds the prose of
    /// docs/man to it.
    package var manualPage: String {
        let title = section == 8 ? "System Manager's Manual" : "User Commands"
        var parts = [
            ".TH \(name.uppercased().roff) \(section) \"\" busd \"\(title)\"",
            ".SH NAME\n\(name.roff) \\- \(firstSentence.roff)",
            ".SH SYNOPSIS\n" + synopses.joined(separator: "\n.br\n"),
            ".SH DESCRIPTION\n" + summary.roff,
        ]
        if !verbs.isEmpty { parts.append(".SH VERBS\n" + verbs.map(entry).joined(separator: "\n")) }
        parts.append(".SH OPTIONS\n" + optionEntries)
        for list in lists {
            let entries = list.rows.map { entry(".B \($0.label)", $0.text) }
            parts.append(".SH \(list.title.uppercased())\n" + entries.joined(separator: "\n"))
        }
        if !examples.isEmpty {
            parts.append(".SH EXAMPLES\n.nf\n\(examples.map(\.roff).joined(separator: "\n"))\n.fi")
        }
        return parts.joined(separator: "\n") + "\n"
    }

    /// The first sentence of the summary, without its capital letter and its full stop.
    private var firstSentence: String {
        let end = summary.firstRange(of: ". ")?.lowerBound ?? summary.endIndex
        var sentence = summary[..<end]
        if sentence.last == "." { sentence.removeLast() }
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }

    private var synopses: [String] {
        let own = verbs.isEmpty || !isVerbRequired ? [synopsis(name, operands)] : []
        return own + verbs.map { synopsis(command($0), $0.operands) }
    }

    private func synopsis(_ command: String, _ operands: [Operand]) -> String {
        let words = ["\\fB\(command.roff)\\fR", "[\\fIOPTION\\fR]..."] + operands.map(\.roffLabel)
        return words.joined(separator: " ")
    }

    private func entry(_ verb: Verb) -> String {
        let label = ([verb.name] + verb.operands.map(\.roffLabel)).joined(separator: " ")
        return entry(".B " + label, verb.summary)
    }

    private var optionEntries: String {
        let common = (ownOptions + options + [.help, .version]).map(entry)
        let own = verbs.filter { !$0.options.isEmpty }.map { verb in
            ".SS Of \(verb.name)\n" + verb.options.map(entry).joined(separator: "\n")
        }
        let head =
            verbs.isEmpty || options.isEmpty ? [] : ["Options may come before or after the verb."]
        return (head + common + own).joined(separator: "\n")
    }

    private func entry(_ option: Option) -> String {
        let short = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let argument = option.argument.map { " \\fI\($0.roff)\\fR" } ?? ""
        return entry("\(short)\\fB\("--\(option.name)".roff)\\fR\(argument)", option.help)
    }

    private func entry(_ label: String, _ text: String) -> String {
        ".TP\n\(label)\n\(text.sentence.roff)"
    }

}

extension Operand {
    /// `[\fIPAYLOAD\fR]`
    fileprivate var roffLabel: String { label.replacing(name, with: "\\fI\(name.roff)\\fR") }
}

extension String {
    /// Plain text in roff.
    var roff: String {
        let text = replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.first == "." || text.first == "'" ? "\\&" + text : text
    }

    /// The text with a capital letter and a full stop. A first word that a mark follows is a value
    /// or a name, which is typed as it is: `full: …`, `error, warning …`, `busd's …`.
    var sentence: String {
        let word = prefix { $0.isLetter }
        let isName = dropFirst(word.count).first.map { ":,'".contains($0) } ?? false
        let text = isName ? self : prefix(1).uppercased() + dropFirst()
        return text.last == "." ? text : text + "."
    }
}
