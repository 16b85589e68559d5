import BusdEventLoop
import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// A thing for tests: texts in the order in which they were added.
struct Roll: Thing {
    struct Seed: Codable, Sendable { var name: String }
    struct Summary: Codable, Equatable, Sendable { var name: String, count: Int }
    enum Action: Codable, Sendable { case add(String) }

    static let kind = "roll"
    let name: String
    private(set) var texts: [String] = []

    init(_ seed: Seed) { name = seed.name }

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        guard case .add(let text) = action, !text.isEmpty else { return false }
        texts.append(text)
        return true
    }

    var summary: Summary { Summary(name: name, count: texts.count) }
}

/// A daemon of a house, reduced to what its log needs.
final class MemberFixture {
    let log: RedisLog
    let libraries: Libraries
    let rolls: Library<Roll>
    private(set) var outcomes: [SendOutcome] = []
    /// The callbacks, by the number of the proposal.
    private var awaited: [Int: (SendOutcome) -> Void] = [:]
    private(set) var reports: [String] = []
    private(set) var reloads: [String] = []
    /// The entries that its own store would have.
    private(set) var kept: [LogEntry] = []
    let loop: Loop

    private let publisher: StatePublisher

    /// - Parameters:
    ///   - kept: the entries of the daemon's own store.
    ///   - states: the loaded states, and the number of the last entry that they have.
    ///   - triedStates: the states of the house that the daemon has loaded.
    init(
        _ name: String, of house: HouseName, at address: RedisAddress, identity: String,
        _ loop: Loop, keeping kept: [LogEntry] = [], states: ([SavedState], after: Int) = ([], 0),
        triedStates: String? = nil, longestWait: Int64, publishesAfter most: Int
    ) {
        self.loop = loop
        self.kept = kept
        var content = LogContent()
        content.entries = kept
        content.states = states.0
        content.lastNumber = kept.last?.number ?? states.after
        var start = HouseStart(
            house, at: RedisAccess(address), identity: identity, member: name, version: "1")
        (start.triedStates, start.longestWait) = (triedStates, longestWait)
        log = RedisLog(start, newest: kept.last, position: content.lastNumber, loop)
        libraries = Libraries(log: log, clock: Timeline(), content: content)
        rolls = Library(libraries)
        publisher = StatePublisher(log, libraries, loop, most: most)
        _ = libraries.open()
        log.keep = { [weak self] in self?.kept.append($0) }
        log.report = { [weak self] in self?.reports.append($0) }
        log.reload = { [weak self] in self?.reloads.append($0) }
    }

    deinit {
        log.close()
        libraries.close()
    }

    /// What a daemon does in a turn, after the loop has turned.
    func attend() {
        log.attend()
        while let (number, outcome) = libraries.applyNext() {
            guard number > 0 else { continue }
            outcomes.append(outcome)
            awaited.removeValue(forKey: number)?(outcome)
        }
        libraries.commit()
        publisher.attend()
    }

    func takeOutcomes() -> [SendOutcome] {
        defer { outcomes = [] }
        return outcomes
    }

    /// Adds a text, and calls back with the outcome.
    func add(_ text: String, key: String, then: @escaping (SendOutcome) -> Void) {
        guard let id = Roll.ID(1) else { return }
        send(key, then) { rolls.propose(.add(text), to: id) }
    }

    func create(_ name: String, key: String? = nil) {
        send(key) { rolls.create(Roll.Seed(name: name)) }
    }

    func add(_ text: String, to roll: Int = 1, key: String? = nil) {
        guard let id = Roll.ID(roll) else { return }
        send(key) { rolls.propose(.add(text), to: id) }
    }

    private func send(
        _ key: String?, _ then: ((SendOutcome) -> Void)? = nil, _ propose: () -> Void
    ) {
        let send = SendContext()
        send.subject = rolls.subject
        send.key = key.map { SendKey($0, at: .literal("rolls")) }
        libraries.begin(send)
        propose()
        switch libraries.end() {
        case .nothing: break
        case .pending(let number, _): awaited[number] = then
        case .settled(let outcome):
            outcomes.append(outcome)
            then?(outcome)
        }
    }

    /// The id, the name and the texts of each roll.
    var all: [String] {
        rolls.ids.map { "\($0.text) \(rolls[$0]?.name ?? "?") \(rolls[$0]?.texts ?? [])" }
    }
}

/// A Redis, and daemons that follow one house in it.
final class HouseFixture {
    let server: RedisFixture
    let loop: Loop
    let house: HouseName
    let identity: String
    private(set) var members: [MemberFixture] = []
    private let timer: LoopTimer

    private let longestWait: Int64
    private let publishesAfter: Int

    /// - Parameters:
    ///   - isHasty: true: an entry is given up after a second, as in a daemon. A busy machine may
    ///     need longer to answer.
    ///   - publishesAfter: so many entries are published as states. Then the log may be cut behind
    ///     a daemon that was not heard for a while.
    init(members count: Int, isHasty: Bool = false, publishesAfter: Int = 500) throws {
        self.publishesAfter = publishesAfter
        longestWait = isHasty ? 1_000_000 : 60_000_000
        server = try RedisFixture()
        loop = try Loop()
        house = try #require(HouseName("league"))
        let client = try HouseClient(house, at: server.access)
        identity = try client.found([], number: 0, time: Instant(microseconds: 1))
        timer = LoopTimer(loop: loop) {}
        for number in 0..<count { members.append(member("m\(number)")) }
        try turn { members.allSatisfy(\.log.isAvailable) }
    }

    func member(
        _ name: String, keeping kept: [LogEntry] = [],
        states: ([SavedState], after: Int) = ([], 0), triedStates: String? = nil
    ) -> MemberFixture {
        MemberFixture(
            name, of: house, at: server.address, identity: identity, loop, keeping: kept,
            states: states, triedStates: triedStates, longestWait: longestWait,
            publishesAfter: publishesAfter)
    }

    /// Kills a daemon, and starts it again without the last `lost` entries of its own store.
    func restartMember(_ place: Int, losing lost: Int) {
        let kept = members[place].kept.dropLast(lost)
        members[place] = member("m\(place)", keeping: Array(kept))
    }

    /// Turns until the condition holds; two minutes at most.
    func turn(
        _ others: [MemberFixture] = [], without asleep: MemberFixture? = nil,
        until isDone: () -> Bool
    ) throws {
        let end = loop.now() + 120_000_000
        while !isDone() {
            try #require(
                loop.now() < end,
                "\((members + others).map { ($0.libraries.applied, $0.log.problem, $0.reports) })")
            if !timer.isArmed { timer.arm(afterMicroseconds: 10_000) }
            loop.turn(block: true)
            for member in members + others where member !== asleep { member.attend() }
        }
    }

    /// Turns until all daemons have applied the same entries, and nothing is pending.
    func settle(_ others: [MemberFixture] = []) throws {
        try turn(others) {
            let all = members + others
            return all.allSatisfy { !$0.libraries.hasPending }
                && Set(all.map(\.libraries.applied)).count == 1
                && newest == all[0].libraries.applied
        }
    }

    /// How often daemons have looked at the house.
    var looks: Int {
        get throws {
            let counts = try #require(try server.run("INFO", "commandstats").string)
            let found = try #require(counts.firstMatch(of: /cmdstat_fcall_ro:calls=(\d+)/))
            return try #require(Int(found.1))
        }
    }

    var newest: Int { (try? server.run("HGET", house.head, "n").number) ?? -1 }
}
