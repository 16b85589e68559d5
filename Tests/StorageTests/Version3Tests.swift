import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// In version 3 recent keys stood in a table without row ids.
@Suite struct `A store of version 3` {
    private static let steps = Array(Schema.steps.prefix(3))
    private let folder: Folder
    private let (one, other): (Address, Address)

    init() throws {
        folder = try Folder()
        (one, other) = (try address("scoreboard/1"), try address("books"))
        let keeper = try Keeper(folder, steps: Self.steps)
        keeper.games.play(.foul, in: try keeper.games.newGame())
        try keeper.books.newBook("Kanji")
        for number in 1...300 {
            let address = number % 3 == 0 ? other : one
            keeper.store.remember(key: "\(number)", of: address, answer: number...number)
        }
        try keeper.keep()
        keeper.store.close()
    }

    private var keys: (one: [String], other: [String]) {
        (
            (1...300).filter { $0 % 3 != 0 }.map(String.init),
            (1...300).filter { $0 % 3 == 0 }.map(String.init)
        )
    }

    private func expectKeys(_ keeper: Keeper) throws {
        #expect(try keeper.keys(of: one).map(\.key) == keys.one)
        #expect(try keeper.keys(of: other).map(\.key) == keys.other)
        #expect(keeper.findings == [])
    }

    @Test func `is served with all its keys, and those that come stand behind them`() throws {
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        try expectKeys(keeper)
        keeper.store.remember(key: "new", of: one, answer: nil)
        try keeper.keep()
        keeper.store.close()
        #expect(
            folder.names == ["store.ids", "store.lock", "store.sqlite", "store.sqlite.version-3"])
        do {
            let connection = try Connection(path: folder.database)
            #expect(try connection.texts("PRAGMA integrity_check") == ["ok"])
            #expect(
                try connection.texts("SELECT key FROM recent_keys ORDER BY place")
                    == (1...300).map(String.init) + ["new"])
        }
        let again = try Keeper(folder)
        #expect(try again.keys(of: one).map(\.key) == keys.one + ["new"])
        #expect(try again.keys(of: other).map(\.key) == keys.other)
    }

    @Test func `has the same tables afterwards as a new one`() throws {
        try Keeper(folder).store.close()
        let fresh = try Folder()
        try Keeper(fresh).store.close()
        let query = "SELECT sql FROM sqlite_schema ORDER BY name"
        #expect(
            try Connection(path: folder.database).texts(query)
                == Connection(path: fresh.database).texts(query))
    }

    @Test(arguments: [3, 4])
    func `that is damaged keeps its keys, and its books`(version: Int) throws {
        if version == 4 { try Keeper(folder).store.close() }
        var all = try bytes(of: folder.database)
        let root = try Connection(path: folder.database, alone: true).integer(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'games'")
        for place in (root - 1) * Pages.size..<root * Pages.size { all[place] = 0x5a }
        try write(all, to: folder.database)
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings.dropFirst() == ["not there, deleted earlier or lost: games 1"])
        #expect(keeper.books.summaries.map(\.name.text) == ["Kanji"])
        try expectKeys(keeper)
    }
}
