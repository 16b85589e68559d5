/// The description of an event in `describe`, derived from the example of the event. The fields and
/// their types are those of its JSON. A field is optional if the event can be read without it.
public struct EventDescription: Equatable, Sendable {
    /// The name of the event: the only key of its JSON.
    public let name: String
    /// The names of the payload in order, each with its type: `integer`, `number`, `text`,
    /// `boolean`, `list` or `object`, with `?` if the field may be missing.
    public let fields: [Field]
    /// A whole event, as JSON.
    public let example: [UInt8]
    /// `latest`: a snapshot contains the newest event of this name.
    public let delivery: Delivery

    /// A key of the payload.
    public struct Field: Equatable, Sendable {
        /// The key in the payload, such as `seconds`.
        public let name: String
        /// One of the types of `fields`, such as `integer?`.
        public let type: String
    }

    /// The events of an enum, in the order of its examples.
    public static func all<Event: WireEvent>(of type: Event.Type) -> [EventDescription] {
        Event.examples.compactMap(EventDescription.init)
    }

    private init?<Event: WireEvent>(of example: Event) {
        var json = JSONWriter()
        let document = JSONDocument()
        guard (try? json.value(encoding: example, revealingSecrets: true)) != nil,
            (try? document.read(json.bytes)) != nil,
            let event = document.root, let (key, payload) = event.members.next(),
            let name = key.text
        else { return nil }
        self.name = name
        fields = payload.members.compactMap { field, value in
            guard let fieldName = field.text else { return nil }
            let isOptional = Event.isRead(name, payload, without: fieldName)
            return Field(name: fieldName, type: value.kind.typeName + (isOptional ? "?" : ""))
        }
        self.example = json.bytes
        delivery = example.delivery
    }
}

extension Sequence {
    fileprivate func next() -> Element? {
        var iterator = makeIterator()
        return iterator.next()
    }
}

extension WireEvent {
    /// Whether the event can be read when a field of its payload is missing.
    fileprivate static func isRead(
        _ name: String, _ payload: JSONValue, without missing: String
    ) -> Bool {
        var json = JSONWriter()
        json.object { out in
            out.key(named: name)
            out.object { out in
                for (key, value) in payload.members where key.text != missing {
                    out.key(named: key.text ?? "")
                    out.raw(value.json)
                }
            }
        }
        let document = JSONDocument()
        guard (try? document.read(json.bytes)) != nil, let event = document.root else {
            return false
        }
        return (try? event.decode(Self.self, at: "event")) != nil
    }
}

extension JSONDocument.Kind {
    fileprivate var typeName: String {
        switch self {
        case .object: "object"
        case .list: "list"
        case .text: "text"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        }
    }
}
