import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The schema` {
    private let folder: Folder
    private static let later =
        Schema.steps + [
            "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; INSERT INTO later VALUES (7);"
        ]

    init() throws { folder = try Folder() }

    /// A step that files have been made with must not change: its number then tells.
    @Test func `has steps that are what they were`() {
        let seals = Schema.steps.map { step in
            var seal = Seal()
            seal.add(step.utf8)
            return seal.value
        }
        #expect(
            seals == [
                8_061_121_593_369_984_420, 4_871_421_410_175_991_116, -5_076_600_226_948_949_343,
                -1_342_897_622_763_309_872,
            ])
    }

    @Test func `is told by the version in the file`() throws {
        try makeStore()
        #expect(try connection().integer("PRAGMA user_version") == Schema.steps.count)
    }

    @Test func `is brought to a newer version, with everything in it`() throws {
        try makeStore()
        let newer = try Keeper(folder, steps: Self.later)
        #expect(newer.store.findings == [])
        #expect(newer.games.game(.first)?.moves.count == 1)
        #expect(try newer.keys(of: address("games")).map(\.key) == ["a"])
        newer.store.close()
        #expect(try connection().integer("PRAGMA user_version") == 5)
        #expect(try connection().integer("SELECT id FROM later") == 7)
    }

    @Test func `keeps the older file when it is brought to a newer version`() throws {
        try makeStore()
        try Keeper(folder, steps: Self.later).store.close()
        #expect(
            folder.names == ["store.ids", "store.lock", "store.sqlite", "store.sqlite.version-4"])
        #expect(mode(of: folder("store.sqlite.version-4")) == 0o600)
        let other = try Folder()
        try write(try bytes(of: folder("store.sqlite.version-4")), to: other.database)
        #expect(try Keeper(other).games.game(.first)?.moves.count == 1)
    }

    @Test func `makes a new store with all steps at once, and keeps no copy`() throws {
        let keeper = try Keeper(folder, steps: Self.later)
        _ = try keeper.games.newGame()
        try keeper.keep()
        keeper.store.close()
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
        #expect(try connection().integer("SELECT id FROM later") == 7)
    }

    @Test func `of a newer program is refused, and the file left as it is`() throws {
        try makeStore(steps: Self.later)
        let before = try bytes(of: folder.database)
        let names = folder.names
        for _ in 1...2 {
            #expect(throws: StoreError.tooNew(path: folder.database, version: 5, known: 4)) {
                try Keeper(folder)
            }
        }
        #expect(try bytes(of: folder.database) == before)
        #expect(folder.names == names)
        #expect(throws: StoreError.tooNew(path: folder.database, version: 5, known: 4)) {
            try Store.check(folder: folder.path)
        }
    }

    @Test func `of a newer program is refused before its log is touched`() throws {
        let newer = try Keeper(folder, steps: Self.later)
        _ = try newer.games.newGame()
        try newer.keep()
        // As it is after a crash: the log has what the file has not.
        let copy = try Folder()
        for name in folder.names { try write(try bytes(of: folder(name)), to: copy(name)) }
        let before = try [copy.database, copy.log].map(bytes)
        #expect(throws: StoreError.tooNew(path: copy.database, version: 5, known: 4)) {
            try Keeper(copy)
        }
        #expect(try [copy.database, copy.log].map(bytes) == before)
    }

    @Test func `stays what it was where a step can't be done`() throws {
        try makeStore()
        let broken = Schema.steps + ["CREATE TABLE later (id INTEGER)", "CREATE TABLE games (x)"]
        #expect(throws: StoreError.self) { try Keeper(folder, steps: broken) }
        #expect(try connection().integer("PRAGMA user_version") == 4)
        #expect(throws: SQLiteStatus.self) { try connection().integer("SELECT id FROM later") }
        #expect(try Keeper(folder).games.game(.first)?.moves.count == 1)
    }

    @Test func `stays what it was while there is no room, and is served`() throws {
        try makeStore()
        // Where the copy of the older file would be written.
        let partial = folder("store.sqlite.version-4.partial")
        mkdir(partial, 0o700)
        let keeper = try Keeper(folder, steps: Self.later)
        #expect(
            keeper.store.findings == [
                "\(folder.database) is of an older version, and can't be changed "
                    + "(\(partial): unlink: Is a directory): "
                    + "it is served, and what is new is refused until it can"
            ])
        #expect(keeper.games.game(.first)?.moves.count == 1)
        for _ in 1...2 {
            #expect(try keeper.keys(of: address("games")).map(\.key) == ["a"])
            keeper.games.play(.foul, in: .first)
            #expect(try keeper.commit().failureText == "\(partial): unlink: Is a directory")
            keeper.store.rollBack()
            #expect(try !keeper.backup(to: folder("copy.sqlite")).isSuccess)
        }
        #expect(keeper.games.game(.first)?.moves.count == 1)
        rmdir(partial)
        keeper.games.play(.foul, in: .first)
        try keeper.keep()
        #expect(try keeper.keys(of: address("games")).map(\.key) == ["a"])
        keeper.store.close()
        #expect(try connection().integer("PRAGMA user_version") == 5)
        let again = try Keeper(folder, steps: Self.later)
        #expect(again.store.findings == [])
        #expect(again.games.game(.first)?.moves.count == 2)
        #expect(
            folder.names == [
                "store.ids", "store.lock", "store.sqlite", "store.sqlite-wal",
                "store.sqlite.version-4",
            ])
    }

    @Test func `stays what it was when nothing but reading came of it`() throws {
        try makeStore()
        let before = try bytes(of: folder.database)
        let partial = folder("store.sqlite.version-4.partial")
        mkdir(partial, 0o700)
        let keeper = try Keeper(folder, steps: Self.later)
        #expect(keeper.store.findings.count == 1)
        #expect(try keeper.keys(of: address("games")).map(\.key) == ["a"])
        keeper.store.close()
        rmdir(partial)
        #expect(try bytes(of: folder.database) == before)
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
    }

    @Test func `tells what refuses in words`() {
        let error = StoreError.tooNew(path: "/x/store.sqlite", version: 3, known: 1)
        #expect(
            error.description
                == "/x/store.sqlite has version 3, and this program knows versions up to 1")
    }

    private func makeStore(steps: [String] = Schema.steps) throws {
        let keeper = try Keeper(folder, steps: steps)
        keeper.games.play(.foul, in: try keeper.games.newGame())
        keeper.store.remember(key: "a", of: try address("games"), answer: nil)
        try keeper.keep()
        keeper.store.close()
    }

    private func connection() throws -> Connection { try Connection(path: folder.database) }
}
