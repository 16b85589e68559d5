import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Ids are never used again, also where nothing is left of the database.
@Suite struct `The ids of a store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let lost =
        "and there was one: its games, books and users are lost, and ids go on at game 1025 "
        + "and book 1025"

    /// SQLite removes the log of an empty file.
    @Test(arguments: [0, 1, 99])
    func `A database of which only the log is left is kept by whoever looks`(size: Int) throws {
        let exhibit = try Exhibit.made.get()
        try write([UInt8](repeating: 7, count: size), to: folder.database)
        try write(exhibit.log, to: folder.log)
        let text = "is missing or empty: a daemon that opens it serves what its log has"
        #expect(try Store.check(folder: folder.path) == ["\(folder.database) \(text)"])
        #expect(throws: StoreError.unsuitable(path: folder.database, reason: text)) {
            try Store.backup(folder: folder.path, to: folder("copy"))
        }
        #expect(try bytes(of: folder.log) == exhibit.log)
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings.first
                == "\(folder.database) is missing or empty: what its log has is served")
        #expect(try Contents(keeper).marks == exhibit.contents.marks)
    }

    @Test func `A version that is damaged to an older one is no end`() throws {
        let exhibit = try Exhibit.made.get()
        var all = exhibit.database
        all[63] = 1
        try write(all, to: folder.database)
        try write(exhibit.ids, to: folder.ids)
        #expect(try Store.check(folder: folder.path).first?.contains("already exists") == true)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings.first?.contains("already exists") == true)
        #expect(try Contents(keeper).marks == exhibit.contents.marks)
    }

    @Test(arguments: ["missing", "empty"])
    func `go on where the database is gone`(what: String) throws {
        try makeStore()
        if what == "empty" { try write([], to: folder.database) } else { unlink(folder.database) }
        let findings = ["\(folder.database) is \(what), \(Self.lost)"]
        #expect(try Store.check(folder: folder.path) == findings)
        #expect(throws: StoreError.self) {
            try Store.backup(folder: folder.path, to: folder("copy.sqlite"))
        }
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == findings)
        #expect(keeper.games.summaries == [])
        // Nobody has used one: they are the same after another start.
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(try again.games.newGame() == id(1025))
        #expect(try again.books.newBook("new") == bookID(1025))
        try again.keep()
        #expect(try reserved() == ReservedIDs(games: 2049, books: 2049))
        #expect(try Keeper.check(folder, after: again) == [])
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
    }

    @Test(arguments: [0, 1, 99, 100, 4095, 4096, 5000])
    func `go on where nothing of it can be read`(size: Int) throws {
        try makeStore()
        try write([UInt8](repeating: 0xa5, count: size), to: folder.database)
        let keeper = try Keeper(folder)
        #expect(!keeper.store.findings.isEmpty)
        #expect(try keeper.games.newGame() == id(1025))
        #expect(try keeper.books.newBook("new") == bookID(1025))
    }

    @Test func `have no block behind the largest`() throws {
        let largest = ReservedIDs().extended(toGame: .max, book: .max - 1_024)
        let most = try #require(largest)
        #expect(most.games == most.books)
        #expect(most.games > .max - 4_096)
        #expect(most.extended(toGame: .max, book: .max) == nil)
        #expect(most.extended(toGame: most.games, book: 1) == nil)
    }

    @Test func `are reserved in blocks, so that their file is seldom written`() throws {
        let keeper = try Keeper(folder)
        #expect(try reserved() == ReservedIDs())
        #expect(mode(of: folder.ids) == 0o600)
        _ = try keeper.games.newGame()
        try keeper.keep()
        let first = try identity()
        #expect(try reserved() == ReservedIDs(games: 1025, books: 1))
        for _ in 2...1024 { _ = try keeper.games.newGame() }
        try keeper.keep()
        #expect(try identity() == first)
        _ = try keeper.games.newGame()
        try keeper.keep()
        #expect(try reserved() == ReservedIDs(games: 2049, books: 1))
        keeper.store.close()
        #expect(try Keeper(folder).games.newGame() == id(1026))
    }

    @Test(arguments: 1...9)
    func `are known to be unused where a page is lost`(page: Int) throws {
        let keeper = try Keeper(folder)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        try keeper.keep()
        keeper.store.close()
        var all = try bytes(of: folder.database)
        for place in (page - 1) * 4096..<page * 4096 { all[place] = 0 }
        try write(all, to: folder.database)
        let again = try Keeper(folder)
        #expect(!again.store.findings.contains { $0.contains("book") && !$0.contains("0 books") })
        #expect(try again.books.newBook("new") == bookID(1))
        #expect(try again.games.newGame() == id(page < 3 ? 1025 : 4))
    }

    @Test func `are those of the database where that is whole`() throws {
        try makeStore()
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        #expect(try keeper.games.newGame() == id(4))
        #expect(try keeper.books.newBook("new") == bookID(2))
    }

    @Test(arguments: ["", "x", "games 1\nbooks 1\nseal 1\n", "games x\nbooks 1\nseal 1\n"])
    func `are written down anew where their file is damaged`(text: String) throws {
        try makeStore()
        try write([UInt8](text.utf8), to: folder.ids)
        #expect(try Store.check(folder: folder.path) == ["\(folder.ids) is damaged"])
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == ["\(folder.ids) is damaged: it is written anew"])
        #expect(try reserved() == ReservedIDs(games: 4, books: 2))
        #expect(try Keeper.check(folder, after: keeper) == [])
    }

    @Test func `are written down where there is no file, as beside a backup`() throws {
        try makeStore()
        unlink(folder.ids)
        #expect(try Store.check(folder: folder.path) == [])
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        #expect(try reserved() == ReservedIDs(games: 4, books: 2))
    }

    @Test func `need no file for a commit to be one`() throws {
        let keeper = try Keeper(folder)
        // A folder in place of the new file is in the way.
        mkdir(folder("store.ids.new"), 0o700)
        _ = try keeper.games.newGame()
        #expect(try keeper.commit().isSuccess)
        #expect(try reserved() == ReservedIDs())
        let told = keeper.store.takeReserving()
        try #require(told.count == 1)
        #expect(told[0].failureText == "\(folder("store.ids.new")): unlink: Is a directory")
        // Nothing has changed.
        _ = try keeper.games.newGame()
        #expect(try keeper.commit().isSuccess)
        #expect(keeper.store.takeReserving().isEmpty)
        rmdir(folder("store.ids.new"))
        _ = try keeper.games.newGame()
        #expect(try keeper.commit().isSuccess)
        #expect(try reserved() == ReservedIDs(games: 1025, books: 1))
        #expect(keeper.store.takeReserving().map(\.isSuccess) == [true])
        try keeper.books.newBook("Kanji")
        #expect(try keeper.commit().isSuccess)
        #expect(keeper.store.takeReserving().isEmpty)
    }

    @Test func `are not those of a database of which only the head is left`() throws {
        try makeStore()
        let empty = try Folder()
        let connection = try {
            try write([], to: empty.database)
            return try Connection(path: empty.database)
        }()
        try connection.useLog(.full)
        try write(try bytes(of: empty.database), to: folder.database)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings[0].contains("there is nothing in it"))
        #expect(try keeper.games.newGame() == id(1025))
    }

    // MARK: -

    /// Three games, the last of which is deleted, and a book.
    private func makeStore() throws {
        let keeper = try Keeper(folder)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        try keeper.books.newBook("Kanji")
        try keeper.keep()
        keeper.games.delete(try id(3))
        try keeper.keep()
        keeper.store.close()
    }

    private func reserved() throws -> ReservedIDs {
        try #require(ReservedIDs(of: StoreFolder(path: folder.path)))
    }

    /// Of the file that is there now.
    private func identity() throws -> UInt {
        var about = stat()
        try #require(stat(folder.ids, &about) == 0)
        return UInt(about.st_ino)
    }
}
