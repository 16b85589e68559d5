import BusdProtocol

/// A text with values of a view model in it: `{teams.home} {score.text}`. `{{` and `}}` are braces.
struct Template {
    private enum Part {
        case literal(String)
        case value(ValuePath)
    }

    private let parts: [Part]

    /// Nil if a brace has no other one, or if the text in braces is no path.
    init?(_ text: String) {
        var parts: [Part] = []
        var literal = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "{" || scalar == "}" else {
                literal.append(scalar)
                continue
            }
            if rest.first == scalar {
                literal.append(scalar)
                rest.removeFirst()
                continue
            }
            guard scalar == "{", let end = rest.firstIndex(of: "}"),
                let path = ValuePath(String(rest[..<end]))
            else { return nil }
            rest = rest[rest.index(after: end)...]
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            literal = String.UnicodeScalarView()
            parts.append(.value(path))
        }
        if !literal.isEmpty { parts.append(.literal(String(literal))) }
        self.parts = parts
    }

    var paths: [ValuePath] {
        parts.compactMap { part in if case .value(let path) = part { path } else { nil } }
    }

    /// One line. A value that is missing is empty.
    func text(of state: ViewModelState, for bar: Bar?) -> String {
        var line = ""
        for part in parts {
            let next =
                switch part {
                case .literal(let text): text
                case .value(let path): Self.text(of: state.value(at: path), for: bar)
                }
            line += (bar?.separator(line, next) ?? "") + next
        }
        return line
    }

    private static func text(of value: JSONValue?, for bar: Bar?) -> String {
        guard let value, value.kind != .null else { return "" }
        let text = value.text ?? String(decoding: value.json, as: UTF8.self)
        let line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control ? " " : scalar
                })
        ).printable
        return bar?.harmless(line) ?? line
    }
}
