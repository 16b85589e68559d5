import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// A copy is put in place of the file of a killed daemon, of which the log is still there.
@Suite struct `A copy that is put back` {
    private let folder: Folder
    private let other: Folder
    private var aside: String { folder("store.sqlite.replaced-1-wal") }

    init() throws {
        folder = try Folder()
        other = try Folder()
    }

    @Test func `is served as it was made, and the log of the file before is kept`() throws {
        try putBack()
        let log = try bytes(of: folder.log)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [finding(aside)])
        try expectCopy(keeper)
        #expect(try bytes(of: aside) == log)
        #expect(mode(of: aside) == 0o600)
        #expect(
            folder.names == [
                "store.ids", "store.lock", "store.sqlite", "store.sqlite-wal",
                "store.sqlite.replaced-1-wal",
            ])
        let id = try keeper.games.newGame()
        try keeper.keep()
        keeper.store.close()

        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(again.games.game(id) != nil)
        #expect(try bytes(of: aside) == log)
    }

    @Test func `again and again loses no log`() throws {
        for number in 1...3 {
            try putBack()
            let log = try bytes(of: folder.log)
            let aside = folder("store.sqlite.replaced-\(number)-wal")
            let keeper = try Keeper(folder)
            #expect(keeper.store.findings == [finding(aside)])
            try expectCopy(keeper)
            keeper.store.close()
            #expect(try bytes(of: aside) == log)
        }
    }

    @Test func `is named by a check, which changes nothing`() throws {
        try putBack()
        try expectUnchanged {
            let findings = try Store.check(folder: folder.path)
            #expect(findings == [checked])
        }
        try change("UPDATE games SET elapsed = 5 WHERE id = 2")
        try expectUnchanged {
            let findings = try Store.check(folder: folder.path)
            #expect(
                findings == [
                    checked, "game 2, Hawks and Jets, is left out: its seal is broken",
                ])
        }
    }

    @Test func `is not copied before a daemon has set the log aside`() throws {
        try putBack()
        let copy = other("again")
        try expectUnchanged {
            let error = #expect(throws: StoreError.self) {
                try Store.backup(folder: folder.path, to: copy)
            }
            #expect(error?.description == checked)
        }
        try Keeper(folder).store.close()
        try Store.backup(folder: folder.path, to: copy)
        #expect(try Store.check(copy: copy) == [])
    }

    @Test func `and is damaged gets nothing from the log`() throws {
        try putBack()
        var all = try bytes(of: folder.database)
        let page = try games()
        for place in (page - 1) * 4096..<page * 4096 { all[place] = 0xa5 }
        try write(all, to: folder.database)
        try expectUnchanged {
            let findings = try Store.check(folder: folder.path)
            #expect(findings.first == checked)
            #expect(findings.count > 1)
        }
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings.first == finding(aside))
        #expect(keeper.store.findings.dropFirst().first?.contains("is damaged") == true)
        #expect(keeper.games.summaries == [])
        #expect(keeper.books.summaries.map(\.name.text) == ["Kanji"])
        // But for the head, by which it is not told from a store any more.
        #expect(
            try bytes(of: folder("store.sqlite.damaged-1")).dropFirst(4096) == all.dropFirst(4096))
        #expect(!folder.names.contains("store.sqlite.damaged-1-wal"))
    }

    /// With a log of any length SQLite would write into it before it has changed the file's head.
    @Test(arguments: [1, 32, 4151, 4152])
    func `does not take over what a crash has left of a log`(size: Int) throws {
        try putBack()
        try write(Array(try bytes(of: folder.log).prefix(size)), to: folder.log)
        #expect(try Store.check(folder: folder.path) == [checked])
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [finding(aside)])
        try expectCopy(keeper)
        try expectOwnLog(keeper)
    }

    @Test func `beside an empty log is like any other`() throws {
        try putBack()
        try write([], to: folder.log)
        let copy = other("again")
        try Store.backup(folder: folder.path, to: copy)
        #expect(try Store.check(copy: copy) == [])
        try write([], to: folder.log)
        #expect(try Store.check(folder: folder.path) == [])
        try write([], to: folder.log)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        try expectCopy(keeper)
        try expectOwnLog(keeper)
    }

    // MARK: What a store looks like

    @Test func `is told from every store that has a log`() throws {
        // A new one, and one that was there.
        for _ in 1...2 {
            let keeper = try Keeper(folder)
            try expectOwnLog(keeper)
            keeper.store.close()
        }
        // Of a copy, without a log and beside that of another file.
        try putBack()
        unlink(folder.log)
        try expectOwnLog(try Keeper(folder))
        try putBack()
        try expectOwnLog(try Keeper(folder))
    }

    @Test func `is told from a store that was made of what a damaged one had`() throws {
        let exhibit = try Exhibit.made.get()
        var all = exhibit.database
        for place in 4096..<8192 { all[place] = 0xa5 }
        try write(all, to: folder.database)
        try expectOwnLog(try Keeper(folder))
    }

    @Test func `is told from a store of which only the log is left`() throws {
        let exhibit = try Exhibit.made.get()
        try write(exhibit.log, to: folder.log)
        try write(exhibit.ids, to: folder.ids)
        try expectOwnLog(try Keeper(folder))
    }

    @Test func `is told from a store that was brought to a newer version`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try keeper.keep()
        keeper.store.close()
        let later = Schema.steps + ["CREATE TABLE later (id INTEGER)"]
        try expectOwnLog(try Keeper(folder, steps: later))
    }

    private func expectOwnLog(_ keeper: Keeper) throws {
        #expect(!LogFile.isForeign(to: folder.database))
        _ = try keeper.games.newGame()
        try keeper.keep()
        #expect(try bytes(of: folder.log).count > 4096)
        #expect(!LogFile.isForeign(to: folder.database))
    }

    // MARK: -

    /// The copy has two games and a book.
    private func putBack() throws {
        let maker = try Folder()
        let keeper = try Keeper(maker)
        for _ in 1...2 { _ = try keeper.games.newGame() }
        try keeper.books.newBook("Kanji")
        try keeper.keep()
        try keeper.backup(to: other("copy")).get()
        for _ in 1...2 { _ = try keeper.games.newGame() }
        keeper.games.play(.foul, in: .first)
        keeper.games.delete(try id(2))
        try keeper.keep()
        for name in ["store.ids", "store.sqlite-wal"] {
            try write(try bytes(of: maker(name)), to: folder(name))
        }
        try write(try bytes(of: other("copy")), to: folder.database)
        #expect(LogFile.isForeign(to: folder.database))
    }

    private func expectCopy(_ keeper: Keeper) throws {
        #expect(keeper.games.summaries.map(\.id.number) == [2, 1])
        #expect(keeper.games.game(.first)?.moves == [])
        #expect(keeper.books.summaries.map(\.name.text) == ["Kanji"])
    }

    private func expectUnchanged(_ body: () throws -> Void) throws {
        let before = try [folder.database, folder.log, folder.ids].map(bytes)
        try body()
        #expect(try [folder.database, folder.log, folder.ids].map(bytes) == before)
        #expect(
            folder.names == ["store.ids", "store.lock", "store.sqlite", "store.sqlite-wal"])
    }

    private func finding(_ aside: String) -> String {
        "\(folder.database) is a copy that was put in place of another file: it is served, and the "
            + "log of that file is kept as \(aside) and not used"
    }

    private var checked: String {
        "\(folder.database) is a copy beside the log of another file: a daemon that opens it sets "
            + "that log aside"
    }

    /// In the copy, where SQLite does not see the log.
    private func change(_ sql: String) throws {
        try Connection(path: other("copy")).execute(sql)
        try write(try bytes(of: other("copy")), to: folder.database)
    }

    /// The page of the table.
    private func games() throws -> Int {
        try Connection(path: folder.database, alone: true).integer(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'games'")
    }
}
