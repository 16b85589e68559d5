import BusdProtocol
import Glibc

/// A place in a log: the value of `--at`, or the target of `goTo`.
enum ReplayPosition: Equatable {
    /// The state after this entry; 0: before the first.
    case entry(Int)
    /// The state at this time, which is named to so many seconds.
    case time(Instant, within: Int64)

    static let forms =
        "the number of an entry, or a time such as \"2026-11-24 18:30\" or 2026-11-24T18:30:05Z"

    /// A number, or a date with an optional time of day. A `T` or a space separates them. The time
    /// is local, or UTC with a `Z`. `nil` for any other text.
    init?(_ text: String) {
        if text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(text) {  // fits: else nil
            self = .entry(number)
        } else if let time = Self.time(text) {
            self = time
        } else {
            return nil
        }
    }

    private static func time(_ text: String) -> Self? {
        let isUTC = text.utf8.last == UInt8(ascii: "Z")
        let separators = [UInt8(ascii: "T"), UInt8(ascii: " ")]
        let halves = (isUTC ? text.utf8.dropLast() : text.utf8[...])
            .split(
                maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: separators.contains)
        guard let date = halves.first.flatMap({ numbers(in: $0, between: "-", digits: [4, 2, 2]) })
        else { return nil }
        guard halves.count == 2 else {
            return seconds(date, [0, 0, 0], isUTC).map { .time($0, within: 86_400) }
        }
        if let clock = numbers(in: halves[1], between: ":", digits: [2, 2]) {
            return seconds(date, clock + [0], isUTC).map { .time($0, within: 60) }
        }
        let parts = halves[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first,
            let clock = numbers(in: whole, between: ":", digits: [2, 2, 2]),
            let fraction = microseconds(parts.dropFirst().first)
        else { return nil }
        return seconds(date, clock, isUTC).map { .time($0 + .microseconds(fraction), within: 1) }
    }

    /// - Parameter digits: behind the point; `nil`: there is no point.
    private static func microseconds(_ digits: Substring.UTF8View?) -> Int64? {
        guard let digits else { return 0 }
        guard 1...6 ~= digits.count, digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        let zeros = String(repeating: "0", count: 6 - digits.count)  // fits: at most 6
        return Int64(String(Substring(digits)) + zeros)  // fits: six digits do
    }

    private static func seconds(_ date: [Int32], _ clock: [Int32], _ isUTC: Bool) -> Instant? {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        parts.tm_isdst = -1
        let wanted = parts
        let seconds = isUTC ? timegm(&parts) : mktime(&parts)
        // The functions turn February 31 into March 3, and an hour that a clock skips into another.
        guard parts.tm_mon == wanted.tm_mon, parts.tm_mday == wanted.tm_mday,
            parts.tm_hour == wanted.tm_hour, parts.tm_min == wanted.tm_min,
            parts.tm_sec == wanted.tm_sec,
            UTCTime.stored.contains(Int64(widening: seconds))
        else { return nil }
        return Instant(UTCTime(seconds: Int64(widening: seconds)))
    }

    /// Numbers of as many digits each; `nil` for any other text.
    private static func numbers(
        in text: Substring.UTF8View, between separator: Character, digits: [Int]
    ) -> [Int32]? {
        let parts = text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == separator.asciiValue })
        guard parts.map(\.count) == digits else { return nil }
        let numbers = parts.compactMap { part in
            part.allSatisfy { 48...57 ~= $0 } ? Int32(Substring(part)) : nil  // fits: else nil
        }
        return numbers.count == digits.count ? numbers : nil
    }
}

extension Instant {
    init(_ time: UTCTime) { self.init(microseconds: time.seconds * 1_000_000) }  // fits: to 9999

    /// Whole seconds.
    var utc: UTCTime { UTCTime(seconds: microseconds / 1_000_000) }

    /// Such as `2026-11-24T18:30:05.123Z`.
    var isoText: String {
        var seconds = time_t(utc.seconds)  // fits: to 9999
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [UInt8](repeating: 0, count: 32)
        let count = text.withUnsafeMutableBytes { bytes in
            strftime(bytes.baseAddress, bytes.count, "%Y-%m-%dT%H:%M:%S", &parts)
        }
        let milliseconds = String(1000 + microseconds % 1_000_000 / 1000).dropFirst()
        return "\(String(decoding: text.prefix(count), as: UTF8.self)).\(milliseconds)Z"
    }
}
