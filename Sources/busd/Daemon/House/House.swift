import BusdEventLoop
import BusdProtocol
import BusdRedisLog
import BusdStorage
import Glibc

/// The membership of a daemon in a house: the shared log, and the daemon's own store.
final class House {
    let log: RedisLog
    let gate: ConnectionGate
    private let entryWriter: EntryWriter
    private let daemonLog: DaemonLog
    private let loop: Loop
    /// Why the daemon must start again.
    private var reloadReason: String?
    /// Why a power cut may cost entries; `nil` if it does not.
    let warning: String?

    /// Called once if the daemon has been alone for two seconds, with the time until which the
    /// house ran before.
    var whenAlone: ((Instant) -> Void)?
    private var aloneSince: Int64?
    private let lastTime: Instant

    let settings: HouseSettings
    /// Called when `event` may have changed.
    var changed: () -> Void = {}

    private init(
        _ settings: HouseSettings, _ start: HouseStart, _ store: Store, _ loop: Loop,
        _ daemonLog: DaemonLog, warning: String?
    ) {
        self.settings = settings
        (self.loop, self.daemonLog, self.warning) = (loop, daemonLog, warning)
        lastTime = store.content.lastTime
        entryWriter = EntryWriter(store.log, loop)
        log = RedisLog(
            start, newest: store.newestEntry, position: store.content.lastNumber, loop)
        gate = ConnectionGate(log, loop)
        log.keep = { [entryWriter] in entryWriter.keep($0) }
        log.report = { [daemonLog] in daemonLog.warning($0) }
        log.changed = { [weak self] in self?.changed() }
    }

    /// Opens the store in a folder. If the store cannot follow the log of the house, replaces it
    /// with the states of the house.
    static func open(
        _ settings: HouseSettings, version: String, folder: String, _ loop: Loop,
        _ daemonLog: DaemonLog, openStore: () throws(StoreError) -> Store
    ) throws -> (House, Store) {
        var store = try openStore()
        var mark = try HouseMark(in: folder)
        try check(mark, settings, store, folder)
        var warning: String?
        var hasLoaded = false
        do {
            let client = try HouseClient(settings.house, at: settings.address)
            warning = client.warning
            let opening = try open(client, mark, store)
            if case .load(let identity, let states, let covered, let time) = opening {
                store.close()
                try Store.replace(
                    folder: folder, states, covered: covered, time: time, keepsOld: !store.isEmpty)
                mark = HouseMark(settings.house, identity: identity)
                try mark?.write(in: folder)
                store = try openStore()
                hasLoaded = true
            }
        } catch HouseError.unreachable(let reason) where mark != nil {
            warning = reason
        }
        var start = HouseStart(
            settings.house, at: settings.address, identity: mark?.identity ?? "",
            member: settings.member, version: version)
        start.hasLoaded = hasLoaded
        let house = House(settings, start, store, loop, daemonLog, warning: warning)
        if let mark { house.reload(mark, folder) }
        return (house, store)
    }

    /// If the log asks for the states of the house, the daemon must load them at its next start.
    private func reload(_ mark: HouseMark, _ folder: String) {
        log.reload = { [weak self] reason in
            var mark = mark
            mark.mustLoad = true
            do {
                try mark.write(in: folder)
                self?.reloadReason = reason
            } catch {
                self?.daemonLog.error("\(reason). This daemon cannot load the states: \(error)")
            }
        }
    }

    private static func check(
        _ mark: HouseMark?, _ settings: HouseSettings, _ store: Store, _ folder: String
    ) throws {
        let name = settings.house.description
        if let mark, !mark.name.isExactly(name) {
            throw StartError("\(folder): this store belongs to the house \(mark.name.printable)")
        }
        if mark == nil, !store.isEmpty {
            throw StartError(
                "\(folder): this store belongs to no house: run busd house join \(name), or name "
                    + "another folder with --state")
        }
    }

    private static func open(
        _ client: HouseClient, _ mark: HouseMark?, _ store: Store
    ) throws -> HouseClient.Opening {
        guard let mark else {
            // An error is ignored: another daemon may have founded the house first.
            if try client.identity() == nil {
                _ = try? client.found([], number: 0, time: .wallClock)
            }
            return try client.open(identity: nil, position: 0, newest: nil)
        }
        let mustLoad = mark.mustLoad || !store.findings.isEmpty
        do throws(HouseError) {
            let opening = try client.open(
                identity: mark.identity, position: store.content.lastNumber,
                newest: store.newestEntry)
            if mustLoad, case .follow = opening {
                return try client.open(identity: nil, position: 0, newest: nil)
            }
            return opening
        } catch {
            guard case .refused = error else { throw error }
            // The log will get the same error. It reports the error, and refuses sends.
            return .follow
        }
    }

    var name: String { settings.house.description }

    var isFollowing: Bool { log.problem == nil }

    /// Returns the reason once.
    func takeReloadReason() -> String? { reloadReason.take() }

    // MARK: Turns

    /// Called once per turn, before outcomes are taken.
    func attend() {
        log.attend()
        entryWriter.attend()
        awaitOthers()
    }

    /// Microseconds that the time of the house is ahead of the time of the loop.
    var offset: Int64? { log.table.offset }

    private func awaitOthers() {
        guard let whenAlone, log.table.hasFollowed, !log.table.rows.isEmpty else { return }
        let others = log.table.rows.filter { !log.table.isSelf($0) }
        guard !others.contains(where: log.table.isAlive) else { return self.whenAlone = nil }
        let now = loop.now()
        let since = aloneSince ?? now
        aloneSince = since
        guard now - since >= 2_000_000 else { return }  // fits: times of a clock
        self.whenAlone = nil
        whenAlone(max(lastTime, others.map(\.seen).max() ?? lastTime))
    }

    /// Waits until the daemon's own store has all applied entries, for at most two seconds.
    func end() {
        let end = LoopTimer(loop: loop) {}
        end.arm(afterMicroseconds: 2_000_000)
        entryWriter.attend(isEnding: true)
        while !entryWriter.isEmpty, end.isArmed {
            loop.turn(block: true)
            entryWriter.attend(isEnding: true)
        }
        log.close()
    }
}
