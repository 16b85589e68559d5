public import Protocol

/// A span that grows while it runs, kept to the microsecond. What is shown of it is cut to tenths
/// of a second, so a stop loses nothing: the fraction of a tenth counts on after the next start.
public struct Stopwatch: Hashable, Sendable {
    private static let tenth: Int64 = 100_000

    /// The span up to the last start or stop.
    private var measured: Duration
    private var runningSince: Instant?

    /// A stopped one.
    public init(elapsed: Duration = .zero) { measured = elapsed }

    public var isRunning: Bool { runningSince != nil }

    public func elapsed(at now: Instant) -> Duration {
        runningSince.map { measured + (now - $0) } ?? measured
    }

    public mutating func start(at now: Instant) {
        measured = elapsed(at: now)
        runningSince = now
    }

    public mutating func stop(at now: Instant) {
        measured = elapsed(at: now)
        runningSince = nil
    }

    /// Whole tenths of a second, rounded down.
    public func tenths(at now: Instant) -> Int64 { elapsed(at: now).microseconds / Self.tenth }

    /// When `tenths` will next change; `nil` while stopped.
    public func nextTenth(after now: Instant) -> Instant? {
        guard isRunning else { return nil }
        let next = Duration.microseconds((tenths(at: now) + 1) * Self.tenth)
        return now + (next - elapsed(at: now))
    }
}
