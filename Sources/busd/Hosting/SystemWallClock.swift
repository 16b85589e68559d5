public import BusdProtocol
import Glibc

/// The time of day of the machine.
public final class SystemWallClock: WallClock {
    /// Reads it afresh with each call.
    public init() {}

    public var now: UTCTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(seconds: Int64(widening: time.tv_sec))
    }
}
