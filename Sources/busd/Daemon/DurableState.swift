import BusdEventLoop
import BusdPasswords
import BusdProtocol
import BusdStorage
package import BusdViewModels
import Glibc

/// What outlives the daemon: opened when it is first asked for, and kept in the folder that
/// `--state` names.
package final class DurableState {
    private let folder: StateFolder
    private let wanted: Durability
    private let clock: any Clock
    private let log: Log
    private let wakeup: Wakeup
    private(set) var store: Store?
    /// Why the last commit failed; `nil` if it succeeded.
    private var failure: StoreError?
    private var mark: ScheduledAction?
    private var checker: PasswordChecker?
    private var errands: ErrandDesk?

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

    /// The absolute path of the store's folder; `nil` where nothing is kept.
    var path: String? {
        guard store != nil, let path = folder.path else { return nil }
        guard let absolute = realpath(path, nil) else { return path }
        defer { free(absolute) }
        return String(cString: absolute)
    }

    /// The libraries, in the store; with `--state :memory:` for as long as the daemon runs.
    package func openLibraries() throws -> (games: any GamesService, books: any BooksService) {
        guard let path = folder.path else { return (InMemoryGames(), InMemoryBooks()) }
        let store = try Store(folder: path, durability: wanted, wake: wakeup.poke)
        for finding in store.findings { log.error(finding) }
        self.store = store
        tellOfReserving()
        markRunningGames()
        return (store.games, store.books)
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
        case .success:
            if failure != nil { log.info("storage can write again") }
            failure = nil
            tellOfReserving()
            errands?.commitEnded(successfully: true)
            return true
        case .failure(let error):
            if failure != error { log.error("storage can't write: \(error)") }
            failure = error
            errands?.commitEnded(successfully: false)
            return false
        }
    }

    /// Whether to look for the outcome again at once.
    func isOutcomeDueSoon() -> Bool { store?.isDueSoon() ?? false }

    private func tellOfReserving() {
        for outcome in store?.takeReserving() ?? [] {
            switch outcome {
            case .success: log.info("ids are reserved again")
            case .failure(let error):
                log.error(
                    "ids can't be reserved, and may come twice if the store is lost: \(error)")
            }
        }
    }

    /// Whether keys of earlier sends have been read.
    func takeRecalled() -> Bool {
        guard let (isNew, findings) = store?.takeRecalled() else { return false }
        for finding in findings { log.error(finding) }
        return isNew
    }

    /// Who may sign in, of the store; nobody, where nothing is kept.
    package func openPasswords() -> any PasswordService {
        let checker = PasswordChecker(
            hash: { [weak self] in self?.store?.users.hash(of: $0) }, clock: clock,
            wake: wakeup.poke)
        self.checker = checker
        return checker
    }

    /// Takes errands from now on. A daemon that can't take any serves all the same.
    func openErrands(_ loop: Loop) {
        guard let path = folder.path, let store else { return }
        do {
            errands = try ErrandDesk(loop: loop, folder: path, store: store, log: log)
        } catch {
            log.error("busd backup and busd user can't ask this daemon: \(error)")
        }
    }

    /// Once a turn: does what has been asked for, and tells what is done beside the loop.
    func attend() {
        errands?.attend()
        checker?.deliver()
    }

    deinit { close() }

    func close() {
        errands = nil
        checker?.close()
        mark = nil
        store?.close()
        store = nil
    }
}
