/// Reads an event from a JSON value, strictly: a key that the type does not know is an error, and
/// so is one that is missing or of a wrong type. Every error knows its path.
struct EventDecoder: Decoder {
    fileprivate let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Throws `badEvent` with the path, which begins with `path`.
    static func read<T: Decodable>(
        _ type: T.Type, from value: JSONValue, at path: String
    ) throws(WireError) -> T {
        do {
            return try read(type, from: value, codingPath: [Step(path)])
        } catch let error as DecodingError {
            throw error.asWireError(path)
        } catch {
            throw WireError(.badEvent, "this is not a \(T.self)", path: path)
        }
    }

    fileprivate static func read<T: Decodable>(
        _ type: T.Type, from value: JSONValue, codingPath: [any CodingKey]
    ) throws -> T {
        let scalar: Any?
        switch type {
        case is String.Type: scalar = value.text
        case is Int.Type: scalar = value.integer
        case is Bool.Type: scalar = value.boolean
        case is Double.Type: scalar = value.number
        case is Float.Type:
            scalar = value.number.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
        case let integer as any FixedWidthInteger.Type: scalar = value.fit(integer)
        case is Secret.Type: scalar = value.secret
        default: return try T(from: EventDecoder(value: value, codingPath: codingPath))
        }
        guard let result = scalar as? T else { throw value.isNot(T.self, codingPath) }
        return result
    }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try ObjectReader<Key>(value, codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ListReader(value, codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ScalarReader(value: value, codingPath: codingPath)
    }
}

/// A key, or the number of an element.
private struct Step: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init(_ index: Int) { stringValue = String(index) }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { self.init(intValue) }
}

// One generic `decode` serves for all the types that the container protocols name.

private struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONValue
    let codingPath: [any CodingKey]
    let allKeys: [Key]

    init(_ object: JSONValue, _ codingPath: [any CodingKey]) throws {
        guard object.kind == .object else { throw object.isNot("an object", codingPath) }
        var keys: [Key] = []
        for (name, _) in object.members {
            let text = name.text ?? ""
            guard let key = Key(stringValue: text) else {
                if object.document.ignoresUnknownKeys { continue }
                throw DecodingError.wrong(codingPath + [Step(text)], "there is no such key")
            }
            keys.append(key)
        }
        self.object = object
        self.codingPath = codingPath
        allKeys = keys
    }

    func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

    private func value(_ key: Key) throws -> JSONValue {
        guard let value = object[key.stringValue] else {
            throw DecodingError.wrong(codingPath + [key], "this key is missing")
        }
        return value
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).kind == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try EventDecoder.read(type, from: value(key), codingPath: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try ObjectReader<NestedKey>(value(key), codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ListReader(value(key), codingPath + [key])
    }

    func superDecoder() throws -> any Decoder {
        EventDecoder(value: object, codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        EventDecoder(value: try value(key), codingPath: codingPath + [key])
    }
}

private struct ListReader: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    private let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(_ list: JSONValue, _ codingPath: [any CodingKey]) throws {
        guard list.kind == .list else { throw list.isNot("a list", codingPath) }
        elements = Array(list.elements)
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }
    private var path: [any CodingKey] { codingPath + [Step(currentIndex)] }

    private func value() throws -> JSONValue {
        guard !isAtEnd else { throw DecodingError.wrong(path, "this element is missing") }
        return elements[currentIndex]
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try value().kind == .null
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let element = try EventDecoder.read(type, from: value(), codingPath: path)
        currentIndex += 1
        return element
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = KeyedDecodingContainer(try ObjectReader<NestedKey>(value(), path))
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try ListReader(value(), path)
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = EventDecoder(value: try value(), codingPath: path)
        currentIndex += 1
        return decoder
    }
}

private struct ScalarReader: SingleValueDecodingContainer {
    let value: JSONValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value.kind == .null }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try EventDecoder.read(type, from: value, codingPath: codingPath)
    }
}

extension JSONValue {
    /// The integer as another integer type; `nil` where it does not fit.
    fileprivate func fit<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        kind == .integer ? Integer(String(decoding: raw, as: UTF8.self)) : nil
    }

    fileprivate func isNot(_ wanted: String, _ path: [any CodingKey]) -> DecodingError {
        .wrong(path, "this is not \(wanted)")
    }

    fileprivate func isNot(_ type: any Decodable.Type, _ path: [any CodingKey]) -> DecodingError {
        let wanted =
            switch type {
            case is String.Type, is Secret.Type: "a text"
            case is Bool.Type: "a boolean"
            case is Double.Type, is Float.Type: "a number"
            default: "an integer in range"
            }
        return isNot(wanted, path)
    }
}

extension DecodingError {
    fileprivate static func wrong(_ path: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: reason))
    }

    fileprivate func asWireError(_ root: String) -> WireError {
        let context: Context
        var path: [any CodingKey]
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
            context = found
            path = found.codingPath
        case .keyNotFound(let key, let found):
            context = found
            path = found.codingPath + [key]
        @unknown default:
            return WireError(.badEvent, "this is not the event's form", path: root)
        }
        let text = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return WireError(.badEvent, context.debugDescription, path: text.joined(separator: "."))
    }
}

extension JSONValue {
    /// Reads an event, or any other value. Throws `badEvent` with its path, which begins with
    /// `path`.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, at path: String
    ) throws(WireError) -> T {
        try EventDecoder.read(type, from: self, at: path)
    }
}
