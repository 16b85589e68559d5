import BusdEventLoop
import BusdProtocol

/// Writes reports of the store to the log file: at most one line per minute, because a disk may be
/// full and free again many times per second. A report within the minute waits for the end of the
/// minute. Of equal reports, only the last is written.
final class StorageReports {
    private static let interval: Int64 = 60_000_000
    private static let most = 20

    private let log: DaemonLog
    private var waiting: [String] = []
    private var timer: LoopTimer?

    init(_ loop: Loop, _ log: DaemonLog) {
        self.log = log
        timer = LoopTimer(loop: loop) { [weak self] in self?.write() }
    }

    func report(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        for text in texts {
            waiting.removeAll { $0.isExactly(text) }
            waiting.append(text)
        }
        waiting.removeFirst(max(0, waiting.count - Self.most))
        if timer?.isArmed == false { write() }
    }

    private func write() {
        guard !waiting.isEmpty else { return }
        log.error(waiting.joined(separator: "; "))
        waiting = []
        timer?.arm(afterMicroseconds: Self.interval)
    }

    /// Writes waiting reports when the daemon ends.
    deinit { write() }
}
