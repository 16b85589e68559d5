import Glibc

/// The levels of syslog that the daemon uses.
enum LogLevel: Int {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7
}

/// Lines on standard error. Under systemd each begins with its level, `<6>`, which the journal takes off.
///
/// A reader that stops reading never holds the daemon up: a line that would have to wait is counted and
/// left out, and so is what comes faster than anybody could read.
final class Log {
    private static let mostPerSecond = 50
    /// Seconds for which a line is not said again.
    private static let repetition: Int64 = 10
    private let threshold: LogLevel
    private let isJournal: Bool
    private var second: Int64 = 0
    private var linesInSecond = 0
    private var suppressed = 0
    /// What a line said that came again and again, and when it was last written.
    private var last: (text: String, second: Int64) = ("", 0)

    init(threshold: LogLevel) {
        self.threshold = threshold
        isJournal = getenv("JOURNAL_STREAM") != nil
    }

    func error(_ text: String) { write(.error, text) }
    func warning(_ text: String) { write(.warning, text) }
    func info(_ text: String) { write(.info, text) }

    func write(_ level: LogLevel, _ text: String) {
        guard level.rawValue <= threshold.rawValue else { return }
        let now = Self.now()
        guard text != last.text || now >= last.second + Self.repetition, mayWrite(now) else {
            suppressed += 1
            return
        }
        if suppressed > 0 {
            put(.warning, "lines left out here: \(suppressed)")
            suppressed = 0
        }
        put(level, text)
        last = (text, now)
    }

    /// Seconds of the monotonic clock.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec)
    }

    private func mayWrite(_ now: Int64) -> Bool {
        if now != second {
            second = now
            linesInSecond = 0
        }
        linesInSecond += 1
        guard linesInSecond <= Self.mostPerSecond else { return false }
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }

    private func put(_ level: LogLevel, _ text: String) {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        let clean = String(String.UnicodeScalarView(scalars))
        let prefix = isJournal ? "<\(level.rawValue)>" : "busd: "
        // A pipe that can be written takes this much whole.
        let line = Array("\(prefix)\(clean)\n".utf8.prefix(4_000))
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
