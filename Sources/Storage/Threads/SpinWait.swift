import BusdEventLoop
import Glibc

/// Decides whether a waiting thread polls or sleeps. A wakeup takes about 30 µs, a fifth of a
/// commit on a fast disk. So a thread polls for a moment first.
struct SpinWait {
    /// Nanoseconds.
    private static let longest: Int64 = 100_000

    private var began: Int64?
    private var wasShort = false

    /// Whether to poll again instead of sleeping.
    mutating func looksAgain() -> Bool {
        let now = MonotonicClock.nanoseconds
        let began = self.began ?? now
        self.began = began
        guard wasShort, now - began < Self.longest else { return false }
        sched_yield()
        return true
    }

    /// Call this when the wait is over.
    mutating func end() {
        guard let began else { return }
        wasShort = MonotonicClock.nanoseconds - began < Self.longest
        self.began = nil
    }
}
