import Glibc

/// A time of day as people read it at this machine: `14:05`, or `2026-01-31 14:05` if `now` is on
/// another day.
///
/// - Parameters: seconds since 1970 (UTC).
func localTime(_ seconds: Int, at now: Int) -> String {
    let (then, today) = (LocalParts(seconds), LocalParts(now))
    return then.day == today.day ? then.time : "\(then.day) \(then.time)"
}

private struct LocalParts {
    let day: String
    let time: String

    init(_ seconds: Int) {
        var time = time_t(seconds)  // fits: both have 64 bits
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = Int(parts.tm_year) + 1900  // fits: it has 32 bits
        day = "\(year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        self.time = "\(two(parts.tm_hour)):\(two(parts.tm_min))"
    }
}
