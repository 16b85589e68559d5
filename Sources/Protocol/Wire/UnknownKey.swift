/// A key that the type does not know. Not a `DecodingError`, because an error about an event with a
/// secret must not show the key.
struct UnknownKey: Error {
    let path: [any CodingKey]
    let name: String

    /// - Parameter isSecret: the key may be a misplaced password, so the error does not show it.
    func asWireError(_ root: String, isSecret: Bool) -> WireError {
        guard !isSecret else {
            return WireError(.badEvent, "unknown key", path: path.text(from: root))
        }
        return WireError(
            .badEvent, "unknown key", path: "\(path.text(from: root)).\(name.clipped)")
    }
}

extension [any CodingKey] {
    func text(from root: String) -> String {
        let steps = map { $0.intValue.map(String.init) ?? $0.stringValue }
        return ([root] + steps).joined(separator: ".")
    }
}

extension Decodable {
    /// Whether this type is an event enum, and the case in `event` has a secret.
    static func hasSecret(in event: JSONValue) -> Bool {
        guard let type = self as? any WireEvent.Type else { return false }
        var members = event.members
        guard let (name, _) = members.next() else { return false }
        return type.secretNames.contains(where: name.isExactly)
    }
}

extension WireEvent {
    /// The names of the events with a secret: their examples cannot be encoded.
    fileprivate static var secretNames: [String] {
        examples.filter { example in
            var json = JSONWriter()
            return (try? json.value(encoding: example)) == nil
        }.map(\.name)
    }
}
