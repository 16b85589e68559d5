// The form of an answer to `describe`, as a client reads it.

extension EventDescription {
    /// Reads an element of `viewEvents` or `viewModelEvents`; `nil`: it has no name.
    package init?(described event: JSONValue) {
        guard let name = event["name"]?.text else { return nil }
        let types = event["types"]
        let fields = event["fields"]?.members.compactMap { key, type in
            key.text.flatMap { ValueType.Member($0, described: types?[$0] ?? type) }
        }
        self.init(
            name: name, fields: fields ?? [],
            example: event["example"].map { Array($0.json) } ?? [],
            delivery: event["delivery"]?.text.flatMap(Delivery.init) ?? .every,
            edits: event["edits"]?.text)
    }
}

extension ValueType.Member {
    /// - Parameter type: such as `"integer?"`, `{"list":"text"}` or `{"text":["home","away"]}`.
    init?(_ name: String, described type: JSONValue) {
        let nested = type.onlyMember
        guard var word = nested?.key.text ?? type.text else { return nil }
        let isOptional = word.utf8.last == UInt8(ascii: "?")
        if isOptional { word.removeLast() }
        guard let type = ValueType(word, of: nested?.value) else { return nil }
        self.init(name, type, isOptional: isOptional)
    }
}

extension ValueType {
    /// - Parameter within: the type of the elements, the types of the members, or the words of a
    ///   choice.
    fileprivate init?(_ name: String, of within: JSONValue?) {
        switch name {
        case "integer": self = .integer
        case "number": self = .number
        case "text":
            let words = within?.elements.compactMap(\.text) ?? []
            self = words.isEmpty ? .text : .choice(words)
        case "boolean": self = .boolean
        case "null": self = .null
        case "list": self = .list(of: within.flatMap { Member("", described: $0)?.type })
        case "object":
            let members = within?.members.compactMap { key, type in
                key.text.flatMap { Member($0, described: type) }
            }
            self = .object(members ?? [])
        default: return nil
        }
    }
}
