import BusdProtocol

/// Finds members that an event may have and its description lacks.
///
/// A strict decoder refuses a member that it does not know. So each word of the source is added to
/// each object of the examples: unless it is refused as unknown, it is a member.
struct MemberProbe {
    private let words: [String]

    init(words: [String]) { self.words = words }

    /// - Returns: the places of such members, such as `games.games.isDeleted`.
    func undescribed<Event: WireEvent>(of type: Event.Type) throws -> [String] {
        let descriptions = EventDescription.all(of: type)
        let described = descriptions.reduce(into: Set<String>()) { places, event in
            event.fields.forEach { $0.add(to: &places, in: event.name) }
        }
        var found: Set<String> = []
        for description in descriptions {
            let example = JSONDocument()
            try example.read(description.example)
            guard let root = example.root else { continue }
            for object in root.objects.dropFirst() {
                for word in words where !described.contains("\(object.place).\(word)") {
                    let document = JSONDocument()
                    try document.read(root.json(with: word, in: object.value))
                    guard let event = document.root else { continue }
                    if isKnown(in: event, type) { found.insert("\(object.place).\(word)") }
                }
            }
        }
        return found.sorted()
    }

    private func isKnown<Event: WireEvent>(in event: JSONValue, _ type: Event.Type) -> Bool {
        do {
            _ = try event.decode(type, at: "event")
            return true
        } catch {
            return error.message != "unknown key"
        }
    }
}

extension ValueType.Member {
    fileprivate func add(to places: inout Set<String>, in place: String) {
        places.insert("\(place).\(name)")
        type.add(to: &places, in: "\(place).\(name)")
    }
}

extension ValueType {
    fileprivate func add(to places: inout Set<String>, in place: String) {
        switch self {
        case .list(let element?): element.add(to: &places, in: place)
        case .object(let members): for member in members { member.add(to: &places, in: place) }
        case .list(nil), .integer, .number, .text, .choice, .boolean, .null: break
        }
    }
}

extension JSONValue {
    /// The objects in this value, depth first, each with its place. The elements of a list have the
    /// place of the list.
    fileprivate var objects: [(place: String, value: JSONValue)] {
        var objects: [(place: String, value: JSONValue)] = []
        collect(&objects, at: "")
        return objects
    }

    private func collect(_ objects: inout [(place: String, value: JSONValue)], at place: String) {
        if kind == .object { objects.append((place, self)) }
        for (key, member) in members {
            let name = key.text ?? ""
            member.collect(&objects, at: place.isEmpty ? name : "\(place).\(name)")
        }
        for element in elements { element.collect(&objects, at: place) }
    }

    /// This value as JSON, in which the object has another member.
    fileprivate func json(with word: String, in object: JSONValue) -> [UInt8] {
        let isEmpty = object.members.first { _ in true } == nil
        let brace = object.json.startIndex - json.startIndex
        var bytes = Array(json)
        bytes.insert(contentsOf: Array("\"\(word)\":null\(isEmpty ? "" : ",")".utf8), at: brace + 1)
        return bytes
    }
}
