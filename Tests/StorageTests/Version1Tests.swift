import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// A file that a daemon of version 1 has left, to the value.
private enum Version1 {
    static func write(to folder: Folder) throws {
        try BusdStorage.File.make(folder.database)
        let connection = try Connection(path: folder.database)
        try connection.useLog(.full)
        try connection.execute(Schema.steps[0])
        try connection.execute("PRAGMA user_version = 1")
        try connection.execute(rows)
        try connection.checkpoint()
        try connection.removeLogOnClose()
    }

    private static let rows = """
        INSERT INTO library VALUES (1, 4, 3232700585171816769);
        INSERT INTO games VALUES (
            1, replace('Hawks|Ann|Bo|Cy|Jets|Di|Ed|Flo', '|', char(10)), 302089, 0,
            X'0101012c', -425033032254933055);
        INSERT INTO games VALUES (
            2, replace('Zoë’s|水|O''Neil|Cy|Jets|Di|Ed|Flo', '|', char(10)), 0, 1,
            X'0b0c0a0b', -7308660323886301221);
        INSERT INTO moves VALUES (
            2, 0, X'\(String(repeating: "0a0b0c", count: 85))0a', 1113697729822066417);
        INSERT INTO keys VALUES ('games', 1, 'first', 1, 2, 8687630743900433088);
        INSERT INTO keys VALUES ('scoreboard/1', 1, 'p', 1, 1, 368430161813510009);
        INSERT INTO keys VALUES ('scoreboard/1/away/3', 1, 'k9', 1, 1, 7504828490326006866);
        INSERT INTO keys VALUES ('scoreboard/1/home/1', 1, 'k0', 1, 1, 9118187492832512062);
        INSERT INTO keys VALUES ('scoreboard/1/home/1', 2, 'k1', 2, 2, 6001078926349061602);
        INSERT INTO keys VALUES ('scoreboard/1/home/1', 3, 'k2', 3, 3, -4878355276058662574);
        """
}

@Suite struct `A store of version 1` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try Version1.write(to: folder)
    }

    @Test func `is served with everything in it, and takes books`() throws {
        let before = try bytes(of: folder.database)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        try expectGames(keeper)
        #expect(keeper.books.summaries == [])
        #expect(keeper.store.users.names == [])
        try keeper.books.newBook("Kanji")
        try keeper.keep()
        keeper.store.close()
        #expect(
            folder.names == [
                "store.ids", "store.lock", "store.sqlite", "store.sqlite.version-1",
            ])
        let again = try Keeper(folder)
        try expectGames(again)
        #expect(again.books.summaries.map(\.name.text) == ["Kanji"])

        // The copy is what was there, and can be gone back to.
        let copy = try Folder()
        try write(try bytes(of: folder("store.sqlite.version-1")), to: copy.database)
        #expect(try connection(copy).integer("PRAGMA user_version") == 1)
        #expect(try bytes(of: copy.database).count == before.count)
        try expectGames(try Keeper(copy))
    }

    @Test func `can be checked and copied before it is brought to this version`() throws {
        #expect(try Store.check(folder: folder.path) == [])
        let copy = try Folder()
        try Store.backup(folder: folder.path, to: copy.database)
        #expect(try connection(copy).integer("PRAGMA user_version") == 1)
        #expect(try Store.check(copy: copy.database) == [])
        #expect(copy.names == ["store.sqlite"])
        try expectGames(try Keeper(copy))
    }

    @Test func `is copied with what is damaged of it, which is said of the copy`() throws {
        for change in [
            "UPDATE games SET elapsed = 5 WHERE id = 1",
            "UPDATE keys SET first = 9 WHERE address = 'games'",
        ] { try connection(folder).execute(change) }
        let findings = [
            "game 1, Hawks and Jets, is left out: its seal is broken",
            "not there, deleted earlier or lost: games 3",
            "1 keys of earlier sends are left out: a broken seal",
        ]
        let checked = try Store.check(folder: folder.path)
        #expect(checked == findings)
        let copy = try Folder()
        try Store.backup(folder: folder.path, to: copy.database)
        let checkedCopy = try Store.check(copy: copy.database)
        #expect(checkedCopy == findings)
        #expect(copy.names == ["store.sqlite"])
    }

    @Test func `that is put back beside the log of a newer one is checked, too`() throws {
        let copy = try Folder()
        try Store.backup(folder: folder.path, to: copy.database)
        try write(try Exhibit.made.get().log, to: copy.log)
        let findings = try Store.check(folder: copy.path)
        #expect(findings.count == 1)
        #expect(findings.first?.contains("beside the log of another file") == true)
        #expect(copy.names == ["store.lock", "store.sqlite", "store.sqlite-wal"])
        let keeper = try Keeper(copy)
        #expect(keeper.store.findings.count == 1)
        try expectGames(keeper)
    }

    @Test func `that is damaged is not said to have lost books`() throws {
        var all = try bytes(of: folder.database)
        // The page of the long game's moves.
        let page = try connection(folder).integer(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'moves'")
        for place in (page - 1) * 4096..<page * 4096 { all[place] = 0 }
        try write(all, to: folder.database)
        let keeper = try Keeper(folder)
        #expect(keeper.games.summaries.map(\.id) == [.first])
        #expect(
            keeper.store.findings.dropFirst() == [
                "game 2, Zoë’s and Jets, is left out: some of its moves are missing"
            ])
        #expect(try keeper.books.newBook("Kanji") == .first)
        try keeper.keep()
        #expect(try Keeper.check(folder, after: keeper) == [])
    }

    private func expectGames(_ keeper: Keeper) throws {
        #expect(keeper.games.summaries.map(\.home.text) == ["Zoë’s", "Hawks"])
        let (hawks, zoes) = (keeper.games.game(.first), keeper.games.game(try id(2)))
        #expect(hawks?.score == Score(home: 6))
        #expect(hawks?.stopwatch.elapsed(at: .start) == .microseconds(302_089))
        #expect(zoes?.moves.count == 260)
        #expect(
            try keeper.keys(of: address("scoreboard/1/home/1")).map(\.key) == [
                "k0", "k1", "k2",
            ])
        #expect(try keeper.keys(of: address("games")).map(\.answer) == [1...2])
    }

    private func connection(_ folder: Folder) throws -> Connection {
        try Connection(path: folder.database)
    }
}
