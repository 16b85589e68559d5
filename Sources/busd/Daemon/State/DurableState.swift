import BusdAccounts
import BusdEventLoop
import BusdFiles
import BusdHosting
import BusdProtocol
import BusdRedisLog
import BusdStorage
import CBusdSystem
import Glibc

/// Everything that outlives the daemon, in the folder that `--state` names. The store is opened
/// when the first library is made, so a daemon without libraries makes no store.
final class DurableState {
    private let folder: StateFolder
    private let wanted: Durability
    private let mostLogBytes: Int
    private let isClockManual: Bool
    private let loop: Loop
    private let log: DaemonLog
    private var policyLoader: PolicyLoader?
    private let wakeup: Wakeup
    private(set) var store: Store?
    private var libraries: Libraries?
    /// Why the store could not be opened.
    private var failure: (any Error)?
    /// All libraries have been made.
    private var isComplete = false

    private var restart: Restart?
    private let houseSettings: HouseSettings?
    private let replaySettings: ReplaySettings?
    private var replayLog: ReplayLog?
    private(set) var replay: Replay?
    private let daemon: StoreDaemon
    private let version: String
    private(set) var house: House?
    private var publisher: StatePublisher?
    private(set) var rounds: StateRounds?
    private var notes: TimeNotes?
    private var reports: StorageReports?
    private(set) var copies: StoreCopies?
    private(set) var restore: StoreRestore?
    private var link: ControlLink?
    private var users: Library<User>?
    private var checker: PasswordChecker?

    init(
        _ settings: Settings, version: String = "", loop: Loop, log: DaemonLog
    ) throws {
        folder = try settings.state
        (houseSettings, replaySettings) = (settings.house, settings.replay)
        (daemon, self.version) = (settings.storeDaemon, version)
        (wanted, mostLogBytes) = (settings.durability, settings.mostLogBytes)
        isClockManual = settings.isClockManual
        self.loop = loop
        self.log = log
        // The handler is empty: each turn of the loop looks for outcomes.
        wakeup = try Wakeup(loop: loop) {}
    }

    /// `full` or `normal`; `none` if there is no store.
    var durability: Durability {
        if store == nil { return .none }
        guard let house else { return wanted }
        return house.log.warning == nil ? .full : .normal
    }

    /// The absolute path of the store's folder; `nil` if there is no store.
    var path: String? {
        guard store != nil, let path = folder.path else { return nil }
        return realPath(path) ?? path
    }

    // MARK: Opening

    /// Opens the store, and moves the timeline to the time of the log. `open` reports a failure.
    func openLibraries(_ timeline: Timeline) -> Libraries {
        if replaySettings != nil {
            let replayLog = ReplayLog()
            self.replayLog = replayLog
            return Libraries(log: replayLog, clock: timeline)
        }
        guard let path = folder.path, !isComplete else { return Libraries(clock: timeline) }
        do {
            let (store, log) = try open(path)
            let content = store.content
            let now = isClockManual ? content.lastTime : house?.timeAtStart ?? .wallClock
            timeline.move(to: max(now, content.lastTime))
            let libraries = Libraries(log: log, clock: timeline, content: content)
            (self.store, self.libraries) = (store, libraries)
            return libraries
        } catch {
            failure = error
            return Libraries(clock: timeline)
        }
    }

    private func open(_ path: String) throws -> (Store, any Log) {
        func openStore(_ mark: HouseMark?) throws(StoreError) -> Store {
            try Store(
                folder: path, durability: wanted, mostLogBytes: mostLogBytes, of: daemon,
                whenDamaged: mark?.noteDamage(in: path), wake: wakeup.signal)
        }
        guard let houseSettings else {
            let store = try openStore(nil)
            if let mark = try HouseMark(in: path) {
                throw StartError(
                    "\(path): this store belongs to the house \(mark.name.printable): start with "
                        + "--house, or run \(daemon) house leave")
            }
            return (store, store.log)
        }
        let (house, store) = try House.open(
            houseSettings, version: version, kinds: daemon.kinds, folder: path, loop, log,
            openStore: openStore)
        self.house = house
        return (store, house.log)
    }

    /// Returns a service that checks the passwords of the daemon's users.
    func openPasswords(of host: Host) -> any PasswordService {
        let users = Library<User>(host.libraries)
        let checker = PasswordChecker(
            hash: { users.hash(of: $0) }, clock: host.clock, wake: wakeup.signal)
        (self.users, self.checker) = (users, checker)
        return checker
    }

