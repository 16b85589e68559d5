// `Codable` is what an event's JSON is defined by, and it can't be specialised: an event in and out
// costs some twenty thousand instructions, mostly boxes and look-ups of metadata. Events of which
// thousands come therefore read and write themselves: the same JSON, a tenth of the cost. What they
// don't recognise at once is left to `Codable`, which also knows what is wrong with it.

/// An event is not written in the most common way. (In generic code an error costs less than an
/// `Optional` of any type.)
public struct NotPlain: Error {
    public init() {}
}

/// What writes its own JSON: byte for byte what `Codable` would.
public protocol PlainJSON {
    func write(to out: inout JSONWriter)

    /// Bytes that it takes, if that is known without writing it; else 0. A list makes room for all
    /// of its rows at once: to move a long one as it grows takes longer than to write it.
    var knownBytes: Int { get }
}

extension PlainJSON {
    public var knownBytes: Int { 0 }
}

extension JSONWriter {
    /// Appends an event. Throws an `EncodingError` where it holds what JSON has no form for, or a
    /// secret; the writer then is as it was.
    public mutating func value(event: some WireEvent) throws {
        if !event.writePlainly(to: &self) { try value(encoding: event) }
    }

    public mutating func member(_ name: StaticString, _ elements: [some PlainJSON]) {
        key(name)
        list { out in
            let elements = elements.span
            var room = 0
            for place in elements.indices { room += elements[place].knownBytes + 1 }
            if room > elements.count { out.bytes.reserveCapacity(out.bytes.count + room + 64) }
            for place in elements.indices { elements[place].write(to: &out) }
        }
    }

    public mutating func member(_ name: StaticString, _ value: some PlainJSON) {
        key(name)
        value.write(to: &self)
    }
}

extension JSONValue {
    /// Reads an event. Throws `badEvent` with its path, which begins with `path`.
    public func event<Event: WireEvent>(
        _ type: Event.Type = Event.self, at path: String
    ) throws(WireError) -> Event {
        do {
            return try Event(plainly: self)
        } catch {
            return try decode(type, at: path)
        }
    }

    /// Whether this is an event that carries nothing: its name, and an object without members.
    public func isPlainly(_ event: some WireEvent) -> Bool {
        guard let (name, payload) = onlyMember, payload.kind == .object else { return false }
        var members = payload.members
        return members.next() == nil && name.isExactly(text: event.name)
    }
}
