package import Glibc

/// A date and a time of day, as people read them at this machine.
package struct LocalTime {
    private let parts: tm

    /// - Parameter seconds: since 1970 (UTC).
    package init(seconds: Int) {
        var time = time_t(seconds)  // fits: both have 64 bits
        var parts = tm()
        localtime_r(&time, &parts)
        self.parts = parts
    }

    package init(_ parts: tm) { self.parts = parts }

    /// The present time.
    package static var now: LocalTime { LocalTime(seconds: Glibc.time(nil)) }

    /// `2026-01-31`
    package var day: String {
        let year = Int(parts.tm_year) + 1900  // fits: it has 32 bits
        return "\(year)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))"
    }

    /// `14:05`
    package var time: String { "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))" }

    /// `14:05`, or `2026-01-31 14:05` if `now` is on another day.
    package func short(at now: LocalTime) -> String { day == now.day ? time : "\(day) \(time)" }

    /// `14:05:09`
    package var timeWithSeconds: String { "\(time):\(twoDigits(parts.tm_sec))" }

    private func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