    /// Returns a service that reads the policy again.
    func openPolicyLoader(_ file: PolicyFile) -> PolicyLoader {
        let loader = PolicyLoader(file, wake: wakeup.signal)
        policyLoader = loader
        return loader
    }

    /// Call this when all kinds have been registered, and so all libraries have been made.
    /// Afterwards the log has the entries of `Host.whenRestarted`, unless it refuses them.
    func open(_ host: Host) throws {
        isComplete = true
        if let failure { throw failure }
        if let replaySettings {
            _ = host.libraries
            guard let replayLog else { return }
            let replay = try Replay(
                replaySettings, of: daemon, replayLog, host, log, loopTime: loop.now)
            host.register(ReplayClockViewModel.self, services: replay)
            self.replay = replay
        }
        guard let store, let libraries, let path else { return }
        for finding in store.findings + libraries.open() { log.error(finding) }
        try store.forgetContent()
        malloc_trim(0)
        let copies = StoreCopies(store, in: path, log)
        self.copies = copies
        let restore = StoreRestore(loop, of: path, isOfHouse: house != nil, log)
        self.restore = restore
        reports = StorageReports(loop, log)
        rounds = StateRounds(loop, store, libraries) { [log] in log.error($0) }
        notes = TimeNotes(loop, store, libraries) { [house] in
            house?.newestKept ?? libraries.applied
        }
        if let users {
            host.register(
                BusUsersViewModel.self, services: BusUsersViewModel.Services(users: users, log: log)
            )
        }
        host.register(
            BusStoreViewModel.self,
            services: BusStoreViewModel.Services(
                copies: copies, restore: restore, senders: host))
        if let house {
            house.whenAlone = host.restartAction
            host.register(BusHouseViewModel.self, services: house)
            publisher = StatePublisher(house.log, libraries, loop)
        } else if let whenRestarted = host.restartAction {
            let lastTime = store.content.lastTime
            restart = Restart(loop, libraries) { whenRestarted(lastTime) }
        }
        host.restore(
            store.drafts.compactMap { draft in
                Address(draft.address).map { (draft.kind, $0, draft.body) }
            })
    }

    /// Links to the control socket, so that the verbs find the daemon. If this fails, the daemon
    /// serves clients all the same.
    func serve(at socket: String) {
        guard let path else { return }
        do {
            link = try ControlLink(in: path, to: socket)
        } catch {
            log.error("the verbs of \(daemon) can't find this daemon: \(error)")
        }
    }

    // MARK: Turns

    /// Whether there is work to do at once.
    var hasWork: Bool {
        rounds?.hasWork == true || publisher?.hasWork == true
            || house == nil && store?.log.isDueSoon() == true
    }

    /// Called once per turn, before outcomes are taken.
    func receive() { house?.attend() }

    /// Called once per turn, outside of the bus.
    ///
    /// - Parameter isConnected: whether there is a connection with this number.
    func attend(isConnected: (Int) -> Bool) {
        if let store { reports?.report(store.takeReports()) }
        rounds?.attend()
        notes?.attend()
        publisher?.attend()
        copies?.attend(isConnected: isConnected)
        policyLoader?.attend()
        checker?.deliver()
    }

    /// Called at a planned stop. Pending sends have ended, if the disk was fast enough.
    func end(_ host: Host) {
        link = nil
        if let store {
            store.saveDrafts(
                host.drafts(most: Self.mostDraftBytes).map {
                    SavedDraft(kind: $0.kind, address: $0.address.text, body: $0.body)
                })
            notes?.note()
            house?.end()
            rounds?.saveAll()
        }
        close()
    }

    private static let mostDraftBytes = 16 << 20

    deinit { close() }

    func close() {
        link = nil
        checker?.close()
        (restart, notes, publisher, replay, restore) = (nil, nil, nil, nil, nil)
        store?.close()
        libraries?.close()
        if let store { reports?.report(store.takeReports()) }
        (reports, rounds, copies, store) = (nil, nil, nil, nil)
    }
}

extension Instant {
    /// Microseconds since 1970.
    static var wallClock: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let seconds = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        return Instant(microseconds: seconds.microseconds)
    }
}
