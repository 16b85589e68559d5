import Glibc
import Synchronization

/// A confidential text, such as a password. It can be read from an event, but is in no outgoing
/// event and has no description. Its memory is wiped when the last reference is released.
///
/// It may be held for as long as a field of a screen has it. So it is kept in two halves, a random
/// pad and the text masked by it: neither of them alone reveals anything, so the memory of the
/// process has no password in it. The pad has at most `mostBytes` bytes, and repeats for a longer
/// text, which no event can have. The one way to the text is `withBytes`.
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
    public let isEmpty: Bool

    /// What a person has typed. The text itself can't be wiped.
    public init(_ text: String) { self.init(text.utf8) }

    /// The UTF-8 of a text; the secret wipes it.
    package init(_ bytes: some Collection<UInt8>) {
        memory = Memory(bytes)
        isEmpty = bytes.isEmpty
    }

    /// `nil` if there are more than `mostBytes`.
    init?(checkingLength bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.mostBytes else { return nil }
        self.init(bytes)
    }

    /// The UTF-8 of the text, for as long as `body` runs.
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

    /// In one piece of memory: an array that grows leaves bytes behind.
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
    /// Takes as long for texts that differ at the first byte as at the last.
    public static func == (a: Self, b: Self) -> Bool {
        a.memory === b.memory || a.withBytes { a in b.withBytes { isEqual(a, $0) } }
    }

    private static func isEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Secret: Codable {
    /// For decoders that are not of this project; the one that is reads the bytes in place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count <= Self.mostBytes else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "this is not \(Self.wanted)")
        }
        self.init(text)
    }

    public func encode(to encoder: any Encoder) throws { throw Self.refusal(encoder.codingPath) }

    static func refusal(_ path: [any CodingKey] = []) -> EncodingError {
        EncodingError.invalidValue(
            "…", .init(codingPath: path, debugDescription: "a secret is not told"))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "…" }
    public var debugDescription: String { "…" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the bytes, in a way that no optimiser leaves out.
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

/// Overwrites what calls that have returned have left behind on the stack, in one piece: between
/// two there would be a gap, and maybe a part of a password in it.
@inline(never)
package func wipeStack() {
    // Half a kilobyte each. Code that is not optimised has large frames.
    #if DEBUG
        var piece = InlineArray<256, SIMD64<UInt64>>(repeating: .zero)
    #else
        var piece = InlineArray<16, SIMD64<UInt64>>(repeating: .zero)
    #endif
    // It is zeros already. To hand it on keeps the optimiser from leaving them out.
    withUnsafeMutableBytes(of: &piece) {
        UnsafeMutableRawBufferPointer(rebasing: $0[..<1]).wipe()
    }
}
