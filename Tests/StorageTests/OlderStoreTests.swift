import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct OlderStoreTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        FaultyFiles.install
    }

    /// The libraries of games, books and users, without a daemon.
    private final class Content {
        let store: Store
        let libraries: Libraries
        let games: Library<Game>
        let books: Library<Book>
        let users: Library<User>
        let findings: [String]

        init(_ folder: Folder) throws {
            store = try Store(folder: folder.path, durability: .full) {}
            libraries = Libraries(log: store.log, clock: Timeline(), content: store.content)
            (games, books, users) = (
                Library(libraries), Library(libraries), Library(libraries)
            )
            findings = store.findings + libraries.open()
        }

        deinit { libraries.close() }

        func game(_ number: Int) -> Game? { GameID(number).flatMap { games[$0] } }
        func book(_ number: Int) -> Book? { BookID(number).flatMap { books[$0] } }
    }

    private func expectAll(_ content: Content, version: Int = 4) throws {
        #expect(content.games.ids.map(\.number) == [2, 5])
        let game = try #require(content.game(5))
        #expect(game.home.name.text == "Hawks" && game.away.players.map(\.text).last == "Flo")
        #expect(game.list.plays.count == 258 && game.isPaused)
        #expect(game.list.plays.first?.move == Move(.foul, by: PlayerID.all[2]))
        #expect(game.list.plays.last?.move == Move(.assist, by: PlayerID.all[1]))
        #expect(game.stopwatch.measured == 5_000_000)
        #expect(content.games.subject.knows(try key("made", "games")))
        let player = try key("moved", "scoreboard/5/home/1")
        #expect(content.games.subject(try gameID(5)).knows(player))
        #expect(content.store.content.states.allSatisfy { $0.lastEntry == 0 })
        guard version >= 2 else { return }
        #expect(content.books.ids.map(\.number) == [3, 1])
        let book = try #require(content.book(1))
        #expect(book.name.text == "Book 1" && book.cards.map(\.front).last == "front 2")
        #expect(book.isKnown == [true, false, true] && book.current == 1)
        #expect(content.users.ids.map(\.text) == ["ann", "bo"])
        #expect(content.users.hash(of: "bo") == "hash of bo")
        guard version >= 3 else { return }
        let recent = try key("recent", "scoreboard/5")
        #expect(content.games.subject(try gameID(5)).knows(recent))
    }

    @Test(arguments: 1...4)
    func `a store of an older version is read once, converted, and kept`(version: Int) throws {
        _ = try OlderFixture(in: folder, version: version)
        let first = try Content(folder)
        try expectAll(first, version: version)
        let kept = "\(folder("store.sqlite")).v\(version)"
        #expect(first.findings == ["\(folder("store.sqlite")) was read, and is kept as \(kept)"])
        first.store.close()
        let again = try Content(folder)
        try expectAll(again, version: version)
        #expect(again.findings == [])
        again.store.close()
        let found = try Store.check(folder: folder.path)
        #expect(found == [])
        #expect(!folder.names.contains("store.sqlite"))
    }

    @Test func `a converted store continues its ids, and is copied at once`() throws {
        _ = try OlderFixture(in: folder)
        let content = try Content(folder)
        let teams = try #require(content.game(2))
        content.games.create(GameSeed(Teams(home: teams.home, away: teams.away)))
        content.libraries.commit()
        try eventually("the new game") { content.libraries.applyNext() != nil }
        #expect(content.games.ids.last?.number == 9)
        try eventually("a copy", { folder.names }) { $0.contains("copy-1.sqlite") }
        content.store.close()
        #expect(try Content(folder).games.ids.map(\.number) == [2, 5, 9])
    }

    @Test func `an older store is read after a kill at any write of its migration`() throws {
        _ = try OlderFixture(in: folder)
        let original = try bytes(of: folder("store.sqlite"))
        let wal = try bytes(of: folder("store.sqlite-wal"))
        let snapshots = WriteSnapshots(folder)
        try Content(folder).store.close()
        folder.endFaults()
        #expect(snapshots.all.count > 5)
        for snapshot in snapshots.all {
            let copy = try snapshot.folder()
            try write(original, to: copy("store.sqlite"))
            try write(wal, to: copy("store.sqlite-wal"))
            try expectAll(try Content(copy))
        }
    }

    @Test func `an older store that cannot be migrated yet is read-only`() throws {
        _ = try OlderFixture(in: folder)
        mkdir(folder("log.sqlite.new"), 0o700)
        let content = try Content(folder)
        try expectAll(content)
        #expect(content.findings.count == 1 && !content.store.log.isAvailable)
        #expect(!folder.names.contains("log.sqlite"))
        rmdir(folder("log.sqlite.new"))
        try eventually("a log") { content.store.log.isAvailable }
        content.users.propose(.setHash("new"), to: "cy")
        content.libraries.commit()
        try eventually("the new hash") { content.libraries.applyNext() != nil }
        #expect(content.store.takeReports().count == 1)
        content.store.close()
        let again = try Content(folder)
        try expectAll(again, version: 1)
        #expect(again.users.hash(of: "cy") == "new" && again.users.count == 3)
    }

    @Test func `damaged rows of an older store are lost and reported`() throws {
        do { _ = try OlderFixture(in: folder) }
        try folder.sql(
            "store.sqlite",
            """
            UPDATE games SET latest = x'00' WHERE id = 2;
            UPDATE cards SET front = 'x' WHERE book = 1 AND place = 0;
            UPDATE users SET hash = 'x' WHERE name = 'bo';
            """)
        let found = try Store.check(folder: folder.path)
        #expect(
            found == [
                "damaged rows of games: 1", "damaged rows of cards: 1",
                "book Book 1 lacks 1 cards", "damaged rows of users: 1",
            ])
        let content = try Content(folder)
        #expect(content.games.ids.map(\.number) == [5])
        #expect(content.book(1)?.cards.count == 2)
        #expect(content.users.ids.map(\.text) == ["ann"])
        #expect(Array(content.findings.prefix(4)) == found)
    }

    @Test func `an older store opens with any one byte damaged`() throws {
        do { _ = try OlderFixture(in: folder) }
        try folder.sql("store.sqlite", "SELECT 1")
        let whole = try bytes(of: folder("store.sqlite"))
        for place in stride(from: 0, to: whole.count, by: 97) where whole[place] != 0 {
            let folder = try Folder()
            var bytes = whole
            bytes[place] ^= 0x41
            try write(bytes, to: folder("store.sqlite"))
            do {
                let content = try Content(folder)
                for id in content.games.ids { #expect([2, 5].contains(id.number)) }
                let isReported = content.findings.contains { !$0.contains("was read") }
                #expect(content.games.count == 2 || isReported)
                content.store.close()
            } catch let error as StoreError {
                guard case .tooNew = error else { throw error }
            }
        }
    }

    @Test func `a store of a newer version is refused and not changed`() throws {
        do { _ = try OlderFixture(in: folder) }
        try folder.sql("store.sqlite", "PRAGMA user_version = 7")
        let before = try bytes(of: folder("store.sqlite"))
        #expect(
            throws: StoreError.tooNew(path: folder("store.sqlite"), version: 7, known: 6)
        ) { try Content(folder) }
        #expect(try bytes(of: folder("store.sqlite")) == before)
    }
}

private func gameID(_ number: Int) throws -> GameID { try #require(GameID(number)) }

private func key(_ key: String, _ address: String) throws -> SendKey {
    SendKey(key, at: try #require(Address(address)))
}
