import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `A backup` {
    private let folder: Folder
    private let other: Folder

    init() throws {
        folder = try Folder()
        other = try Folder()
    }

    @Test func `is a store with all that was committed before it, for its owner alone`() throws {
        let keeper = try fullKeeper()
        try keeper.backup(to: other.database).get()
        #expect(mode(of: other.database) == 0o600)
        #expect(other.names == ["store.sqlite"])
        let copy = try Keeper(other)
        #expect(copy.store.findings == [])
        #expect(copy.games.summaries == keeper.games.summaries)
        #expect(copy.games.game(.first) == keeper.games.game(.first))
        #expect(try copy.keys(of: address("games")).map(\.key) == ["a"])
        #expect(try copy.games.newGame() == keeper.games.newGame())
        #expect(copy.books.summaries == keeper.books.summaries)
        #expect(copy.books.book(.first) == keeper.books.book(.first))
        #expect(copy.store.users.names == ["ann"])
    }

    @Test func `waits its turn, and lets others have theirs`() throws {
        let keeper = try fullKeeper()
        let id = try keeper.games.newGame()
        keeper.store.commit()
        keeper.store.backup(to: other.database)
        #expect(try keeper.outcome().isSuccess)
        keeper.games.play(.foul, in: id)
        keeper.store.commit()
        #expect(try keeper.outcome().isSuccess)
        // It was made before the move that came after it.
        #expect(keeper.store.takeBackupOutcome()?.isSuccess == true)
        #expect(keeper.store.takeBackupOutcome() == nil)
        #expect(try Keeper(other).games.game(id)?.moves == [])
    }

    @Test func `takes the place of the one before`() throws {
        let keeper = try fullKeeper()
        try keeper.backup(to: other.database).get()
        _ = try keeper.games.newGame()
        try keeper.keep()
        try keeper.backup(to: other.database).get()
        #expect(try Keeper(other).games.summaries == keeper.games.summaries)
    }

    @Test func `that can't be made says why, and is no obstacle`() throws {
        let keeper = try fullKeeper()
        let path = other("none/copy.sqlite")
        let outcome = try keeper.backup(to: path)
        guard case .failure(let error) = outcome else {
            Issue.record("it was made")
            return
        }
        #expect(error.description == "\(path).partial: open: No such file or directory")
        #expect(other.names == [])
        _ = try keeper.games.newGame()
        try keeper.keep()
        try keeper.backup(to: other.database).get()
    }

    @Test func `leaves the one before where it is, when there is no place for it`() throws {
        let keeper = try fullKeeper()
        mkdir(other("taken"), 0o700)
        try write([1], to: other("taken/inside"))
        #expect(try !keeper.backup(to: other("taken")).isSuccess)
        #expect(other.names == ["taken"])
        unlink(other("taken/inside"))
        rmdir(other("taken"))
    }

    @Test func `can be made of a store at rest, which stays as it is`() throws {
        let keeper = try fullKeeper()
        let summaries = keeper.games.summaries
        keeper.store.close()
        let before = try bytes(of: folder.database)
        try Store.backup(folder: folder.path, to: other.database)
        #expect(try bytes(of: folder.database) == before)
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
        #expect(try Keeper(other).games.summaries == summaries)
    }

    @Test func `is made of a store that a crash has left, too`() throws {
        let keeper = try fullKeeper()
        let crashed = try Folder()
        for name in folder.names { try write(try bytes(of: folder(name)), to: crashed(name)) }
        let before = try [crashed.database, crashed.log].map(bytes)
        try Store.backup(folder: crashed.path, to: other.database)
        #expect(try [crashed.database, crashed.log].map(bytes) == before)
        #expect(try Keeper(other).games.summaries == keeper.games.summaries)
    }

    @Test func `is not made where there is no store`() throws {
        let error = StoreError.unsuitable(path: folder.database, reason: "is not there")
        #expect(throws: error) { try Store.backup(folder: folder.path, to: other.database) }
        #expect(throws: error) { try Store.check(folder: folder.path) }
        #expect(folder.names == [])
    }

    @Test func `is not made beside a daemon`() throws {
        let keeper = try fullKeeper()
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try Store.backup(folder: folder.path, to: other.database)
        }
        try keeper.keep()
    }

    private func fullKeeper() throws -> Keeper {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        for _ in 1...300 { keeper.games.play(.assist, in: id) }
        _ = try keeper.games.newGame()
        keeper.games.delete(try keeper.games.newGame())
        keeper.store.remember(key: "a", of: try address("games"), answer: 1...2)
        try keeper.books.newBook("Kanji", cards: 500)
        keeper.books.answer(isKnown: true, in: .first)
        keeper.store.users.put("hash", for: "ann")
        try keeper.keep()
        return keeper
    }
}

