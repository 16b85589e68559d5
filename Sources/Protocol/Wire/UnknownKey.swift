/// Not a `DecodingError`, because the name can't be told of every event.
struct UnknownKey: Error {
    let path: [any CodingKey]
    let name: String

    /// - Parameter isSecret: what has come to stand in the place of a key may be a password.
    func asWireError(_ root: String, isSecret: Bool) -> WireError {
        guard !isSecret else {
            return WireError(
                .badEvent, "there is a key that is not known", path: path.text(from: root))
        }
        return WireError(
            .badEvent, "there is no such key", path: "\(path.text(from: root)).\(name.clipped)")
    }
}

extension [any CodingKey] {
    func text(from root: String) -> String {
        let steps = map { $0.intValue.map(String.init) ?? $0.stringValue }
        return ([root] + steps).joined(separator: ".")
    }
}

extension Decodable {
    /// Whether it is an event, and there is a secret in the one of this name.
    static func hasSecret(in event: JSONValue) -> Bool {
        guard let type = self as? any WireEvent.Type else { return false }
        var members = event.members
        guard let (name, _) = members.next() else { return false }
        return type.secretNames.contains(where: name.isExactly)
    }
}

extension WireEvent {
    /// Of the events with a secret: they are those that can't be told.
    fileprivate static var secretNames: [String] {
        examples.filter { example in
            var json = JSONWriter()
            return (try? json.value(encoding: example)) == nil
        }.map(\.name)
    }
}
