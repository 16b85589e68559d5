import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The check of a copy` {
    private let folder: Folder
    private let other: Folder

    init() throws {
        folder = try Folder()
        other = try Folder()
    }

    @Test func `finds nothing in one that is whole, and changes nothing`() throws {
        try makeStore()
        try Store.backup(folder: folder.path, to: other("copy"))
        let before = try bytes(of: other("copy"))
        #expect(try Store.check(copy: other("copy")) == [])
        #expect(try bytes(of: other("copy")) == before)
        #expect(other.names == ["copy"])
    }

    @Test func `finds nothing in one of a store that has nothing in it`() throws {
        try BusdStorage.File.make(folder.database)
        try Store.backup(folder: folder.path, to: other("copy"))
        #expect(try Store.check(copy: other("copy")) == [])
        try Keeper(folder).store.close()
        try Store.backup(folder: folder.path, to: other("copy"))
        #expect(try Store.check(copy: other("copy")) == [])
        #expect(other.names == ["copy"])
    }

    @Test func `finds all that is damaged of the store, at rest and served`() throws {
        try makeStore()
        try Connection(path: folder.database).execute(
            """
            UPDATE games SET elapsed = 5 WHERE id = 2; UPDATE users SET hash = 'eve';
            UPDATE cards SET back = 'eve' WHERE place = 1; UPDATE recent_keys SET key = 'eve'
            """)
        let findings = [
            "game 2, Hawks and Jets, is left out: its seal is broken",
            "book 1, Kanji, lacks cards, damaged or missing: 2",
            "a user, ann, is left out: a broken seal", "users may be lost; none is left",
            "1 keys of earlier sends are left out: a broken seal",
        ]
        let checked = try Store.check(folder: folder.path)
        #expect(checked == findings)
        try Store.backup(folder: folder.path, to: other("resting"))
        #expect(try Store.check(copy: other("resting")) == findings)
        let keeper = try Keeper(folder)
        try keeper.backup(to: other("served")).get()
        #expect(try Store.check(copy: other("served")) == findings)
        #expect(other.names == ["resting", "served"])
    }

    @Test func `finds damage to the file`() throws {
        try makeStore()
        try Store.backup(folder: folder.path, to: other("copy"))
        var all = try bytes(of: other("copy"))
        for place in 4096..<8192 { all[place] = 0xa5 }
        try write(all, to: other("copy"))
        #expect(try !Store.check(copy: other("copy")).isEmpty)
        #expect(try bytes(of: other("copy")) == all)
        #expect(other.names == ["copy"])
    }

    @Test func `looks at nothing beside it`() throws {
        try makeStore()
        try Store.backup(folder: folder.path, to: other("copy"))
        let keeper = try Keeper(folder)
        for _ in 1...3 { keeper.games.delete(try keeper.games.newGame()) }
        keeper.games.delete(.first)
        try keeper.keep()
        // As a rollback journal begins that is to be played back.
        let journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        try write(try bytes(of: folder.log), to: other("copy-wal"))
        try write(journal + [UInt8](repeating: 0, count: 8184), to: other("copy-journal"))
        let paths = other.names.map { other($0) }
        let before = try paths.map(bytes)
        #expect(try Store.check(copy: other("copy")) == [])
        #expect(other.names == ["copy", "copy-journal", "copy-wal"])
        #expect(try paths.map(bytes) == before)
    }

    @Test(arguments: ["a b", "100%41", "what?mode=rw", "#1&2=3", "語/\t\u{1}é"])
    func `takes its name as it is`(name: String) throws {
        try makeStore()
        mkdir(other("語"), 0o700)
        try Store.backup(folder: folder.path, to: other(name))
        #expect(try Store.check(copy: other(name)) == [])
        unlink(other(name))
        #expect(throws: StoreError.self) { try Store.check(copy: other(name)) }
        #expect(other.names == ["語"])
    }

    @Test func `is not possible where it can't be read, or is a newer program's`() throws {
        let status = SQLiteStatus(code: 14, message: "unable to open database file")
        #expect(throws: StoreError.database(status, path: other("none"))) {
            try Store.check(copy: other("none"))
        }
        let newer = try Keeper(folder, steps: Schema.steps + ["CREATE TABLE later (id INTEGER)"])
        try newer.backup(to: other("copy")).get()
        #expect(throws: StoreError.tooNew(path: other("copy"), version: 5, known: 4)) {
            try Store.check(copy: other("copy"))
        }
        #expect(other.names == ["copy"])
    }

    private func makeStore() throws {
        let keeper = try Keeper(folder)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        try keeper.books.newBook("Kanji")
        keeper.store.users.put("hash", for: "ann")
        keeper.store.remember(key: "a", of: try address("games"), answer: 1...2)
        try keeper.keep()
        keeper.store.close()
    }
}
