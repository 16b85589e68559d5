public import BusdProtocol

/// Measures time in microseconds. Views show whole tenths of a second, but a stop keeps the
/// fraction of a tenth, so no time is lost.
public struct Stopwatch: Hashable, Sendable {
    private static let tenth: Int64 = 100_000

    /// Microseconds up to the last start or stop.
    public private(set) var measured: Int64
    public private(set) var runningSince: Instant?

    public init(elapsed: Duration = .zero, runningSince: Instant? = nil) {
        measured = elapsed.microseconds
        self.runningSince = runningSince
    }

    public var isRunning: Bool { runningSince != nil }

    public func elapsed(at now: Instant) -> Duration { .microseconds(microseconds(at: now)) }

    /// Before the last start, the time stands still.
    public func microseconds(at now: Instant) -> Int64 {
        guard let start = runningSince, now > start else { return measured }
        let microseconds = measured &+ (now.microseconds &- start.microseconds)
        return min(microseconds, Instant.stored.upperBound)
    }

    public mutating func start(at now: Instant) {
        measured = microseconds(at: now)
        runningSince = now
    }

    public mutating func stop(at now: Instant) {
        measured = microseconds(at: now)
        runningSince = nil
    }

    /// Whole tenths of a second, rounded down.
    public func tenths(at now: Instant) -> Int64 { microseconds(at: now) / Self.tenth }

    /// When `tenths` will next change; `nil` while stopped.
    public func nextTenth(after now: Instant) -> Instant? {
        guard isRunning else { return nil }
        let rest = Self.tenth - microseconds(at: now) % Self.tenth
        return Instant(microseconds: now.microseconds &+ rest)
    }
}
