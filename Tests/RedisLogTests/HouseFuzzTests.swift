import BusdAccounts
import BusdBooksEvents
import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

@testable import BusdBooks
@testable import BusdGames
@testable import BusdRedisLog

/// Random changes of what stands in Redis. Each is refused, or leads to a state that a store and a
/// later start can read. BUSD_HOUSE_MUTATIONS is the number of changes of each test.
@Suite struct HouseFuzzTests {
    private static let rounds = testSetting("BUSD_HOUSE_MUTATIONS") ?? 100
    private static let kinds = [KindCheck(Game.self), KindCheck(Book.self), KindCheck(User.self)]

    @Test func `A changed entry is refused by all daemons alike, or applied`() throws {
        var random = Mutations(seed: 1)
        let forms = try FuzzMember.forms()
        var stops = 0
        for round in 0..<Self.rounds {
            let changed = random.number(0..<forms.count)
            let values = forms.enumerated().map { place, form in
                random.entry(place + 1, form, isChanged: place == changed)
            }
            let members = [FuzzMember(), FuzzMember()]
            for member in members {
                for value in values where member.log.stop == nil { member.take(value) }
            }
            let states = try members.map { try $0.states() }
            #expect(states[0] == states[1], "round \(round)")
            #expect(members[0].log.stop == members[1].log.stop)
            #expect(
                states[0].problem(asOf: members[0].libraries.applied, kinds: Self.kinds) == nil,
                "round \(round)")
            for entry in members[0].log.kept {
                let check = try #require(Self.kinds.first { $0.kind == entry.kind })
                #expect(throws: Never.self) { try check.check(entry) }
            }
            stops += members[0].log.stop == nil ? 0 : 1
        }
        #expect(stops > Self.rounds / 10)
        #expect(stops < Self.rounds)
    }

    @Test func `Changed states are refused, or can be loaded and used`() throws {
        var random = Mutations(seed: 2)
        let origin = FuzzMember()
        for (place, form) in try FuzzMember.forms().enumerated() {
            origin.take(random.entry(place + 1, form, isChanged: false))
        }
        let covered = origin.libraries.applied
        let forms = try origin.states().map { try $0.sharedForm }
        var refused = 0
        for round in 0..<Self.rounds {
            var forms = forms
            let place = random.number(0..<forms.count)
            forms[place] = random.change(forms[place])
            if random.once(in: 2) { forms[place] = random.change(forms[place]) }
            guard let states = try? forms.map({ try SavedState(sharedForm: $0) }),
                states.problem(asOf: covered, kinds: Self.kinds) == nil
            else {
                refused += 1
                continue
            }
            let member = FuzzMember(states, after: covered)
            #expect(member.findings == [], "round \(round)")
            for (place, form) in try FuzzMember.forms().enumerated() {
                member.take(random.entry(covered + place + 1, form, isChanged: false))
            }
            #expect(member.log.stop == nil)
            #expect(
                try member.states().problem(asOf: member.libraries.applied, kinds: Self.kinds)
                    == nil, "round \(round)")
        }
        #expect(refused > Self.rounds / 10)
        #expect(refused < Self.rounds)
    }

    @Test func `Changed heads and heartbeats are left out, or have possible numbers`() throws {
        var random = Mutations(seed: 3)
        let house = try #require(HouseName("league"))
        let start = HouseStart(
            house, at: RedisAccess(.unix(path: "/")), identity: "", member: "m", version: "1")
        let row = #"1700000000000000 {"name":"m","version":"1","position":7,"since":1600000000}"#
        let head = ["0abc", "17", "1700000000000000", "00ff", "busd:x:states:9:0", "9", "00fe"]
        var (rows, views) = (0, 0)
        for _ in 0..<Self.rounds {
            let table = HouseTable(start, "self")
            let changed = random.change(Array(row.utf8))
            table.note(
                rows: .list([.text(Array("0a".utf8)), .text(changed)]), time: 1_700_000_000_000_000,
                took: 5, at: 5, newest: 7)
            let time = RedisValue.text(random.change(Array("1700000000000000".utf8))).instant
            if let time {
                table.note(
                    rows: .null, time: time.microseconds, took: 5, at: 5_000_000, newest: 7)
            }
            _ = table.expectedTime(at: 5_000_000)
            for row in table.rows {
                #expect(LogEntry.numbers.contains(row.position))
                #expect(table.millisecondsSince(row) >= 0)
                #expect(row.since.microseconds >= 0)
                _ = table.isAlive(row)
            }
            rows += table.rows.count

            var values = head.map { RedisValue.text(Array($0.utf8)) }
            let place = random.number(0..<values.count)
            values[place] = .text(random.change(values[place].bytes ?? []))
            let entry = random.entry(17, Array("{}\n".utf8), isChanged: random.once(in: 2))
            let oldest = RedisValue.text(random.change(Array("9-0".utf8)))
            let length = RedisValue.text(random.change(Array("9".utf8)))
            guard let view = HouseView(.list([.list(values), entry, oldest, length, .number(1)]))
            else {
                continue
            }
            views += 1
            #expect(LogEntry.numbers.contains(view.newest))
            #expect(view.states.map { 0...view.newest ~= $0.entry } ?? true)
            #expect(view.beginning.map { 0...view.newest ~= $0.entry } ?? true)
            _ = HouseNextStep(
                view, identity: "0abc", position: 17, newest: nil, chain: nil)
        }
        for count in [rows, views] {
            #expect(count > 0)
            #expect(count < Self.rounds)
        }
    }
}

