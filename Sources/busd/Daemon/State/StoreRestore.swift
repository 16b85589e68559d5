import BusdEventLoop
import BusdHosting
import BusdProtocol
import BusdStorage

/// A backup that replaces the store of this daemon at its next start.
///
/// The verb `restore` takes a checked backup in, and asks for the restart. A backup that somebody
/// has copied to `store.sqlite` would be read at any later start; so the log warns of it.
final class StoreRestore {
    /// Microseconds between two looks for a file.
    private static let interval: Int64 = 5_000_000

    private let folder: String
    private let isOfHouse: Bool
    private let log: DaemonLog
    private var timer: LoopTimer?
    private var hasWarned = false
    private var mustRestart = false

    init(_ loop: Loop, of folder: String, isOfHouse: Bool, _ log: DaemonLog) {
        (self.folder, self.isOfHouse, self.log) = (folder, isOfHouse, log)
        timer = LoopTimer(loop: loop) { [weak self] in self?.look() }
        timer?.arm(afterMicroseconds: Self.interval)
    }

    var refusal: Refusal? {
        if isOfHouse { return Refusal(.unavailable, "the store belongs to a house") }
        return Store.hasTakenIn(folder: folder)
            ? nil : Refusal(.unavailable, "there is no backup to restore: use the verb restore")
    }

    /// The backup is read when the daemon has started again.
    func begin() {
        do {
            try Store.putBackAtNextStart(folder: folder)
            mustRestart = true
        } catch {
            log.error("the backup cannot be restored: \(error)")
        }
    }

    /// Returns true once, after `begin`.
    func takeMustRestart() -> Bool {
        defer { mustRestart = false }
        return mustRestart
    }

    private func look() {
        let isThere = Store.awaitsStart(folder: folder)
        if isThere, !hasWarned, !mustRestart {
            log.warning(
                "\(folder)/store.sqlite is there: the next start, whenever it comes, replaces "
                    + "the store with it. Move it away; to restore it now, use the verb restore")
        }
        hasWarned = isThere
        timer?.arm(afterMicroseconds: Self.interval)
    }
}
