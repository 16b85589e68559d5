/// Reads an event from a JSON value, strictly: unknown keys, missing keys and wrong types are
/// errors. Every error has its path.
///
/// It keeps only the index of the value. The path of a wrong value is derived from its index.
struct EventDecoder: Decoder {
    fileprivate let value: JSONValue
    /// The node at which paths begin.
    fileprivate let root: Int
    /// Nil unless an event is described.
    fileprivate var choices: FoundChoices?

    var codingPath: [any CodingKey] { value.path(from: root) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Throws `badEvent` with the path, which begins with `path`.
    static func read<T: Decodable>(
        _ type: T.Type, from value: JSONValue, at path: String
    ) throws(WireError) -> T {
        do {
            return try EventDecoder(value: value, root: value.index).read(type)
        } catch let error as DecodingError {
            throw error.asWireError(path)
        } catch let unknown as UnknownChoice {
            throw unknown.asWireError(path)
        } catch let unknown as UnknownKey {
            throw unknown.asWireError(path, isSecret: type.hasSecret(in: value))
        } catch {
            throw WireError(.badEvent, "invalid \(T.self)", path: path)
        }
    }

    /// The words of each enum of texts in an event, by the index of its value.
    static func choices<T: Decodable>(_ type: T.Type, in value: JSONValue) -> [Int: [String]] {
        let choices = FoundChoices()
        _ = try? EventDecoder(value: value, root: value.index, choices: choices).read(type)
        return choices.words
    }

    fileprivate func read<T: Decodable>(_ type: T.Type) throws -> T {
        if type == Secret.self { return try readSecret() }
        guard value.kind == .text else { return try T(from: self) }
        if choices != nil || value.json.count > Self.longestWord { try checkChoice(type) }
        do {
            return try T(from: self)
        } catch {
            try checkChoice(type)
            throw error
        }
    }

    /// In bytes. A longer text is compared with the words of an enum before the enum is read: the
    /// enum compares by canonical equivalence, which takes very long for a long text that was made
    /// for it.
    private static let longestWord = 100

    /// Throws if the type is an enum of texts, and the text is none of its words.
    private func checkChoice(_ type: Any.Type) throws {
        guard let words = TextChoices.words(of: type) else { return }
        guard words.contains(where: value.isExactly(text:)) else {
            throw UnknownChoice(path: codingPath, text: value.text ?? "", words: words)
        }
        choices?.words[value.index] = words
    }

    // A method of its own: inside `read`, the cast would look up metadata of `T` for every type.
    private func readSecret<T>() throws -> T {
        guard let secret = try read(Secret.self) as? T else { throw isNot(Secret.wanted) }
        return secret
    }

    fileprivate func read<T: Scalar>(_ type: T.Type) throws -> T {
        guard let scalar = T.read(value) else { throw isNot(T.wanted) }
        return scalar
    }

    fileprivate func at(_ value: JSONValue) -> EventDecoder {
        EventDecoder(value: value, root: root, choices: choices)
    }

    fileprivate func isNot(_ wanted: String) -> DecodingError {
        .wrong(codingPath, "expected \(wanted)")
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try ObjectReader<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListReader(self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { ScalarReader(decoder: self) }
}

private final class FoundChoices {
    var words: [Int: [String]] = [:]
}

/// A key, or the number of an element.
private struct Step: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(peer: stringValue) }

    init(_ name: String) { stringValue = name }
    init(_ index: Int) { stringValue = String(index) }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { self.init(intValue) }
}

// Each container has one generic `decode` for all scalars, and one for all other types.

private struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: EventDecoder

    init(_ decoder: EventDecoder) throws {
        guard decoder.value.kind == .object else { throw decoder.isNot("an object") }
        self.decoder = decoder
        if !decoder.value.document.isLenient { try refuseUnknownKeys() }
    }

    private func refuseUnknownKeys() throws {
        for (name, _) in decoder.value.members {
            if Self.key(name) != nil { continue }
            throw UnknownKey(path: codingPath, name: name.text ?? "")
        }
    }

