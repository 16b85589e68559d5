import CBusdSodium

/// A copy of a password while it is hashed. Its memory is never swapped out or dumped, lies between
/// inaccessible pages, and is overwritten at the end.
final class GuardedBytes {
    private let start: UnsafeMutablePointer<CChar>
    private let count: UInt64

    /// `nil` if there is not enough memory.
    init?(copying source: UnsafeRawBufferPointer) {
        guard sodium_init() >= 0, let memory = sodium_malloc(source.count) else { return nil }
        start = memory.bindMemory(to: CChar.self, capacity: source.count)
        count = UInt64(clamping: source.count)
        if let from = source.baseAddress { memory.copyMemory(from: from, byteCount: source.count) }
    }

    /// Passes the bytes as libsodium expects a password.
    func withChars<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
        withExtendedLifetime(self) { body(start, count) }
    }

    deinit { sodium_free(start) }
}
