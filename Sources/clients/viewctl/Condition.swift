import BusdProtocol

/// What `--until` waits for: an event of a name, in which a field may have to have a value.
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

    /// Whether a field of that type, as `describe` names it without `?`, can have the value.
    func mayHold(ofType type: String) -> Bool {
        guard let value else { return true }
        return switch type {
        case "boolean": ["true", "false"].contains(value)
        case "integer": Int(value) != nil
        case "number": Double(value) != nil
        default: true
        }
    }

    /// A value is a text, or whatever stands there as JSON.
    func holds(for event: JSONValue) -> Bool {
        guard let payload = event[name] else { return false }
        guard let field, let value else { return true }
        guard let found = payload[field] else { return false }
        return found.text == value || found.json.elementsEqual(value.utf8)
    }
}
