import Glibc

/// `CLOCK_MONOTONIC`, read afresh with each call. It is never set, and stands still while the
/// machine is suspended.
package enum MonotonicClock {
    package static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)  // fits: 300 years do
    }

    package static var microseconds: Int64 { nanoseconds / 1_000 }
    package static var milliseconds: Int { Int(clamping: nanoseconds / 1_000_000) }
    package static var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
