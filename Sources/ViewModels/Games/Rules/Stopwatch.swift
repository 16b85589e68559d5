import BusdProtocol

/// Measures time in microseconds. Views show whole tenths of a second, but a stop keeps the
/// fraction of a tenth, so no time is lost.
struct Stopwatch: Hashable, Sendable {
    private static let tenth: Int64 = 100_000

    /// Microseconds up to the last start or stop.
    private(set) var measured: Int64
    private(set) var runningSince: Instant?

    init(elapsed: Duration = .zero, runningSince: Instant? = nil) {
        measured = elapsed.microseconds
        self.runningSince = runningSince
    }

    var isRunning: Bool { runningSince != nil }

    func elapsed(at now: Instant) -> Duration { .microseconds(microseconds(at: now)) }

    /// Before the last start, the time stands still.
    func microseconds(at now: Instant) -> Int64 {
        guard let start = runningSince, now > start else { return measured }
        let microseconds = measured &+ (now.microseconds &- start.microseconds)
        return min(microseconds, Instant.stored.upperBound)
    }

    mutating func start(at now: Instant) {
        measured = microseconds(at: now)
        runningSince = now
    }

    mutating func stop(at now: Instant) {
        measured = microseconds(at: now)
        runningSince = nil
    }

    /// Sets the time, between zero and the longest that a state may have. A running stopwatch goes
    /// on from there.
    mutating func set(to microseconds: Int64, at now: Instant) {
        measured = min(max(microseconds, 0), Instant.stored.upperBound)
        if isRunning { runningSince = now }
    }

    /// Whole tenths of a second, rounded down.
    func tenths(at now: Instant) -> Int64 { microseconds(at: now) / Self.tenth }

    /// When `tenths` will next change; `nil` while stopped.
    func nextTenth(after now: Instant) -> Instant? {
        guard isRunning else { return nil }
        let rest = Self.tenth - microseconds(at: now) % Self.tenth
        return Instant(microseconds: now.microseconds &+ rest)
    }
}