/// A daemon of a house, reduced to its things.
private final class FuzzMember {
    let log = FedLog()
    let libraries: Libraries
    private let games: Library<Game>
    private let books: Library<Book>
    private let users: Library<User>
    let findings: [String]

    init(_ states: [SavedState] = [], after covered: Int = 0) {
        var content = LogContent()
        (content.states, content.covered, content.lastNumber) = (states, covered, covered)
        libraries = Libraries(log: log, clock: Timeline(), content: content)
        games = Library(libraries)
        books = Library(libraries)
        users = Library(libraries)
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

    /// The entries of a game, a book and a user, in the form of Redis.
    static func forms() throws -> [[UInt8]] {
        let member = FuzzMember()
        let names = try ["A", "a", "b", "c", "B", "d", "e", "f"].map { try Name($0) }
        let home = try #require(Team(name: names[0], players: Array(names[1...3])))
        let away = try #require(Team(name: names[4], players: Array(names[5...7])))
        let game = try #require(GameID(1))
        let book = try #require(BookID(1))
        let player = PlayerID.all[0]
        let date = UTCTime(seconds: 1_790_000_000)
        let cards = [Card(front: "水", back: "water"), Card(front: "火", back: "fire")]
        let steps: [() -> Void] = [
            { member.games.create(GameSeed(Teams(home: home, away: away), created: date)) },
            { member.games.create(GameSeed(Teams(home: away, away: home), created: date)) },
            { member.games.propose(.resume, to: game) },
            { member.games.propose(.move(Move(.twoPoint, by: player)), to: game) },
            { member.games.propose(.move(Move(.foul, by: player)), to: game) },
            { member.games.propose(.takeBack(seen: nil), to: game) },
            { member.games.propose(.halt(Instant(microseconds: 4_000_000), at: date), to: game) },
            { member.games.propose(.togglePause, to: game) },
            { member.games.move(game, to: 1) },
            { member.books.create(BookSeed(name: names[0], cards: cards)) },
            { member.books.propose(.answer(isKnown: true), to: book) },
            { member.books.propose(.add(cards), to: book) },
            { member.books.propose(.ask(3), to: book) },
            { member.users.propose(.setHash("$argon2id$1"), to: "ann") },
            { if let id = GameID(2) { member.games.delete(id) } },
        ]
        for step in steps {
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