    /// No known key is long. The synthesised `Key(stringValue:)` compares by canonical equivalence,
    /// which takes very long for a long text that was made for it.
    private static func key(_ name: JSONValue) -> Key? {
        guard let text = name.text, text.utf8.count <= 200 else { return nil }
        return Key(stringValue: text)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        // A loop: code that is generic in `Key` cannot be specialised, so a closure would be slow.
        var keys: [Key] = []
        for (name, _) in decoder.value.members {
            if let key = Self.key(name) { keys.append(key) }
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { decoder.value[key.stringValue] != nil }

    private func member(_ key: Key) throws -> EventDecoder {
        guard let value = decoder.value[key.stringValue] else {
            throw DecodingError.wrong(codingPath + [key], "missing key")
        }
        return decoder.at(value)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.kind == .null }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try member(key).read(type)
    }
    func decode<T: Scalar>(_ type: T.Type, forKey key: Key) throws -> T {
        try member(key).read(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

private struct ListReader: UnkeyedDecodingContainer {
    private let decoder: EventDecoder
    private var rest: JSONValue.Children
    private var element: JSONValue?
    private(set) var currentIndex = 0

    init(_ decoder: EventDecoder) throws {
        guard decoder.value.kind == .list else { throw decoder.isNot("a list") }
        self.decoder = decoder
        rest = decoder.value.elements
        element = rest.next()
    }

    var count: Int? { decoder.value.elements.reduce(0) { count, _ in count + 1 } }
    var isAtEnd: Bool { element == nil }
    var codingPath: [any CodingKey] { decoder.codingPath }

    private func current() throws -> EventDecoder {
        guard let element else {
            throw DecodingError.wrong(codingPath + [Step(currentIndex)], "missing element")
        }
        return decoder.at(element)
    }

    /// Reads the current element and moves to the next.
    private mutating func take<Result>(
        _ read: (EventDecoder) throws -> Result
    ) throws -> Result {
        let result = try read(current())
        element = rest.next()
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard try current().value.kind == .null else { return false }
        return try take { _ in true }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try take { try $0.read(type) }
    }
    mutating func decode<T: Scalar>(_ type: T.Type) throws -> T { try take { try $0.read(type) } }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}

private struct ScalarReader: SingleValueDecodingContainer {
    let decoder: EventDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    func decodeNil() -> Bool { decoder.value.kind == .null }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.read(type) }
    func decode<T: Scalar>(_ type: T.Type) throws -> T { try decoder.read(type) }
}

extension JSONValue {
    /// The keys and element numbers on the way from an enclosing value to this one.
    fileprivate func path(from root: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var place = JSONValue(document: document, index: root)
        while place.index < index, let (step, next) = place.child(around: index) {
            path.append(step)
            place = next
        }
        return path
    }

    /// The member or element that contains a value.
    private func child(around index: Int) -> (Step, JSONValue)? {
        for (key, value) in members where value.contains(index) {
            return (Step(key.text ?? ""), value)
        }
        for (number, element) in elements.enumerated() where element.contains(index) {
            return (Step(number), element)
        }
        return nil
    }

    private func contains(_ index: Int) -> Bool {
        self.index <= index && index < document.node(self.index).next
    }
}

extension DecodingError {
    fileprivate static func wrong(_ path: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: reason))
    }

    fileprivate func asWireError(_ root: String) -> WireError {
        let (context, keys): (Context, [any CodingKey])
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            (context, keys) = (found, [])
        case .keyNotFound(let key, let found): (context, keys) = (found, [key])
        @unknown default: return WireError(.badEvent, "invalid event", path: root)
        }
        let path = (context.codingPath + keys).text(from: root)
        return WireError(.badEvent, context.debugDescription, path: path)
    }
}

extension JSONValue {
    /// Reads an event, or any other value. Throws `badEvent` with the path of the fault, which
    /// begins with `path`.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, at path: String
    ) throws(WireError) -> T {
        try EventDecoder.read(type, from: self, at: path)
    }
}
