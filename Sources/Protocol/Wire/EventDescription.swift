/// The description of an event in `describe`, derived from the example of the event. The fields and
/// their types are those of its JSON. A field is optional if the event can be read without it.
public struct EventDescription: Equatable, Sendable {
    /// The name of the event: the only key of its JSON.
    public let name: String
    /// The fields of the payload, in order.
    public let fields: [ValueType.Member]
    /// A whole event, as JSON.
    public let example: [UInt8]
    /// `latest`: a snapshot contains the newest event of this name.
    public let delivery: Delivery
    /// The name of the event with the list that this event edits; `nil`: it edits none.
    public let edits: String?

}

extension EventDescription {
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
        let choices = EventDecoder.choices(Event.self, in: event)
        let type = ValueType(payload, at: [.key(name)], choices) {
            Event.isRead(event, without: $0)
        }
        fields = if case .object(let members) = type { members } else { [] }
        self.example = json.bytes
        delivery = example.delivery
        edits = (example as? any EditingEvent)?.nameOfEdited
    }
}

extension EditingEvent {
    /// The name of the example that this one edits.
    fileprivate var nameOfEdited: String? {
        Self.examples.first { edit($0) != nil }?.name
    }
}

extension Sequence {
    fileprivate func next() -> Element? {
        var iterator = makeIterator()
        return iterator.next()
    }
}

extension WireEvent {
    /// Whether the event can be read when a member of an object in it is missing.
    fileprivate static func isRead(_ event: JSONValue, without path: [JSONStep]) -> Bool {
        var json = JSONWriter()
        json.value(event, without: path[...])
        let document = JSONDocument()
        guard (try? document.read(json.bytes)) != nil, let event = document.root else {
            return false
        }
        return (try? event.decode(Self.self, at: "event")) != nil
    }
}

extension JSONWriter {
    /// Writes a value without the one at this place in it.
    fileprivate mutating func value(_ value: JSONValue, without path: ArraySlice<JSONStep>) {
        switch path.first {
        case .key(let missing):
            object { out in
                for (key, member) in value.members {
                    let isOnPath = key.text == missing
                    if isOnPath, path.count == 1 { continue }
                    out.key(named: key.text ?? "")
                    out.value(member, without: isOnPath ? path.dropFirst() : [])
                }
            }
        case .index(let place):
            list { out in
                for (index, element) in value.elements.enumerated() {
                    out.value(element, without: index == place ? path.dropFirst() : [])
                }
            }
        case nil: raw(value.json)
        }
    }
}
