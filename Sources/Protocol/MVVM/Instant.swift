/// A moment on the daemon's clock: whole microseconds since some start that only the clock knows.
/// It never goes back, and knows nothing of the time of day.
public struct Instant: Hashable, Comparable, Sendable {
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

    public static func + (instant: Self, span: Duration) -> Self {
        Self(microseconds: instant.microseconds &+ span.microseconds)
    }

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
