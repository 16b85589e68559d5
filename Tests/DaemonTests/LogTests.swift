import BusdEventLoop
import Glibc
import Testing

@testable import BusdDaemon

@Suite struct LogTests {
    private let pipe: LogPipe
    private let time = Time()

    /// Seconds, which the test sets.
    private final class Time { var now: Int64 = 100 }

    init() throws { pipe = try LogPipe() }

    private func log(_ threshold: LogLevel = .info, journal: String? = nil) -> DaemonLog {
        DaemonLog(
            name: "testd", threshold: threshold, descriptor: pipe.output.number,
            environment: Environment { $0 == "JOURNAL_STREAM" ? journal : nil },
            now: { [time] in time.now })
    }

    @Test(arguments: [
        (LogLevel.error, ["e"]), (.warning, ["e", "w"]), (.info, ["e", "w", "i"]),
        (.debug, ["e", "w", "i", "d"]),
    ])
    func `Messages that are less urgent than the threshold are left out`(
        threshold: LogLevel, expected: [String]
    ) {
        let log = log(threshold)
        log.error("e")
        log.warning("w")
        log.info("i")
        log.write(.debug, "d")

        #expect(pipe.lines() == expected.map { "testd: \($0)" })
    }

    @Test func `For the journal each line begins with its level`() throws {
        var about = stat()
        try #require(fstat(pipe.output.number, &about) == 0)
        let log = log(.debug, journal: "\(about.st_dev):\(about.st_ino)")
        log.error("e")
        log.warning("w")
        log.info("i")
        log.write(.debug, "d")

        #expect(pipe.lines() == ["<3>e", "<4>w", "<6>i", "<7>d"])
    }

    @Test func `A JOURNAL_STREAM that is not this descriptor is ignored`() {
        log(journal: "1:2").info("hello")

        #expect(pipe.lines() == ["testd: hello"])
    }

    @Test func `Control characters are written as escapes`() {
        log().info("a\u{1B}[2Jb\nc\td\u{85}\u{202E}é")

        #expect(pipe.lines() == [#"testd: a\u{1B}[2Jb\nc\td\u{0085}\u{202E}é"#])
    }

    @Test func `A line that is too long is cut between characters`() throws {
        log().info(String(repeating: "é", count: 3_000))

        let line = try #require(pipe.lines().first)
        #expect(line == "testd: " + String(repeating: "é", count: 1_996))
    }

    @Test func `A line that is too long is cut, and still ends with a line feed`() {
        let log = log()
        log.info(String(repeating: "a", count: 10_000))
        log.info("next")

        let lines = pipe.lines()
        #expect(lines.map(\.utf8.count) == [4_000, 11])
        #expect(lines.last == "testd: next")
    }

    @Test func `A repeated line is written once in ten seconds`() {
        let log = log()
        for _ in 0..<3 { log.info("again") }
        #expect(pipe.lines() == ["testd: again"])

        time.now += 9
        log.info("again")
        #expect(pipe.lines() == [])

        time.now += 1
        log.info("again")
        #expect(pipe.lines() == ["testd: lines left out here: 3", "testd: again"])
    }

    @Test func `Fifty lines per second are written, and the others are counted`() {
        let log = log()
        for number in 1...60 { log.info("line \(number)") }
        #expect(pipe.lines() == (1...50).map { "testd: line \($0)" })

        time.now += 1
        log.info("later")
        #expect(pipe.lines() == ["testd: lines left out here: 10", "testd: later"])
    }

    @Test func `A reader that does not read does not block the log`() {
        // The pipe now blocks, so a plain write would wait.
        _ = fcntl(pipe.output.number, F_SETFL, 0)
        let log = log()
        let line = String(repeating: "x", count: 3_000)
        var second = 0
        while second < 100 {
            log.info("\(second) \(line)")
            time.now += 1
            second += 1
        }
        let written = pipe.lines().count
        #expect(1..<100 ~= written)

        log.info("heard")
        #expect(
            pipe.lines() == ["testd: lines left out here: \(100 - written)", "testd: heard"])
    }

    @Test func `A log whose descriptor is closed ignores its lines`() {
        let log = DaemonLog(
            name: "testd", threshold: .info, descriptor: -1,
            environment: Environment { _ in nil })
        log.info("nobody hears this")
        log.error("nor this")

        #expect(pipe.lines() == [])
    }
}
