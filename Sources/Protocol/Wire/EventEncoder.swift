/// Writes an event as JSON: the form that Swift synthesises for a `Codable` enum, keys in the order of
/// declaration, absent optionals left out.
///
/// All containers of an event write to one `Sheet`. A container is open until something is written to
/// one that contains it, which is how synthesised code behaves; code that goes back to a container that
/// has been closed is refused.
struct EventEncoder: Encoder {
    fileprivate let sheet: Sheet
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Appends the JSON of a value. Throws where the value itself refuses, or holds a number that JSON
    /// has no form for; the writer then is as it was.
    static func write(_ value: some Encodable, to out: inout JSONWriter) throws {
        let sheet = Sheet()
        let mark = out.mark
        // The bytes change hands, so that they are not copied.
        swap(&sheet.out, &out)
        defer { swap(&sheet.out, &out) }
        do {
            try sheet.write(value)
        } catch {
            sheet.out.cut(to: mark)
            throw error
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedSheet<Key>(sheet: sheet, level: sheet.beginObject()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ListSheet(sheet: sheet, level: sheet.beginList())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ScalarSheet(sheet: sheet)
    }
}

/// The bytes so far, and the brackets that are open.
private final class Sheet {
    struct Level {
        /// How many brackets are open inside this container, its own included.
        let depth: Int
        /// Tells this bracket from an earlier one of the same depth.
        let number: Int

        static let closed = Level(depth: .max, number: 0)
    }

    var out = JSONWriter()
    private var open: [(number: Int, isObject: Bool)] = []
    private var lastNumber = 0

    func beginObject() -> Level {
        out.beginObject()
        return began(isObject: true)
    }

    func beginList() -> Level {
        out.beginList()
        return began(isObject: false)
    }

    private func began(isObject: Bool) -> Level {
        lastNumber += 1
        open.append((lastNumber, isObject))
        return Level(depth: open.count, number: lastNumber)
    }

    /// Closes what is open inside a container that is written to.
    func resume(_ level: Level) throws {
        guard open.count >= level.depth, open[level.depth - 1].number == level.number else {
            throw EncodingError.refused(level, "this container has been closed")
        }
        close(to: level.depth)
    }

    private func close(to depth: Int) {
        while open.count > depth, let last = open.popLast() {
            if last.isObject { out.endObject() } else { out.endList() }
        }
    }

    func write<T: Encodable>(_ value: T) throws {
        switch value {
        case let text as String: out.value(text)
        case let integer as Int: out.value(integer)
        case let boolean as Bool: out.value(boolean)
        case let number as Double: try write(number)
        case let number as Float: try write(Double(number))
        case let integer as any BinaryInteger: out.raw(String(describing: integer).utf8)
        default: try writeInside(value)
        }
    }

    private func write(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.refused(number, "JSON has no such number")
        }
        out.value(number)
    }

    private func writeInside(_ value: some Encodable) throws {
        let depth = open.count
        let before = out.bytes.count
        try value.encode(to: EventEncoder(sheet: self))
        close(to: depth)
        // A type without anything to encode opens no container.
        if out.bytes.count == before { out.object { _ in } }
    }
}

// One generic `encode` serves for all the types that the container protocols name.

private struct KeyedSheet<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sheet: Sheet
    let level: Sheet.Level
    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: Key) throws {
        try sheet.resume(level)
        sheet.out.key(key.stringValue)
    }

    func encodeNil(forKey key: Key) throws {
        try begin(key)
        sheet.out.null()
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try begin(key)
        try sheet.write(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let inside = openInside(key, sheet.beginObject)
        return KeyedEncodingContainer(KeyedSheet<NestedKey>(sheet: sheet, level: inside))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ListSheet(sheet: sheet, level: openInside(key, sheet.beginList))
    }

    /// Nothing can be refused here, where nothing is thrown: what is opened inside a closed container is
    /// closed, and the first thing written to it is refused.
    private func openInside(_ key: Key, _ open: () -> Sheet.Level) -> Sheet.Level {
        do {
            try begin(key)
            return open()
        } catch {
            return .closed
        }
    }

    func superEncoder() -> any Encoder { EventEncoder(sheet: sheet) }
    func superEncoder(forKey key: Key) -> any Encoder { EventEncoder(sheet: sheet) }
}

private struct ListSheet: UnkeyedEncodingContainer {
    let sheet: Sheet
    let level: Sheet.Level
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(sheet: Sheet, level: Sheet.Level) {
        self.sheet = sheet
        self.level = level
    }

    private mutating func begin() throws {
        try sheet.resume(level)
        count += 1
    }

    mutating func encodeNil() throws {
        try begin()
        sheet.out.null()
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        try begin()
        try sheet.write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let inside = openInside(sheet.beginObject)
        return KeyedEncodingContainer(KeyedSheet<NestedKey>(sheet: sheet, level: inside))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ListSheet(sheet: sheet, level: openInside(sheet.beginList))
    }

    private mutating func openInside(_ open: () -> Sheet.Level) -> Sheet.Level {
        do {
            try begin()
            return open()
        } catch {
            return .closed
        }
    }

    mutating func superEncoder() -> any Encoder { EventEncoder(sheet: sheet) }
}

private struct ScalarSheet: SingleValueEncodingContainer {
    let sheet: Sheet
    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { sheet.out.null() }
    func encode<T: Encodable>(_ value: T) throws { try sheet.write(value) }
}

extension EncodingError {
    fileprivate static func refused(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(value, Context(codingPath: [], debugDescription: reason))
    }
}

extension JSONWriter {
    /// Appends an event, or any other value. Throws an `EncodingError` where the value holds what JSON
    /// has no form for; the writer then is as it was.
    public mutating func value(encoding value: some Encodable) throws {
        try EventEncoder.write(value, to: &self)
    }
}
