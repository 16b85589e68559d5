import BusdProtocol

extension JSONValue {
    /// The value for people: a text is itself, a list or an object has one line per element,
    /// as `JSON.stringify(value, null, 2)` writes it in the browser. The script writes a number
    /// such as 1e3, and an escape, in another form.
    var pretty: String {
        if let text { return text }
        return String(decoding: pretty(indent: "\n"), as: UTF8.self)
    }

    /// - Parameter indent: the line feed and the spaces of the line that the value is in.
    private func pretty(indent: String) -> [UInt8] {
        switch kind {
        case .list:
            return lines("[", elements.map { $0.pretty(indent: indent + "  ") }, "]", indent)
        case .object:
            let lines = members.map { key, value in
                Array(key.json) + ": ".utf8 + value.pretty(indent: indent + "  ")
            }
            return self.lines("{", lines, "}", indent)
        case .text, .integer, .number, .boolean, .null: return Array(json)
        }
    }

    private func lines(
        _ open: String, _ lines: [[UInt8]], _ close: String, _ indent: String
    ) -> [UInt8] {
        guard !lines.isEmpty else { return Array((open + close).utf8) }
        let between = Array(",\(indent)  ".utf8)
        return Array("\(open)\(indent)  ".utf8) + lines.joined(separator: between)
            + Array("\(indent)\(close)".utf8)
    }
}
