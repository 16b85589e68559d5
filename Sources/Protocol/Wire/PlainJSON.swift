// `Codable` defines the JSON of an event. But it cannot be specialised: reading and writing an
// event costs about 20,000 instructions, mostly for boxes and look-ups of metadata. So frequent
// events (`BusyEvent`) have code that scripts/event-code.sh generates. It reads and writes the same
// JSON at a tenth of the cost. Any other form is left to `Codable`, which also finds the fault in
// it.

/// The event does not have its most common form. (In generic code, an error costs less than an
/// `Optional`.)
public struct NotPlain: Error {
    /// An error without details: `Codable` reads the event again and finds the fault.
    public init() {}
}

/// A value that writes its own JSON, byte for byte as `Codable` would. scripts/event-code.sh
/// generates `write` for a struct. By hand is only what it cannot know: `Edit`, which is generic;
/// a row with its own `Codable`; and `Games.Row`, which keeps its JSON.
public protocol PlainJSON: Encodable {
    /// Appends the value as one JSON value.
    func write(to out: inout JSONWriter)

    /// The number of its bytes, without escapes, if that is known without writing it; else 0. A
    /// list reserves memory for all its rows at once, because moving a long list while it grows
    /// takes longer than writing it.
    var knownBytes: Int { get }
}

extension PlainJSON {
    public var knownBytes: Int { 0 }
}

extension PlainJSON where Self: RawRepresentable, RawValue == String {
    /// Appends the raw value as a text.
    public func write(to out: inout JSONWriter) { out.value(rawValue) }
}

extension JSONWriter {
    /// Appends an event. Throws an `EncodingError` if it has a secret, or a part that JSON cannot
    /// express; the writer is then unchanged.
    public mutating func value(event: some WireEvent) throws {
        if !event.writePlainly(to: &self) { try value(encoding: event) }
    }

    /// Appends a member with a list of values. Each value writes itself.
    @discardableResult
    public mutating func member(_ name: StaticString, _ elements: [some PlainJSON]) -> Bool {
        key(name)
        list { out in
            let elements = elements.span
            var room = 0
            for place in elements.indices { room += elements[place].knownBytes + 1 }
            if room > elements.count { out.bytes.reserveCapacity(out.bytes.count + room + 64) }
            for place in elements.indices { elements[place].write(to: &out) }
        }
        return !hasRefusedValue
    }

    /// Appends a member with a value. The value writes itself.
    @discardableResult
    public mutating func member(_ name: StaticString, _ value: some PlainJSON) -> Bool {
        key(name)
        value.write(to: &self)
        return !hasRefusedValue
    }

    /// A value that only `Codable` writes. If `Codable` refuses it, `plainEvent` appends nothing.
    @discardableResult
    public mutating func member(_ name: StaticString, _ value: some Encodable) -> Bool {
        key(name)
        do {
            try self.value(encoding: value)
        } catch {
            null()
            hasRefusedValue = true
        }
        return !hasRefusedValue
    }

    /// An absent value is left out.
    @discardableResult
    public mutating func member(_ name: StaticString, _ text: String?) -> Bool {
        if let text { member(name, text) } else { true }
    }

    /// An absent value is left out.
    @discardableResult
    public mutating func member(_ name: StaticString, _ integer: Int?) -> Bool {
        if let integer { member(name, integer) } else { true }
    }

    /// An absent value is left out.
    @discardableResult
    public mutating func member(_ name: StaticString, _ value: (some PlainJSON)?) -> Bool {
        if let value { member(name, value) } else { true }
    }

    /// An absent value is left out. Without this form, `null` would be written for it.
    @discardableResult
    public mutating func member(_ name: StaticString, _ value: (some Encodable)?) -> Bool {
        if let value { member(name, value) } else { true }
    }

    /// Appends an object of members.
    public mutating func plainObject(_ members: (inout JSONWriter) -> Bool) {
        beginObject()
        _ = members(&self)
        endObject()
    }

    /// Appends an event of one case, and returns true. If JSON cannot express a value, appends
    /// nothing and returns false.
    public mutating func plainEvent(
        _ name: String, _ payload: (inout JSONWriter) -> Bool
    ) -> Bool {
        let start = mark
        event(name) { _ = payload(&$0) }
        guard hasRefusedValue else { return true }
        cut(to: start)
        hasRefusedValue = false
        return false
    }
}

extension JSONValue {
    /// Reads an event. Throws `badEvent` with the path of the fault, which begins with `path`.
    public func event<Event: WireEvent>(
        _ type: Event.Type = Event.self, at path: String
    ) throws(WireError) -> Event {
        do {
            return try Event(plainly: self)
        } catch {
            return try decode(type, at: path)
        }
    }
}
