import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// The number of changes of each test.
let fuzzRounds = testSetting("BUSD_HOUSE_MUTATIONS") ?? 100

/// Things that a house has in Redis.
protocol FuzzedThings {
    static var kinds: [KindCheck] { get }

    init(_ libraries: Libraries)

    /// Each has one entry or more.
    func steps() throws -> [() -> Void]
}

/// Random changes of what stands in Redis. Each is refused, or leads to a state that a store and a
/// later start can read.
enum HouseFuzz<Things: FuzzedThings> {
    /// A changed entry is refused by all daemons alike, or applied.
    static func changeEntries() throws {
        var random = Mutations(seed: 1)
        let forms = try FuzzMember<Things>.forms()
        var stops = 0
        for round in 0..<fuzzRounds {
            let changed = random.number(0..<forms.count)
            let values = forms.enumerated().map { place, form in
                random.entry(place + 1, form, isChanged: place == changed)
            }
            let members = [FuzzMember<Things>(), FuzzMember<Things>()]
            for member in members {
                for value in values where member.log.stop == nil { member.take(value) }
            }
            let states = try members.map { try $0.states() }
            #expect(states[0] == states[1], "round \(round)")
            #expect(members[0].log.stop == members[1].log.stop)
            #expect(
                states[0].problem(asOf: members[0].libraries.applied, kinds: Things.kinds) == nil,
                "round \(round)")
            for entry in members[0].log.kept {
                let check = try #require(Things.kinds.first { $0.kind == entry.kind })
                #expect(throws: Never.self) { try check.check(entry) }
            }
            stops += members[0].log.stop == nil ? 0 : 1
        }
        #expect(stops > fuzzRounds / 10)
        #expect(stops < fuzzRounds)
    }

    /// Changed states are refused, or can be loaded and used.
    static func changeStates() throws {
        var random = Mutations(seed: 2)
        let origin = FuzzMember<Things>()
        for (place, form) in try FuzzMember<Things>.forms().enumerated() {
            origin.take(random.entry(place + 1, form, isChanged: false))
        }
        let covered = origin.libraries.applied
        let forms = try origin.states().map { try $0.sharedForm }
        var refused = 0
        for round in 0..<fuzzRounds {
            var forms = forms
            let place = random.number(0..<forms.count)
            forms[place] = random.change(forms[place])
            if random.once(in: 2) { forms[place] = random.change(forms[place]) }
            guard let states = try? forms.map({ try SavedState(sharedForm: $0) }),
                states.problem(asOf: covered, kinds: Things.kinds) == nil
            else {
                refused += 1
                continue
            }
            let member = FuzzMember<Things>(states, after: covered)
            #expect(member.findings == [], "round \(round)")
            for (place, form) in try FuzzMember<Things>.forms().enumerated() {
                member.take(random.entry(covered + place + 1, form, isChanged: false))
            }
            #expect(member.log.stop == nil)
            #expect(
                try member.states().problem(asOf: member.libraries.applied, kinds: Things.kinds)
                    == nil, "round \(round)")
        }
        #expect(refused > fuzzRounds / 10)
        #expect(refused < fuzzRounds)
    }
}

/// A daemon of a house, reduced to its things.
private final class FuzzMember<Things: FuzzedThings> {
    let log = FedLog()
    let libraries: Libraries
    private let things: Things
    let findings: [String]

    init(_ states: [SavedState] = [], after covered: Int = 0) {
        var content = LogContent()
        (content.states, content.covered, content.lastNumber) = (states, covered, covered)
        libraries = Libraries(log: log, clock: Timeline(), content: content)
        things = Things(libraries)
        findings = libraries.open()
    }

    deinit { libraries.close() }

    func take(_ value: RedisValue) {
        guard let entry = HouseEntry(value), entry.number == libraries.applied + 1 else {
            log.stop = "no entry"
            return
        }
        do {
            log.arrived.append(try entry.entry())
        } catch {
            log.stop = "\(error)"
            return
        }
        while libraries.applyNext() != nil {}
    }

    func states() throws -> [SavedState] {
        try libraries.allStates().map { try $0() }.sorted {
            ($0.kind, $0.id) < ($1.kind, $1.id)
        }
    }

    /// The entries of all steps, in the form of Redis.
    static func forms() throws -> [[UInt8]] {
        let member = FuzzMember()
        for step in try member.things.steps() {
            step()
            member.libraries.commit()
            while member.libraries.applyNext() != nil {}
        }
        return try member.log.appended.map { try $0.sharedForm }
    }
}

/// The log of a house. What is appended is in the log at once.
private final class FedLog: Log {
    var arrived: [LogEntry] = []
    var stop: String?
    private(set) var kept: [LogEntry] = []
    private(set) var appended: [LogEntry] = []
    private var placed = 0

    var isKept: Bool { true }
    var isAvailable: Bool { true }
    var isShared: Bool { true }
    var hasArrivals: Bool { !arrived.isEmpty }

    func append(_ entries: [LogEntry]) { appended += entries }

    func takeOutcome() -> LogOutcome? {
        if !arrived.isEmpty { return .arrived(arrived.removeFirst()) }
        guard placed < appended.count else { return nil }
        placed += 1
        return .placed(number: placed, time: Instant(microseconds: Int64(placed)))
    }

    func applied(_ entry: AppliedEntry) { kept.append(entry.entry) }
    func stop(at entry: LogEntry, _ reason: String) { stop = reason }
}
