import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The users of a store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `are there after a restart, with the hash that they had last`() throws {
        let keeper = try Keeper(folder)
        #expect(keeper.store.users.names == [])
        keeper.store.users.put("hash of zoe", for: "zoe")
        keeper.store.users.put("hash of ann", for: "ann")
        keeper.store.users.put("hash of bo", for: "bo")
        try keeper.keep()
        keeper.store.users.put("another of ann", for: "ann")
        #expect(keeper.store.users.remove("bo"))
        #expect(!keeper.store.users.remove("bo"))
        try keeper.keep()
        let again = try reopened(keeper)
        #expect(again.store.users.names == ["ann", "zoe"])
        #expect(again.store.users.hash(of: "ann") == "another of ann")
        #expect(again.store.users.hash(of: "zoe") == "hash of zoe")
        #expect(again.store.users.hash(of: "bo") == nil)
    }

    @Test func `are something to write, once`() throws {
        let keeper = try Keeper(folder)
        keeper.store.users.put("x", for: "ann")
        #expect(keeper.store.hasChanges)
        try keeper.commit().get()
        #expect(!keeper.store.hasChanges)
        keeper.store.users.remove("nobody")
        #expect(!keeper.store.hasChanges)
    }

    @Test func `who came and went at once are not there`() throws {
        let keeper = try Keeper(folder)
        keeper.store.users.put("x", for: "ann")
        keeper.store.users.remove("ann")
        try keeper.keep()
        #expect(try reopened(keeper).store.users.names == [])
    }

    @Test func `can change while a commit is on its way`() throws {
        let keeper = try Keeper(folder)
        keeper.store.users.put("x", for: "ann")
        keeper.store.commit()
        keeper.store.users.remove("ann")
        keeper.store.users.put("y", for: "bo")
        #expect(keeper.store.users.names == [])
        try keeper.outcome().get()
        #expect(keeper.store.users.names == ["ann"])
        try keeper.keep()
        #expect(keeper.store.users.names == ["bo"])
        #expect(try reopened(keeper).store.users.names == ["bo"])
    }

    @Test func `are those on disk, whatever has changed since`() throws {
        let keeper = try Keeper(folder)
        #expect(keeper.store.users.put("x", for: "ann"))
        try keeper.keep()
        #expect(keeper.store.users.put("y", for: "bo"))
        #expect(!keeper.store.users.put("z", for: "ann"))
        #expect(keeper.store.users.names == ["ann"])
        #expect(keeper.store.users.hash(of: "ann") == "x")
        #expect(keeper.store.users.hash(of: "bo") == nil)
        keeper.store.commit()
        #expect(!keeper.store.users.put("w", for: "bo"))
        #expect(keeper.store.users.remove("ann"))
        #expect(!keeper.store.users.remove("ann"))
        #expect(keeper.store.users.names == ["ann"])
        try keeper.outcome().get()
        #expect(keeper.store.users.names == ["ann", "bo"])
        #expect(keeper.store.users.hash(of: "ann") == "z")
        #expect(keeper.store.users.hash(of: "bo") == "y")
        try keeper.keep()
        #expect(keeper.store.users.names == ["bo"])
        #expect(keeper.store.users.hash(of: "bo") == "w")
    }

    @Test func `are as they were after a commit that fails`() throws {
        let keeper = try Keeper(folder)
        keeper.store.users.put("x", for: "ann")
        keeper.store.users.put("y", for: "bo")
        try keeper.keep()
        keeper.store.limit(pages: 1)
        for _ in 1...200 { _ = try keeper.games.newGame() }
        keeper.store.users.put("z", for: "ann")
        keeper.store.commit()
        keeper.store.users.remove("bo")
        keeper.store.users.put("w", for: "cy")
        #expect(try keeper.outcome().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(!keeper.store.hasChanges)
        #expect(keeper.store.users.names == ["ann", "bo"])
        #expect(keeper.store.users.hash(of: "ann") == "x")
        #expect(try reopened(keeper).store.users.names == ["ann", "bo"])
    }

    @Test func `are two if their names differ in code points only`() throws {
        let (composed, decomposed) = ("Zo\u{eb}", "Zoe\u{308}")
        var keeper = try Keeper(folder)
        keeper.store.users.put("1", for: composed)
        keeper.store.users.put("2", for: decomposed)
        try keeper.keep()
        keeper = try reopened(keeper)
        #expect(
            keeper.store.users.names.map { Array($0.utf8) } == [
                Array(decomposed.utf8), Array(composed.utf8),
            ])
        #expect(keeper.store.users.hash(of: composed) == "1")
        #expect(keeper.store.users.hash(of: decomposed) == "2")
        keeper.store.users.remove(composed)
        try keeper.keep()
        #expect(keeper.store.users.hash(of: composed) == nil)
        #expect(try reopened(keeper).store.users.hash(of: decomposed) == "2")
    }

    @Test(arguments: ["name = 'eve'", "hash = 'of eve'", "seal = 1"])
    func `of whom a row was changed are left out, and named`(change: String) throws {
        let keeper = try Keeper(folder)
        keeper.store.users.put("x", for: "ann")
        keeper.store.users.put("y", for: "bo")
        try keeper.keep()
        keeper.store.close()
        try Connection(path: folder.database).execute(
            "UPDATE users SET \(change) WHERE name = 'ann'")
        let again = try Keeper(folder)
        let name = change.hasPrefix("name") ? "eve" : "ann"
        #expect(
            again.store.findings == [
                "a user, \(name), is left out: a broken seal",
                "users may be lost; left are bo",
            ])
        #expect(again.store.users.names == ["bo"])
        // The next hash mends it.
        again.store.users.put("z", for: name)
        try again.keep()
        #expect(try Keeper.check(folder, after: again) == [])
    }

    @Test func `are there with the next commit where nothing is kept`() throws {
        let store = try Store(folder: folder.path, durability: .none) {}
        store.users.put("x", for: "ann")
        #expect(store.users.names == [])
        store.commit()
        #expect(store.takeOutcome()?.failureName == nil)
        #expect(store.users.names == ["ann"])
    }

    private func reopened(_ keeper: Keeper) throws -> Keeper {
        keeper.store.close()
        return try Keeper(folder)
    }
}
