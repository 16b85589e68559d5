import BusdEventLoop
import BusdProtocol
import Glibc

/// The levels of syslog that the daemon uses.
enum LogLevel: Int {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7
}

/// Writes lines to standard error, each after the daemon's name. If standard error goes to the
/// journal, each line begins with its level instead, such as `<6>`, which the journal removes.
///
/// A reader that stops reading never blocks the daemon: a line that would have to wait is counted
/// and left out. So is a line above the limit per second.
final class DaemonLog {
    private static let mostPerSecond = 50
    /// Seconds within which the same line is not written again.
    private static let repetition: Int64 = 10
    /// Bytes. A pipe that is ready for output takes this many in one write.
    private static let longestLine = 4_000

    private let name: String
    private let threshold: LogLevel
    private let descriptor: Int32
    private let isJournal: Bool
    private let now: () -> Int64
    private var second: Int64 = 0
    private var linesInSecond = 0
    private var suppressed = 0
    /// The line that was written last, and when.
    private var last: (text: String, second: Int64) = ("", 0)

    /// - Parameter now: seconds of a clock that does not go back; the system's by default.
    init(
        name: String, threshold: LogLevel, descriptor: Int32 = STDERR_FILENO,
        environment: Environment = .process, now: (() -> Int64)? = nil
    ) {
        self.name = name
        self.threshold = threshold
        self.descriptor = descriptor
        self.now = now ?? { MonotonicClock.seconds }
        isJournal = environment["JOURNAL_STREAM"] == Self.identity(of: descriptor)
    }

    /// The file of a descriptor, in the form of `JOURNAL_STREAM`. Child processes inherit the
    /// variable, but may write to another file.
    private static func identity(of descriptor: Int32) -> String {
        var about = stat()
        return fstat(descriptor, &about) == 0 ? "\(about.st_dev):\(about.st_ino)" : ""
    }

    func error(_ text: String) { write(.error, text) }
    func warning(_ text: String) { write(.warning, text) }
    func info(_ text: String) { write(.info, text) }

    func write(_ level: LogLevel, _ text: String) {
        guard level.rawValue <= threshold.rawValue else { return }
        let now = now()
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

    private func mayWrite(_ now: Int64) -> Bool {
        if now != second {
            second = now
            linesInSecond = 0
        }
        linesInSecond += 1
        guard linesInSecond <= Self.mostPerSecond else { return false }
        var state = pollfd(fd: descriptor, events: Int16(clamping: POLLOUT), revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(clamping: POLLOUT) != 0
    }

    private func put(_ level: LogLevel, _ text: String) {
        let prefix = isJournal ? "<\(level.rawValue)>" : "\(name): "
        let line =
            Array("\(prefix)\(text.printable)".prefix(bytes: Self.longestLine).utf8)
            + [.lineFeed]
        _ = Glibc.write(descriptor, line, line.count)
    }
}

extension String {
    /// The longest prefix of at most this many bytes that ends with a whole code point.
    fileprivate func prefix(bytes most: Int) -> Substring {
        guard utf8.count > most else { return self[...] }
        let end = utf8.index(utf8.startIndex, offsetBy: most)
        return self[..<unicodeScalars._index(roundingDown: end)]
    }
}
