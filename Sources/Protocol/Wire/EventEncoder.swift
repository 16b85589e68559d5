/// Writes an event as JSON: the form that Swift synthesises for a `Codable` enum, keys in the order
/// of declaration, absent optionals left out.
///
/// All containers of an event write to one `EncoderState`. A container stays open until code writes
/// to an enclosing one, as synthesised code does. Code that writes to a closed container, or writes
/// a key without a value, or two values in one place, is refused: the result is valid JSON, or
/// nothing.
struct EventEncoder: Encoder {
    fileprivate let state: EncoderState
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Appends the JSON of a value. Throws if the value refuses to be encoded, or has a number that
    /// JSON cannot express; the writer is then unchanged.
    static func write(
        _ value: some Encodable, to out: inout JSONWriter, revealingSecrets: Bool
    ) throws {
        let state = EncoderState(revealingSecrets: revealingSecrets)
        let mark = out.mark
        // Swapped, so that the bytes are not copied.
        swap(&state.out, &out)
        defer { swap(&state.out, &out) }
        do {
            try state.write(value)
            if let fault = state.fault { throw fault }
        } catch {
            state.out.cut(to: mark)
            throw error
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedContainer<Key>(state: state, level: state.beginObject()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ListContainer(state: state, level: state.beginList())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ScalarContainer(state: state)
    }
}

/// The bytes so far, and the brackets that are open.
private final class EncoderState {
    struct Level {
        /// The number of open brackets down to this container, its own included.
        let depth: Int
        /// Distinguishes this bracket from an earlier one of the same depth.
        let number: Int
    }

    var out = JSONWriter()
    /// The first error. It is thrown at the end, because the methods that find it cannot throw.
    private(set) var fault: EncodingError?
    private var open: [(number: Int, isObject: Bool)] = []
    private var lastNumber = 0
    /// A value must come next: at the beginning, after a key, and for an element of a list.
    private var isValueDue = true
    private let revealsSecrets: Bool

    init(revealingSecrets: Bool) { revealsSecrets = revealingSecrets }

    private func refuse(_ reason: String, _ value: Any? = nil) {
        guard fault == nil else { return }
        fault = .invalidValue(value as Any, .init(codingPath: [], debugDescription: reason))
    }

    // MARK: Containers

    func beginObject() -> Level {
        beginValue()
        out.beginObject()
        return began(isObject: true)
    }

    func beginList() -> Level {
        beginValue()
        out.beginList()
        return began(isObject: false)
    }

    private func began(isObject: Bool) -> Level {
        lastNumber += 1
        open.append((lastNumber, isObject))
        return Level(depth: open.count, number: lastNumber)
    }

    func key(_ name: String, in level: Level) {
        resume(level)
        out.key(named: name)
        isValueDue = true
    }

    func element(in level: Level) {
        resume(level)
        isValueDue = true
    }

    /// Closes the brackets inside a container before it is written to.
    private func resume(_ level: Level) {
        guard open.count >= level.depth, open[level.depth - 1].number == level.number else {
            return refuse("this container is closed")
        }
        close(to: level.depth)
    }

    private func close(to depth: Int) {
        if isValueDue { refuse("missing value") }
        while open.count > depth, let last = open.popLast() {
            if last.isObject { out.endObject() } else { out.endList() }
        }
    }

    // MARK: Values

    private func beginValue() {
        if !isValueDue { refuse("more than one value") }
        isValueDue = false
    }

    func null() {
        beginValue()
        out.null()
    }

    func write<T: Scalar>(_ value: T) throws {
        if T.self == Secret.self, !revealsSecrets { throw Secret.refusal() }
        beginValue()
        value.append(to: &out)
        if !value.hasForm { refuse("JSON cannot express this number", value) }
    }

    func write<T: Encodable>(_ value: T) throws {
        if T.self == Secret.self { try writeSecret(value) } else { try writeInside(value) }
    }

    private func writeSecret(_ value: some Encodable) throws {
        if let secret = value as? Secret { try write(secret) }
    }

    private func writeInside(_ value: some Encodable) throws {
        let depth = open.count
        try value.encode(to: EventEncoder(state: self))
        // A type that encodes nothing opens no container; it becomes `{}`.
        if isValueDue, open.count == depth { _ = beginObject() }
        close(to: depth)
    }
}

// Each container has one generic `encode` for all scalars, and one for all other types.

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: EncoderState
    let level: EncoderState.Level
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        state.key(key.stringValue, in: level)
        state.null()
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        state.key(key.stringValue, in: level)
        try state.write(value)
    }

    func encode<T: Scalar>(_ value: T, forKey key: Key) throws {
        state.key(key.stringValue, in: level)
        try state.write(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder(forKey: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key.stringValue) }

    private func encoder(_ key: String) -> any Encoder {
        state.key(key, in: level)
        return EventEncoder(state: state)
    }
}

private struct ListContainer: UnkeyedEncodingContainer {
    let state: EncoderState
    let level: EncoderState.Level
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(state: EncoderState, level: EncoderState.Level) {
        self.state = state
        self.level = level
    }

    private mutating func begin() {
        state.element(in: level)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        state.null()
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        begin()
        try state.write(value)
    }

    mutating func encode<T: Scalar>(_ value: T) throws {
        begin()
        try state.write(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return EventEncoder(state: state)
    }
}

private struct ScalarContainer: SingleValueEncodingContainer {
    let state: EncoderState
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { state.null() }
    func encode<T: Encodable>(_ value: T) throws { try state.write(value) }
    func encode<T: Scalar>(_ value: T) throws { try state.write(value) }
}

extension JSONWriter {
    /// Appends an event, or any other value. Throws an `EncodingError` if JSON cannot express a
    /// part of it; the writer is then unchanged.
    ///
    /// `revealingSecrets` is true for events that a client sends. If false, a `Secret` is refused.
    public mutating func value(
        encoding value: some Encodable, revealingSecrets: Bool = false
    ) throws {
        try EventEncoder.write(value, to: &self, revealingSecrets: revealingSecrets)
    }
}
