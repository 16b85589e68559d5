import BusdProtocol
import BusdScreens

/// An event as a line of text: `score  home=3 away=2 text="3 - 2"`.
struct EventText {
    let name: String
    private let payload: JSONValue?

    /// - Parameter event: an object with one key.
    init(_ event: JSONValue) {
        var members = event.members
        let first = members.next()
        name = (first?.key.text ?? "?").printable
        payload = first?.value
    }

    /// - Parameter width: of the column of names.
    func line(_ style: TextStyle, nameWidth width: Int = 0) -> String {
        let fields = fields(style)
        if fields.isEmpty { return style.bold(name) }
        return style.bold(name) + name.padded(to: width).dropFirst(name.count) + "  " + fields
    }

    private func fields(_ style: TextStyle) -> String {
        guard let payload else { return "" }
        return payload.members.map { key, value in
            style.dim((key.text ?? "?").printable + "=") + Self.text(of: value)
        }.joined(separator: " ")
    }

    /// A text of plain characters is written without quotes, any other value as JSON.
    private static func text(of value: JSONValue) -> String {
        let json = String(decoding: printable(json: value.json), as: UTF8.self)
        guard value.kind == .text, json.utf8.count > 2 else { return json }
        let inside = json.dropFirst().dropLast()
        return inside.utf8.allSatisfy(isPlain) ? String(inside) : json
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "="), UInt8(ascii: "\\"), UInt8(ascii: "\""): false
        default: true
        }
    }
}
