import BusdProtocol

/// The condition of `--until`: the name of an event, and perhaps a value of one of its fields.
struct Condition: Equatable {
    let name: String
    let field: String?
    let value: String?

    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else {
            guard !text.isEmpty, !text.contains(".") else { return nil }
            (name, field, value) = (text, nil, nil)
            return
        }
        let path = text[..<equals].split(separator: ".", omittingEmptySubsequences: false)
        guard path.count == 2, path.allSatisfy({ !$0.isEmpty }) else { return nil }
        name = String(path[0])
        field = String(path[1])
        value = String(text[text.index(after: equals)...])
    }

    /// Whether a field of this type can have the value. The type is in the form of `describe`,
    /// without `?`.
    func mayHold(ofType type: String) -> Bool {
        guard let value else { return true }
        return switch type {
        case "boolean": ["true", "false"].contains(value)
        case "integer": Int(value) != nil
        case "number": Double(value) != nil
        default: true
        }
    }

    /// A value is compared with the field's text, or with its JSON if it is no text.
    func holds(for event: JSONValue) -> Bool {
        guard let payload = event[name] else { return false }
        guard let field, let value else { return true }
        guard let found = payload[field] else { return false }
        return found.text == value || found.json.elementsEqual(value.utf8)
    }
}
