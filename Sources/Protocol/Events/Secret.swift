import Glibc
import Synchronization

/// A text that nobody may see: a password. It can be read from an event, but it is in no event that
/// goes out, has no description, and its memory is wiped when the last who holds it lets go.
///
/// The one way to its bytes is `withBytes`.
public struct Secret: Sendable {
    private final class Memory: Sendable {
        let bytes: Mutex<[UInt8]>

        init(_ bytes: consuming [UInt8]) { self.bytes = Mutex(bytes) }

        deinit { bytes.withLock { $0.wipe() } }
    }

    private let memory: Memory

    /// What a person has typed. The text itself can't be wiped.
    public init(_ text: String) { self.init(copying: text.utf8) }

    package init(copying bytes: some Collection<UInt8>) { memory = Memory(Array(bytes)) }

    public var isEmpty: Bool { memory.bytes.withLock { $0.isEmpty } }

    /// The UTF-8 of the text, for as long as `body` runs.
    public func withBytes<Result: Sendable>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try memory.bytes.withLock { try $0.withUnsafeBytes(body) }
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
        self.init(try decoder.singleValueContainer().decode(String.self))
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

extension [UInt8] {
    /// Overwrites the bytes, in a way that no optimiser leaves out.
    package mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
