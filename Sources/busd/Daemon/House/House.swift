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
    /// Called once if the daemon has been alone for two seconds, with the time until which the
    /// house ran before.
    var whenAlone: ((Instant) -> Void)?
    private var aloneSince: Int64?
    private let lastTime: Instant
    /// The time of the house at the start. The clock of this machine may be ahead of it.
    let timeAtStart: Instant?

    let settings: HouseSettings
    /// Called when `event` may have changed.
    var changed: () -> Void = {}

    private init(
        _ settings: HouseSettings, _ start: HouseStart, _ store: Store, _ mark: HouseMark?,
        _ folder: String, _ loop: Loop, _ daemonLog: DaemonLog
    ) {
        (self.settings, self.loop, self.daemonLog) = (settings, loop, daemonLog)
        (lastTime, timeAtStart) = (store.content.lastTime, start.time)
        entryWriter = EntryWriter(store.log, after: store.content.lastNumber, loop)
        log = RedisLog(
            start, newest: store.newestEntry, position: store.content.lastNumber, loop)
        gate = ConnectionGate(log, loop)
        log.keep = { [entryWriter] in entryWriter.keep($0) }
        log.report = { [daemonLog] in daemonLog.warning($0) }
        log.changed = { [weak self] in self?.changed() }
        if let mark { reload(mark, folder) }
    }

    typealias OpenStore = (HouseMark?) throws(StoreError) -> Store

    /// Opens the store in a folder. If the store cannot follow the log of the house, replaces it
    /// with the states of the house.
    ///
    /// A store of the house is served even if Redis is away or refuses: the log tries again.
    /// Without a store, this waits for Redis.
    ///
    /// - Throws: `HouseError.refused` without a store of the house, if an administrator must cure
    ///   the reason.
    static func open(
        _ settings: HouseSettings, version: String, kinds: [KindCheck], folder: String,
        _ loop: Loop, _ daemonLog: DaemonLog, openStore: OpenStore
    ) throws -> (House, Store) {
        let former = try HouseMark(in: folder)
        let store = try openStore(former)
        // Opening a damaged store changes the mark.
        let mark = try HouseMark(in: folder)
        try check(mark, settings, store, folder)
        var start = HouseStart(
            settings.house, at: settings.redis, identity: mark?.identity ?? "",
            member: settings.member, version: version)
        let opening: HouseClient.Opening
        if let mark {
            start.mustLoad = mark.mustLoad
            opening = open(settings, kinds, mark, store, &start)
        } else {
            opening = try join(settings, kinds, daemonLog, &start)
        }
        guard case .load(let identity, let states, let covered, let time) = opening else {
            return (House(settings, start, store, mark, folder, loop, daemonLog), store)
        }
        store.close()
        try Store.replace(
            folder: folder, states, covered: covered, time: time, keepsOld: !store.isEmpty)
        let newMark = HouseMark(settings.house, identity: identity)
        try newMark.write(in: folder)
        (start.identity, start.mustLoad) = (identity, false)
        let loaded = try openStore(newMark)
        return (House(settings, start, loaded, newMark, folder, loop, daemonLog), loaded)
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
                "\(folder): this store belongs to no house: run "
                    + "\(settings.house.daemon) house join \(name), or name "
                    + "another folder with --state")
        }
    }

    /// How a daemon with a store of the house begins. If Redis refuses, the log will report it.
    private static func open(
        _ settings: HouseSettings, _ kinds: [KindCheck], _ mark: HouseMark, _ store: Store,
        _ start: inout HouseStart
    ) -> HouseClient.Opening {
        guard
            let client = try? HouseClient(settings.house, at: settings.redis, kinds: kinds)
        else {
            return .follow
        }
        do throws(HouseError) {
            start.time = try client.time()
            let opening = try client.open(
                identity: mark.identity, position: store.content.lastNumber,
                newest: store.newestEntry, mustLoad: mark.mustLoad)
            if case .load = opening { start.triedStates = try client.states() }
            return opening
        } catch {
            if case .unusable = error {
                (start.triedStates, start.loadProblem) = (try? client.states(), "\(error)")
            }
            return .follow
        }
    }

    /// How a daemon without content begins. Tries until Redis can be reached.
    private static func join(
        _ settings: HouseSettings, _ kinds: [KindCheck], _ daemonLog: DaemonLog,
        _ start: inout HouseStart
    ) throws -> HouseClient.Opening {
        var isReported = false
        while true {
            do throws(HouseError) {
                let client = try HouseClient(
                    settings.house, at: settings.redis, kinds: kinds)
                // An error is ignored: another daemon may have founded the house first.
                if try client.identity() == nil {
                    _ = try? client.found([], number: 0, time: .wallClock)
                }
                start.time = try client.time()
                return try client.open(identity: nil, position: 0, newest: nil)
            } catch {
                guard case .unreachable(let reason) = error else { throw error }
                if !isReported {
                    daemonLog.warning("waiting for the house \(settings.house): \(reason)")
                }
                isReported = true
                sleep(1)
            }
        }
    }

    var name: String { settings.house.description }

    /// The newest entry that the daemon's own store has.
    var newestKept: Int { entryWriter.newest }

    /// Whether new connections wait for the newest entry.
    var isResponsive: Bool { log.isResponsive }

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
        guard !others.contains(where: log.table.isAlive) else {
            self.whenAlone = nil
            return
        }
        let now = loop.now()
        let since = aloneSince ?? now
        aloneSince = since
        guard now - since >= 2_000_000 else { return }  // fits: times of a clock
        self.whenAlone = nil
        let newest = max(lastTime, log.firstTime ?? lastTime)
        whenAlone(others.map(\.seen).reduce(newest, max))
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
