/// A moment on the daemon's clock: whole microseconds since a start that the clock chooses. It is
/// not the time of day. The clock never goes back.
public struct Instant: Hashable, Comparable, Sendable {
    /// Since the start of the clock.
    public var microseconds: Int64

    /// The moments that a log or a state may have. Sums of two, and times of timers, do not
    /// overflow.
    public static let stored: ClosedRange<Int64> = 0...(1 << 60)

    /// The moment so many microseconds after the start of the clock.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    /// The moment when the span has passed. Wraps around on overflow.
    public static func + (instant: Self, span: Duration) -> Self {
        Self(microseconds: instant.microseconds &+ span.microseconds)
    }

    /// The span between two moments. Negative if `later` is the earlier one.
    public static func - (later: Self, earlier: Self) -> Duration {
        .microseconds(later.microseconds &- earlier.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, rounded towards zero.
    public var microseconds: Int64 {
        components.seconds &* 1_000_000 &+ components.attoseconds / 1_000_000_000_000
    }
}
