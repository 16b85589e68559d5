/// Reads an event that is written as `Codable` writes it: one key, its name, and members in the
/// order of the declaration. Any other form is not plain, and `Codable` reads it.
///
/// It is for generated code (scripts/event-code.sh), which takes each member and then calls `end`.
public struct PlainReader {
    /// The name of an event, to compare with names in the source code.
    public struct Name {
        fileprivate let key: JSONValue

        /// Compares the bytes of both names.
        @inline(__always)
        public static func ~= (name: StaticString, found: Name) -> Bool {
            found.key.isExactly(name)
        }
    }

    // It keeps indices of nodes, not values, and code that runs for each event is inlined.
    // Otherwise each step would retain the document.

    private let document: JSONDocument
    private let key: Int
    /// The key of the first member that has not been taken.
    private var next: Int
    /// The node after the last member.
    private let beyond: Int

    /// Begins to read an event. Throws unless the event is an object with one key and its value is
    /// an object too.
    @inline(__always)
    public init(_ json: JSONValue) throws(NotPlain) {
        document = json.document
        guard let (key, payload) = json.onlyMember else { throw NotPlain() }
        let object = document.node(payload.index)
        guard object.kind == .object else { throw NotPlain() }
        self.key = key.index
        next = payload.index + 1
        beyond = object.next
    }

    /// The only key of the event, to `switch` over.
    @inline(__always)
    public var name: Name { Name(key: JSONValue(document: document, index: key)) }

    /// Throws if a member has not been taken.
    @inline(__always)
    public func end() throws(NotPlain) {
        guard next == beyond else { throw NotPlain() }
    }

    /// Takes the next member. Throws unless it has this name and is a text.
    @inline(__always)
    public mutating func member(_ name: StaticString) throws(NotPlain) -> String {
        guard let text = try take(name).text else { throw NotPlain() }
        return text
    }

    /// Takes the next member. Throws unless it has this name and is an integer.
    public mutating func member(_ name: StaticString) throws(NotPlain) -> Int {
        guard let integer = try take(name).integer else { throw NotPlain() }
        return integer
    }

    /// Takes the next member. Throws unless it has this name and is a boolean.
    public mutating func member(_ name: StaticString) throws(NotPlain) -> Bool {
        guard let boolean = try take(name).boolean else { throw NotPlain() }
        return boolean
    }

    /// Takes the next member. Throws unless it has this name and can be decoded.
    public mutating func member<Value: Decodable>(
        _ name: StaticString
    ) throws(NotPlain) -> Value {
        let value = try take(name)
        do {
            return try value.decode(at: "")
        } catch {
            throw NotPlain()
        }
    }

    /// `nil` if the member is missing.
    public mutating func optionalMember<Value: Decodable>(
        _ name: StaticString
    ) throws(NotPlain) -> Value? {
        guard isNext(name) else { return nil }
        return try member(name) as Value
    }

    @inline(__always)
    private func isNext(_ name: StaticString) -> Bool {
        next < beyond && JSONValue(document: document, index: next).isExactly(name)
    }

    @inline(__always)
    private mutating func take(_ name: StaticString) throws(NotPlain) -> JSONValue {
        guard isNext(name) else { throw NotPlain() }
        let value = JSONValue(document: document, index: next + 1)
        next = document.node(value.index).next
        return value
    }
}
