import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// What a damaged store must do: serve what is whole, set aside what is not and say so, invent
/// nothing, and be sound at the next start.
@Suite struct `A damaged store` {
    private static let gameCount = 120

    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: 0..<16)
    func `that was cut off serves what is left`(sixteenth: Int) throws {
        try makeStore()
        try cut(folder.database, to: sixteenth)
        let found = try openTwice()
        #expect(found.games > 0 || sixteenth < 12)
        // Its last page may be one that nothing is on.
        #expect(!found.isWhole || sixteenth == 0 || found.games == Self.gameCount)
    }

    @Test(arguments: 0..<16)
    func `whose log was cut off serves what is left`(sixteenth: Int) throws {
        try makeStore(closing: false)
        try cut(folder.log, to: sixteenth)
        let found = try openTwice()
        // A log that ends too early is a log that was not yet written further. But there was a
        // store, and where nothing is left of it that is said.
        #expect(found.isWhole == (found.games > 0))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `with bytes that are not what they were invents nothing`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try makeStore(closing: random.once(in: 2))
        let names = folder.names.filter { $0.hasPrefix("store.sqlite") }
        let path = folder(try #require(names.randomElement(using: &random)))
        var all = try bytes(of: path)
        // But for the version: with a higher one the file is a newer program's.
        let places = Array(0..<60) + Array(64..<all.count)
        for place in places.shuffled(using: &random).prefix(random.number(1..<20)) {
            all[place] ^= UInt8(random.number(1..<256))
        }
        try write(all, to: path)
        try openTwice()
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `with a page that is lost serves the games on the others`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try makeStore()
        var all = try bytes(of: folder.database)
        // Not the first: without the list of tables there are none.
        let page = random.number(1..<all.count / 4096)
        for place in page * 4096..<(page + 1) * 4096 { all[place] = 0 }
        try write(all, to: folder.database)
        let found = try openTwice()
        #expect(found.games > 0 || found.isRootLost)
    }

    @Test func `that is no database at all is set aside whole`() throws {
        try makeStore()
        let junk = [UInt8]("This is not a database, and has never been one.\n".utf8)
        try write(junk, to: folder.database)
        let keeper = try Keeper(folder)
        #expect(keeper.games.summaries == [])
        #expect(
            keeper.store.findings.first?.hasSuffix(
                "it is kept as \(folder.database).damaged-1, and 0 games, 0 books and 0 users of it are served"
            ) == true)
        #expect(try bytes(of: folder("store.sqlite.damaged-1")) == junk)
        #expect(mode(of: folder("store.sqlite.damaged-1")) == 0o600)
        _ = try keeper.games.newGame()
        try keeper.keep()
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(again.games.summaries.count == 1)
    }

    @Test func `is set aside under a new name each time`() throws {
        for number in 1...3 {
            try write([1, 2, 3], to: folder.database)
            try Keeper(folder).store.close()
            #expect(folder.names.contains("store.sqlite.damaged-\(number)"))
        }
        #expect(try Store.check(folder: folder.path) == [])
    }

    @Test(arguments: [true, false])
    func `serves what its log has where its file is gone`(isEmpty: Bool) throws {
        try makeStore(closing: false)
        if isEmpty { try write([], to: folder.database) } else { unlink(folder.database) }
        try openTwice()
        #expect(folder.names.contains("store.sqlite.damaged-1-wal"))
    }

    @Test func `is whole where all of it is in its log`() throws {
        let maker = try Folder()
        let keeper = try Keeper(maker)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        try keeper.keep()
        // A file of which every page is in the log, as after a VACUUM.
        keeper.store.close()
        let connection = try Connection(path: maker.database)
        try connection.useLog(.full)
        try connection.execute("VACUUM")
        try write(try bytes(of: maker.log), to: folder.log)
        unlink(folder.database)
        let revived = try Keeper(folder)
        #expect(
            revived.store.findings == [
                "\(folder.database) is missing or empty: what its log has is served"
            ])
        #expect(revived.games.summaries.map(\.id.number) == [3, 2, 1])
    }

    @Test func `begins again where it was interrupted`() throws {
        try makeStore()
        try cut(folder.database, to: 12)
        // What a daemon leaves that dies while it makes the new file.
        try write([1, 2, 3], to: folder("store.sqlite.new"))
        try write([1, 2, 3], to: folder("store.sqlite.new-wal"))
        try openTwice()
        #expect(!folder.names.contains { $0.hasPrefix("store.sqlite.new") })
    }

    @Test func `keeps the keys that can be read`() throws {
        try makeStore()
        try change("UPDATE games SET teams = 1 WHERE id = 1")
        let keeper = try Keeper(folder)
        #expect(try keeper.keys(of: address("games")).count == Self.gameCount)
    }

    // MARK: Rows that make no sense

    @Test(arguments: [
        ("teams = 'Hawks'", "its seal is broken"),
        ("teams = replace(teams, 'Ann', 'Bob')", "its seal is broken"),
        ("elapsed = elapsed + 1", "its seal is broken"),
        ("latest = zeroblob(3)", "its seal is broken"),
        ("chunks = 1", "its seal is broken"),
        ("seal = 0", "its seal is broken"),
        ("id = 5000", "its seal is broken"),
    ])
    func `leaves out a game of which something was changed`(change: String, why: String) throws {
        try makeStore()
        try self.change("UPDATE games SET \(change) WHERE id = 7")
        let keeper = try Keeper(folder)
        let number = change.hasPrefix("id") ? 5000 : 7
        let name = change.hasPrefix("teams = 'H") ? "" : ", Team 7 and Team 7,"
        // Its number may not be its own.
        let other = number == 7 ? [] : ["not there, deleted earlier or lost: games 7"]
        #expect(
            keeper.store.findings == ["game \(number)\(name) is left out: \(why)"] + other)
        #expect(keeper.games.summaries.count == Self.gameCount - 1)
        #expect(keeper.games.game(try id(7)) == nil)
        #expect(try keeper.games.newGame() == id(Self.gameCount + 1))
        keeper.store.close()
        #expect(try Store.check(folder: folder.path) == keeper.store.findings)
    }

    @Test(arguments: [
        (
            GameRow(id: 7, teams: "a\nb", elapsed: 0, chunks: 0, latest: []),
            "its names are not names"
        ),
        (row(names: ["", "b", "c", "d", "e", "f", "g", "h"]), "its names are not names"),
        (row(names: ["a", "b", "c", "d", "e", "f", "g"]), "its names are not names"),
        (row(elapsed: -1), "its time is -1"),
        (row(latest: [0x05]), "it has a move 5"),
        (row(latest: [0x30]), "it has a move 48"),
        (row(latest: [0xff]), "it has a move 255"),
        (row(latest: Array(repeating: 0x01, count: 9)), "it has moves after its end"),
        (row(chunks: 1), "some of its moves are missing"),
        (row(chunks: -1), "it has -1 chunks of moves"),
    ])
    func `leaves out a game that is none, in spite of its seal`(row: GameRow, why: String) throws {
        try makeStore()
        try put(row)
        let keeper = try Keeper(folder)
        let title = GameRow.title(row.teams)
        #expect(title == (why.hasPrefix("its names") ? "" : ", a and e,"))
        #expect(keeper.store.findings == ["game 7\(title) is left out: \(why)"])
        #expect(keeper.games.summaries.count == Self.gameCount - 1)
    }

    @Test(arguments: [
        "UPDATE moves SET moves = zeroblob(256) WHERE place = 1",
        "DELETE FROM moves WHERE place = 0",
        "UPDATE moves SET seal = 1 WHERE place = 1", "UPDATE moves SET place = 2 WHERE place = 1",
    ])
    func `leaves out a long game of which a part is missing`(damage: String) throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        let long = try keeper.games.newGame()
        for _ in 1...600 { keeper.games.play(.foul, in: long) }
        try keeper.keep()
        keeper.store.close()
        try change(damage)
        let again = try Keeper(folder)
        #expect(
            again.store.findings == [
                "game 2, Hawks and Jets, is left out: some of its moves are missing"
            ])
        #expect(again.games.summaries.map(\.id) == [.first])
    }

    @Test(arguments: ["DELETE FROM library", "UPDATE library SET next_game = 2"])
    func `goes on behind all ids, or guesses, where the next is not known`(damage: String) throws {
        try makeStore()
        try change(damage)
        let what = "the number of the next game was lost:"
        for (next, why) in [(1025, "above every number that was given out"), (121, "a guess")] {
            let copy = try Folder()
            for name in folder.names { try write(try bytes(of: folder(name)), to: copy(name)) }
            if next == 121 { unlink(copy.ids) }
            let keeper = try Keeper(copy)
            #expect(keeper.store.findings == ["\(what) \(next) is used, \(why)"])
            #expect(try keeper.games.newGame() == id(next))
        }
    }

    @Test(
        arguments: ["key = 'x'", "first = 7", "last = NULL", "seal = 1", "number = 9999"],
        KeyRow.tables)
    func `leaves out a key that was changed, and says so when it is asked for`(
        change: String, table: String
    ) throws {
        try makeStore()
        if table == "keys" {
            let sorted = "INSERT INTO keys \(KeyRow.all(of: "recent_keys"))"
            try self.change("\(sorted); DELETE FROM recent_keys")
        }
        try self.change("UPDATE \(table) SET \(change) WHERE number = 3")
        let keeper = try Keeper(folder)
        // Recent ones are read at the start, too.
        let found = ["1 keys of earlier sends are left out: a broken seal"]
        #expect(keeper.store.findings == (table == "keys" ? [] : found))
        #expect(try keeper.keys(of: address("games")).count == Self.gameCount - 1)
        #expect(keeper.findings == ["1 keys of games are lost: damaged"])
        #expect(
            try Keeper.check(folder, after: keeper) == [
                "1 keys of earlier sends are left out: a broken seal"
            ])
    }

    @Test func `is set aside where its tables have no version`() throws {
        try makeStore()
        try change("PRAGMA user_version = 0")
        let found = try openTwice()
        #expect(found.games == Self.gameCount)
    }

    // MARK: -

    private static func row(
        names: [String] = ["a", "b", "c", "d", "e", "f", "g", "h"], elapsed: Int = 0,
        chunks: Int = 0, latest: [UInt8] = []
    ) -> GameRow {
        GameRow(
            id: 7, teams: names.joined(separator: "\n"), elapsed: elapsed, chunks: chunks,
            latest: latest)
    }

    /// Games of which each has as many moves as its number says; and a key for each.
    private func makeStore(closing: Bool = true) throws {
        let maker = try closing ? folder : Folder()
        // With `normal` all of it would be brought into the file after a while.
        let keeper = try Keeper(maker, durability: .full)
        for number in 1...Self.gameCount {
            let name = "Team \(number)"
            let team = try team(name, "Ann \(number)", "Bo", "Cy")
            let id = keeper.games.create(home: team, away: team)
            for _ in 0..<number { keeper.games.play(.foul, in: id) }
            keeper.store.remember(key: name, of: try address("games"), answer: number...number)
            if number % 10 == 0 { try keeper.keep() }
        }
        guard !closing else { return keeper.store.close() }
        // As after a crash: some of it is in the log alone.
        for name in maker.names { try write(try bytes(of: maker(name)), to: folder(name)) }
    }

    private struct Found {
        var games: Int
        var isWhole: Bool
        var isRootLost: Bool
    }

    /// Opens the store, which must not fail, looks whether all that it has is true, and opens it
    /// again.
    @discardableResult
    private func openTwice() throws -> Found {
        let keeper = try Keeper(folder, durability: .normal)
        let summaries = keeper.games.summaries
        for summary in summaries {
            #expect(summary.home.text == "Team \(summary.id.number)")
            #expect(keeper.games.game(summary.id)?.moves.count == summary.id.number)
        }
        for key in try keeper.keys(of: address("games")) {
            #expect(key.key == "Team \(key.answer?.lowerBound ?? 0)")
        }
        let findings = keeper.store.findings
        keeper.games.play(.assist, in: try keeper.games.newGame())
        try keeper.keep()
        keeper.store.close()
        let again = try Keeper(folder, durability: .normal)
        #expect(again.games.summaries.dropFirst() == summaries[...])
        #expect(!again.store.findings.contains { $0.contains("damaged") })
        return Found(
            games: summaries.count, isWhole: findings.isEmpty,
            isRootLost: findings.contains {
                $0.hasPrefix("its games can't be read")
                    || $0.contains("such games: 1, 2, 3, 4, 5, 6")
            })
    }

    private func cut(_ path: String, to sixteenth: Int) throws {
        let all = try bytes(of: path)
        try write(Array(all.prefix(all.count * sixteenth / 16)), to: path)
    }

    private func put(_ row: GameRow) throws {
        let connection = try Connection(path: folder.database)
        try connection.once("REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6)").run(
            .integer(row.id), .text(row.teams), .integer(row.elapsed), .integer(row.chunks),
            .blob(row.latest), .integer(row.seal))
    }

    private func change(_ sql: String) throws {
        try Connection(path: folder.database).execute(sql)
    }
}
