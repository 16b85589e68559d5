import Glibc

/// How long a thread stays awake for what another one is about to hand it. To be woken takes some
/// 30 µs, a fifth of a fast disk's commit; so who did not wait long the last time does not go to
/// sleep at once this time. Who did sleeps.
struct Patience {
    /// Nanoseconds.
    static let longest: Int64 = 100_000

    private var began: Int64?
    private var wasShort: Bool
    private let now: () -> Int64

    /// - Parameter wasShort: what is known of the wait before.
    init(wasShort: Bool = false, now: @escaping () -> Int64 = Patience.monotonic) {
        self.wasShort = wasShort
        self.now = now
    }

    /// Whether to look again instead of going to sleep; others that want the core have it first.
    mutating func looksAgain() -> Bool {
        let now = now()
        let began = self.began ?? now
        self.began = began
        guard wasShort, now - began < Self.longest else { return false }
        sched_yield()
        return true
    }

    /// It has come.
    mutating func end() {
        guard let began else { return }
        wasShort = now() - began < Self.longest
        self.began = nil
    }

    @Sendable static func monotonic() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)  // fits: 300 years do
    }
}
