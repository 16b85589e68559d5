import BusdProtocol
import Glibc
import Testing

@testable import BusdDaemon

@Suite struct ReplayPositionTests {
    @Test(arguments: [
        ("0", 0), ("57", 57), ("1000000", 1_000_000),
    ])
    func `A number is an entry`(text: String, number: Int) {
        #expect(ReplayPosition(text) == .entry(number))
    }

    @Test(arguments: [
        ("2026-11-24T18:30:05Z", "2026-11-24T18:30:05.000Z"),
        ("2026-11-24 18:30Z", "2026-11-24T18:30:00.000Z"),
        ("2024-02-29Z", "2024-02-29T00:00:00.000Z"),
        ("1970-01-01 00:00:01Z", "1970-01-01T00:00:01.000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
        ("2026-11-24T18:30:05.25Z", "2026-11-24T18:30:05.250Z"),
    ])
    func `A time in UTC is that time`(text: String, time: String) throws {
        guard case .time(let instant, _) = ReplayPosition(text) else {
            Issue.record("\(text) is no time")
            return
        }
        #expect(instant.isoText == time)
    }

    @Test func `A time without a zone is local`() throws {
        var seconds = time_t(1_790_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { String(String(100 + number).dropFirst()) }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        #expect(
            ReplayPosition("\(date) \(time)")
                == .time(Instant(UTCTime(seconds: 1_790_000_000)), within: 1))
        #expect(
            ReplayPosition("1970-01-01Z") == .time(Instant(microseconds: 0), within: 86_400))
        #expect(
            ReplayPosition("1970-01-01 00:01Z")
                == .time(Instant(microseconds: 60_000_000), within: 60))
    }

    @Test(arguments: [
        "", "-1", "1.5", "x", "18:30", "2026-11-24T", "2026-11-24T1:30", "2026-11-24T18:30:05.",
        "2026-11-24T18:30:05.1234567", "2026-11-24T18:30.5",
        "2026-02-30", "2026-13-01", "2026-11-24 24:30", "2026-11-24 18:61", "26-11-24",
        "2026-11-24Zulu", "1969-12-31Z", "99999-01-01", "2026-11-24 18:30+01:00", " 5", "5 ",
        "9223372036854775808", "２０２６-11-24", "+5",
    ])
    func `Any other text is refused`(text: String) {
        #expect(ReplayPosition(text) == nil)
    }

    @Test func `A pace follows the loop, faster or slower, and stands`() {
        let start = Instant(microseconds: 5_000_000)
        var pace = Pace(speed: 2, from: start)
        #expect(pace.isPaused && pace.time(at: 900) == start)
        #expect(pace.delay(until: start + .seconds(3), at: 900) == nil)
        pace.run(from: start, at: 1_000)
        #expect(pace.time(at: 1_001_000) == start + .seconds(2))
        #expect(pace.delay(until: start + .seconds(3), at: 1_001_000) == 500_000)
        #expect(pace.delay(until: start, at: 1_001_000) == 0)
        pace.jump(to: start + .seconds(9), at: 2_000_000)
        #expect(pace.time(at: 3_000_000) == start + .seconds(11))
        pace.stand(at: start + .seconds(11))
        pace.jump(to: start + .seconds(20), at: 4_000_000)
        #expect(pace.time(at: .max) == start + .seconds(20))
        // Neither a clock that jumps nor a distant time overflows.
        pace.run(from: start, at: 0)
        #expect(pace.time(at: .max) == start + .microseconds(1_000_000_000_000_000))
        #expect(pace.time(at: -5) == start)
        let longest: Int64 = 1_000_000_000_000_000
        #expect(pace.delay(until: Instant(microseconds: 1 << 60), at: 0) == longest)
    }
}
