import EventLoop
import Protocol
import Storage
package import ViewModels

/// What outlives the daemon: opened when it is first asked for, and kept in the folder that
/// `--state` names.
package final class DurableState {
    private let folder: StateFolder
    private let wanted: Durability
    private let clock: any Clock
    private let log: Log
    private let wakeup: Wakeup
    private(set) var store: Store?
    private var mark: Timer?

    init(
        _ settings: Settings, loop: Loop, clock: any Clock, log: Log
    ) throws(SystemError) {
        folder = settings.state
        wanted = settings.durability
        self.clock = clock
        self.log = log
        // It is enough that the loop turns: the outcome is looked for in every turn.
        wakeup = try Wakeup(loop: loop) {}
    }

    /// `full` or `normal`; `none` where nothing is kept.
    var durability: Durability { store == nil ? .none : wanted }

    /// The library of games, in the store; with `--state :memory:` for as long as the daemon runs.
    package func openGames() throws -> any GamesService {
        guard let path = folder.path else { return InMemoryGames() }
        let store = try Store(folder: path, durability: wanted, wake: wakeup.poke)
        for finding in store.findings { log.error(finding) }
        self.store = store
        markRunningGames()
        return store.games
    }

    /// Twice a second the time of running games is kept, so that a restart costs less than a
    /// second of it also where the disk needs half of that.
    private func markRunningGames() {
        store?.markRunning(at: clock.now)
        mark = clock.schedule(after: .milliseconds(500)) { [weak self] in self?.markRunningGames() }
    }

    /// How the commit under way has ended; `nil` while it runs.
    func takeOutcome() -> Bool? {
        switch store?.takeOutcome() {
        case nil: return nil
        case .success: return true
        case .failure(let error):
            log.error("storage can't write: \(error)")
            return false
        }
    }

    /// Writes a copy of the store beside it; see `busd backup`.
    func makeCopy() {
        guard let path = folder.path, let store else { return }
        store.backup(to: "\(path)/\(Maintenance.copyName)")
    }

    func noteCopy() {
        switch store?.takeBackupOutcome() {
        case nil: break
        case .success: log.info("a copy of the store has been made")
        case .failure(let error): log.error("no copy of the store could be made: \(error)")
        }
    }

    func close() {
        mark = nil
        store?.close()
        store = nil
    }
}
