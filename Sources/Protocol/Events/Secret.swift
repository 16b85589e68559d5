import Glibc
import Synchronization

/// A confidential text, such as a password. It can be decoded from an event, but only a client can
/// encode it, and its description hides it. Its memory is wiped when the last reference is
/// released.
///
/// A field of a screen may hold a secret for a long time. So it is kept in two halves, a random pad
/// and the text masked with it. Neither half alone reveals anything, so the memory of the process
/// does not contain the password. The pad has at most `mostBytes` bytes. It repeats for a longer
/// text, which no event can have. Only `withBytes` gives access to the text.
public struct Secret: Sendable {
    private final class Memory: Sendable {
        struct Halves {
            var pad: [UInt8]
            var masked: [UInt8]
        }

        let halves: Mutex<Halves>

        init(_ bytes: some Collection<UInt8>) {
            let pad = Secret.randomBytes(min(bytes.count, Secret.mostBytes))
            halves = Mutex(Halves(pad: pad, masked: Secret.masked(bytes, pad)))
        }

        deinit {
            halves.withLock { halves in
                halves.pad.wipe()
                halves.masked.wipe()
            }
        }
    }

    /// Bytes of UTF-8 that a secret in an event can have. The reader of events refuses more.
    public static let mostBytes = 1_024

    private let memory: Memory
    /// Whether the secret has no bytes.
    public let isEmpty: Bool

    /// A text that a person has typed. The argument itself cannot be wiped.
    public init(_ text: String) { self.init(text.utf8) }

    /// - Parameter bytes: the UTF-8 of a text, which the caller wipes.
    package init(_ bytes: some Collection<UInt8>) {
        memory = Memory(bytes)
        isEmpty = bytes.isEmpty
    }

    /// `nil` if there are more than `mostBytes`.
    init?(checkingLength bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.mostBytes else { return nil }
        self.init(bytes)
    }

    /// Calls `body` with the UTF-8 of the text, and wipes these bytes afterwards.
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var bytes = memory.halves.withLock { Self.masked($0.masked, $0.pad) }
        defer { bytes.wipe() }
        return try bytes.withUnsafeBytes(body)
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Allocated at once, because an array that grows leaves copies behind.
    private static func masked(_ bytes: some Collection<UInt8>, _ pad: [UInt8]) -> [UInt8] {
        Array(unsafeUninitializedCapacity: bytes.count) { buffer, count in
            for byte in bytes {
                buffer[count] = byte ^ pad[count % pad.count]  // fits: a byte has a pad
                count += 1
            }
        }
    }
}

extension Secret: Equatable {
    /// Takes the same time whether the texts differ at the first or at the last byte.
    public static func == (a: Self, b: Self) -> Bool {
        a.memory === b.memory || a.withBytes { a in b.withBytes { isEqual(a, $0) } }
    }

    private static func isEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Secret: Codable {
    /// For decoders other than `EventDecoder`, which reads the bytes in place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count <= Self.mostBytes else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected \(Self.wanted)")
        }
        self.init(text)
    }

    public func encode(to encoder: any Encoder) throws { throw Self.refusal(encoder.codingPath) }

    static func refusal(_ path: [any CodingKey] = []) -> EncodingError {
        EncodingError.invalidValue(
            "…", .init(codingPath: path, debugDescription: "a secret cannot be encoded"))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "…" }
    public var debugDescription: String { "…" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the bytes, in a way that an optimiser cannot remove.
    package func wipe() {
        if let baseAddress { explicit_bzero(baseAddress, count) }
    }
}

extension [UInt8] {
    package mutating func wipe() { withUnsafeMutableBytes { $0.wipe() } }

    package mutating func wipe(_ range: Range<Int>) {
        withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[range]).wipe() }
    }
}

/// Overwrites the part of the stack that finished calls have used. It is one piece of memory: a gap
/// between two pieces could keep a part of a password.
@inline(never)
package func wipeStack() {
    // 512 bytes per element. Code that is not optimised has large frames.
    #if DEBUG
        var piece = InlineArray<256, SIMD64<UInt64>>(repeating: .zero)
    #else
        var piece = InlineArray<16, SIMD64<UInt64>>(repeating: .zero)
    #endif
    // It has zeros already. Passing it on keeps the optimiser from removing them.
    withUnsafeMutableBytes(of: &piece) {
        UnsafeMutableRawBufferPointer(rebasing: $0[..<1]).wipe()
    }
}
