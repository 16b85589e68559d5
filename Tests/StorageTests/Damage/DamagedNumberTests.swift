import BusdProtocol
import TestSupport
import Testing

@testable import BusdGames
@testable import BusdStorage

/// Numbers of rows that a flipped bit, or a page in the wrong place, has changed.
@Suite struct DamagedNumberTests {
    private let folder: Folder

    init() throws { folder = try DamageFixture.made.get().folder() }

    private static let numbers = [
        Int.max, 1 << 60, 1 << 53, 1 << 40, 1 << 21, 100, 25, 0, -1, .min,
    ]

    /// Expects that new changes survive a restart.
    private func expectService(_ daemon: StoreFixture) throws {
        #expect(try daemon.add(7, to: 2) == .applied)
        #expect(try daemon.create("new") == .applied)
        let all = daemon.all
        daemon.close()
        let again = try StoreFixture(folder)
        #expect(again.all == all)
        #expect(again.store.content.lastNumber < 1 << 22)
    }

    @Test(arguments: numbers, [3, 20, 24])
    func `An entry with a damaged number is reported, and later entries are kept`(
        number: Int, entry: Int
    ) throws {
        try folder.sql("log.sqlite", "UPDATE log SET n = \(number) WHERE n = \(entry)")
        #expect(try !Store.check(folder: folder.path).isEmpty)
        let daemon = try StoreFixture(folder)
        let first = entry == 20 ? "1 one [1, 2, 3, 4, 5]" : DamageFixture.all[0]
        #expect(daemon.all == [first] + DamageFixture.all.dropFirst())
        #expect(daemon.secretTexts == [entry == 24 ? "me hush" : "me quiet"])
        // The states cover the entries up to 18.
        let isReported = daemon.findings.contains { $0.utf8.starts(with: "lost entries: ".utf8) }
        #expect(isReported || entry == 3)
        try expectService(daemon)
    }

    @Test(arguments: numbers, ["id = '' AND kind = 'tally'", "id = '1'", "id = 'me'"])
    func `A state with a damaged number loses nothing`(number: Int, place: String) throws {
        try folder.sql("state.sqlite", "UPDATE state SET place = \(number) WHERE \(place)")
        let daemon = try StoreFixture(folder)
        #expect(daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"])
        try expectService(daemon)
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A store in which a page was written twice opens, and reports any loss`(
        name: String
    ) throws {
        let whole = try bytes(of: folder(name))
        let pages = whole.count / 4096
        for (from, to) in (0..<pages).flatMap({ from in (0..<pages).map { (from, $0) } })
        where from != to {
            let folder = try DamageFixture.made.get().folder()
            let damage = Damage(file: name, change: .pageTwice(from, at: to))
            try write(damage.applied(to: whole) ?? [], to: folder(name))
            let daemon = try StoreFixture(folder)
            let isWhole =
                daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"]
            #expect(isWhole || !daemon.findings.isEmpty, "\(damage): \(daemon.all)")
        }
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A store with a damaged block opens, and reports any loss`(name: String) throws {
        let whole = try bytes(of: folder(name))
        for start in stride(from: 0, to: whole.count, by: 512) {
            let folder = try DamageFixture.made.get().folder()
            let damage = Damage(file: name, change: .block(0xff, at: start))
            try write(damage.applied(to: whole) ?? [], to: folder(name))
            let daemon = try #require(try? StoreFixture(folder), "\(damage)")
            let isWhole =
                daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"]
            #expect(isWhole || !daemon.findings.isEmpty, "\(damage): \(daemon.all)")
        }
    }

    private static let times: [Int64] = [.max, 1 << 61, -1]

    @Test(arguments: times)
    func `A time that no clock can have is damage`(time: Int64) throws {
        let note = Note(time: Instant(microseconds: time), number: 24, covered: 18)
        do { try Database(path: folder.states).put(note) }
        #expect(try Store.check(folder: folder.path) != [])
        let daemon = try StoreFixture(folder)
        #expect(Instant.stored.contains(daemon.store.content.lastTime.microseconds))
        #expect(daemon.all == DamageFixture.all)
        #expect(daemon.findings != [])
    }

    @Test(arguments: times)
    func `An entry with a time that no clock can have is damage`(time: Int64) throws {
        do {
            let log = try Database(path: folder.log)
            var entry = try #require(try log.entry(24))
            entry.time = Instant(microseconds: time)
            try log.replace(entry)
        }
        #expect(try Store.check(folder: folder.path).contains("damaged entries: 24"))
        #expect(try StoreFixture(folder).findings != [])
    }

    private static let daemon = StoreDaemon(
        "busd", [KindCheck(Tally.self), KindCheck(Secret.self)])

    @Test(arguments: [true, false])
    func `A state that its kind cannot read is damage`(isSummary: Bool) throws {
        let key = ThingKey("tally", "2")
        do {
            let states = try Database(path: folder.states)
            var state = try #require(try StateTables(of: states).states[key])
            let bytes = Array(#"{"name":1}"#.utf8)
            if isSummary { state.summary = bytes } else { state.body = bytes }
            try states.put(state)
        }
        #expect(try Store.check(folder: folder.path) == [])
        let found = try Store.check(folder: folder.path, of: Self.daemon)
        #expect(found.contains { $0.contains(isSummary ? "is damaged" : "tally 2") })
        let plain = try Store(folder: folder.path, durability: .full, of: Self.daemon) {}
        // A start reads only the summaries.
        #expect(plain.content.areStatesLost == isSummary)
        plain.close()
        guard !isSummary else { return }
        // In a house it reads all, because the house has it undamaged.
        let mark = folder("mark")
        let store = try Store(
            folder: folder.path, durability: .full, of: Self.daemon,
            whenDamaged: { () throws(StoreError) in try File.makeNew(mark) }
        ) {}
        defer { store.close() }
        #expect(store.content.areStatesLost && File.exists(mark))
        #expect(store.findings.contains { $0.contains("state.sqlite is damaged") })
    }

    @Test(arguments: [0, 1 << 40, 1 << 41, -1])
    func `A count that a sum could overflow is not read`(count: Int) {
        let game = #"["A","B",1,0,"paused",\#(count),20,1]"#
        let isCount = 0...(1 << 40) ~= count
        #expect(
            (try? sharedValue(GameSummary.self, from: Array(game.utf8)))?.moves
                == (isCount ? count : nil))
    }

    @Test func `Of two states of a thing the newer is used`() throws {
        let connection = try Database(path: folder.states)
        try connection.execute("DROP INDEX state_of")
        for lastEntry in [103, 105, 104] {
            try connection.put(SavedState(kind: "tally", id: "2", lastEntry: lastEntry))
        }
        let tables = try StateTables(of: connection)
        #expect(tables.damage != nil)
        #expect(tables.states[ThingKey("tally", "2")]?.lastEntry == 105)
    }
}