@Suite struct `The check of a store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `finds nothing in one that is whole, and changes nothing`() throws {
        try makeStore()
        let before = try bytes(of: folder.database)
        #expect(try Store.check(folder: folder.path) == [])
        #expect(try bytes(of: folder.database) == before)
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
    }

    @Test func `finds nothing in one that a crash has left, and changes nothing`() throws {
        let keeper = try Keeper(folder)
        for _ in 1...20 { _ = try keeper.games.newGame() }
        try keeper.keep()
        let crashed = try Folder()
        for name in folder.names { try write(try bytes(of: folder(name)), to: crashed(name)) }
        let before = try [crashed.database, crashed.log].map(bytes)
        #expect(try Store.check(folder: crashed.path) == [])
        #expect(try [crashed.database, crashed.log].map(bytes) == before)
    }

    @Test func `finds games that were changed`() throws {
        try makeStore()
        try change("UPDATE games SET elapsed = 5 WHERE id = 2")
        #expect(
            try Store.check(folder: folder.path) == [
                "game 2, Hawks and Jets, is left out: its seal is broken"
            ])
    }

    @Test(arguments: [
        ("moves", "INSERT INTO moves VALUES (99, 0, zeroblob(256), 0)"),
        ("cards", "INSERT INTO cards VALUES (99, 0, 'front', 'back', 0)"),
    ])
    func `finds moves of no game, and cards of no book`(table: String, change: String) throws {
        try makeStore()
        try self.change(change)
        #expect(
            try Store.check(folder: folder.path) == ["\(table) has a row of what is not there"])
    }

    @Test func `finds books and cards that were changed`() throws {
        let keeper = try Keeper(folder)
        for name in ["Kanji", "Kana"] { try keeper.books.newBook(name) }
        try keeper.keep()
        keeper.store.close()
        try change("UPDATE books SET name = 'Eve' WHERE id = 2")
        try change("UPDATE cards SET back = 'eve' WHERE book = 1 AND place = 1")
        #expect(
            try Store.check(folder: folder.path) == [
                "book 1, Kanji, lacks cards, damaged or missing: 2",
                "book 2, Eve, is left out: its seal is broken",
            ])
    }

    @Test func `finds damage to the file`() throws {
        try makeStore()
        var all = try bytes(of: folder.database)
        for place in 4096..<8192 { all[place] = 0xa5 }
        try write(all, to: folder.database)
        #expect(try !Store.check(folder: folder.path).isEmpty)
        #expect(try bytes(of: folder.database) == all)
    }

    @Test func `finds what is no database`() throws {
        try write([UInt8](repeating: 65, count: 5000), to: folder.database)
        #expect(
            try Store.check(folder: folder.path) == [
                "SQLITE_NOTADB: file is not a database", "users may be lost; none is left",
                "keys of earlier sends may be lost",
            ])
    }

    private func makeStore() throws {
        let keeper = try Keeper(folder)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        try keeper.keep()
        keeper.store.close()
    }

    private func change(_ sql: String) throws {
        try Connection(path: folder.database).execute(sql)
    }
}
