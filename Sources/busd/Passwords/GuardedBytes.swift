import CBusdSodium

/// A copy of a password while it is worked with: in memory that is never swapped out or dumped,
/// between pages that nobody may touch, and overwritten in the end.
final class GuardedBytes {
    private let start: UnsafeMutablePointer<CChar>
    private let count: UInt64

    /// `nil` where there is no memory for it.
    init?(copying source: UnsafeRawBufferPointer) {
        guard sodium_init() >= 0, let memory = sodium_malloc(source.count) else { return nil }
        start = memory.bindMemory(to: CChar.self, capacity: source.count)
        count = UInt64(clamping: source.count)
        if let from = source.baseAddress { memory.copyMemory(from: from, byteCount: source.count) }
    }

    /// As libsodium takes a password.
    func withChars<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
        withExtendedLifetime(self) { body(start, count) }
    }

    deinit { sodium_free(start) }
}
