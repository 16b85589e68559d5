import BusdEventLoop
import BusdProtocol
import BusdStorage

/// Writes the entries of a house to the daemon's own store, after they were applied. Nothing waits
/// for these writes: after a kill, the daemon reads missing entries from Redis.
final class EntryWriter {
    private let log: StoreLog
    private let loop: Loop
    private var unsaved: [LogEntry] = []
    /// How many entries of `unsaved` have been handed to the store.
    private var appended = 0
    /// The newest entry that the store has.
    private(set) var newest: Int
    private var refused: Int64?
    private var lastWrite: Int64 = 0
    private let timer: LoopTimer

    /// Microseconds. Entries that are written together cost one sync.
    private static let betweenWrites: Int64 = 100_000
    private static let mostTogether = 1_024
    /// Microseconds.
    private static let betweenTries: Int64 = 1_000_000
    /// Further entries are dropped. Then the next start loads the states of the house.
    private static let most = 100_000
    private static let mostBytes = 16 << 20
    private var bytes = 0

    /// - Parameter newest: the newest entry that the store has.
    init(_ log: StoreLog, after newest: Int, _ loop: Loop) {
        (self.log, self.newest, self.loop) = (log, newest, loop)
        timer = LoopTimer(loop: loop) {}
    }

    func keep(_ entry: LogEntry) {
        guard unsaved.count < Self.most, bytes < Self.mostBytes else { return }
        unsaved.append(entry)
        bytes += entry.body.count
    }

    /// Called once per turn.
    ///
    /// - Parameter isEnding: true: writes all entries now.
    func attend(isEnding: Bool = false) {
        while let outcome = log.takeOutcome() {
            if case .committed(let count) = outcome {
                bytes -= unsaved.prefix(count).reduce(0) { $0 + $1.body.count }
                newest = unsaved.prefix(count).last?.number ?? newest
                unsaved.removeFirst(count)
                appended -= count
                refused = nil
            } else {
                (appended, refused) = (0, loop.now())
            }
        }
        let now = loop.now()
        // fits: times of a clock
        if let refused, now - refused < Self.betweenTries { return }
        guard appended < unsaved.count, log.isAvailable else { return }
        let wait = lastWrite + Self.betweenWrites - now  // fits: times of a clock
        guard isEnding || wait <= 0 || unsaved.count - appended >= Self.mostTogether else {
            if !timer.isArmed { timer.arm(afterMicroseconds: wait) }
            return
        }
        lastWrite = now
        log.append(Array(unsaved[appended...]))
        appended = unsaved.count
    }

    var isEmpty: Bool { unsaved.isEmpty }
}
