/// Reads an event that is written as `Codable` writes it: one key, its name, and members in the
/// order of the declaration. Any other form is not plain, and `Codable` reads it.
///
/// It is for the code that scripts/event-code.sh generates: that takes each member, and then says
/// that it is at the end.
public struct PlainReader {
    /// A name of an event, to be compared with those of the enum.
    public struct Name {
        fileprivate let key: JSONValue

        public static func ~= (name: StaticString, found: Name) -> Bool {
            found.key.isExactly(name)
        }
    }

    public let name: Name
    private var members: JSONValue.Members
    /// The first member that has not been taken.
    private var next: (key: JSONValue, value: JSONValue)?

    public init(_ json: JSONValue) throws(NotPlain) {
        guard let (key, payload) = json.onlyMember, payload.kind == .object else {
            throw NotPlain()
        }
        name = Name(key: key)
        members = payload.members
        next = members.next()
    }

    public func end() throws(NotPlain) {
        guard next == nil else { throw NotPlain() }
    }

    public mutating func member(_ name: StaticString) throws(NotPlain) -> String {
        try scalar(name)
    }

    public mutating func member(_ name: StaticString) throws(NotPlain) -> Int { try scalar(name) }

    public mutating func member(_ name: StaticString) throws(NotPlain) -> Bool { try scalar(name) }

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

    /// `nil` where the member is not there.
    public mutating func optionalMember<Value: Decodable>(
        _ name: StaticString
    ) throws(NotPlain) -> Value? {
        guard let next, next.key.isExactly(name) else { return nil }
        return try member(name) as Value
    }

    private mutating func scalar<Value: Scalar>(_ name: StaticString) throws(NotPlain) -> Value {
        guard let value = Value(scalar: try take(name)) else { throw NotPlain() }
        return value
    }

    private mutating func take(_ name: StaticString) throws(NotPlain) -> JSONValue {
        guard let (key, value) = next, key.isExactly(name) else { throw NotPlain() }
        next = members.next()
        return value
    }
}
