public import BusdProtocol

/// A time of day that changes only when a test sets it.
public final class FixedWallClock: WallClock {
    public var now: UTCTime

    /// 2026-01-01 00:00 UTC by default.
    public init(_ now: UTCTime = UTCTime(seconds: 1_767_225_600)) { self.now = now }
}
