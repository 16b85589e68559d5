import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct FolderTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `A missing folder of a store is made with its parents, for its owner only`() throws {
        let path = folder("a/b/c")
        let store = try Store(folder: path, durability: .full) {}
        for place in ["a", "a/b", "a/b/c"] { #expect(mode(of: folder(place)) == 0o700) }
        store.close()
        for name in ["log.sqlite", "state.sqlite", "store.ids", "store.lock"] {
            unlink("\(path)/\(name)")
        }
        for place in ["a/b/c", "a/b", "a"] { rmdir(folder(place)) }
    }

    @Test func `A folder is made below a name that begins with a combining mark`() throws {
        try Store(folder: folder("a/\u{301}b/c"), durability: .full) {}.close()
        #expect(mode(of: folder("a/\u{301}b/c")) == 0o700)
    }

    @Test func `All files of a store, and its write-ahead log, are for their owner only`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.saveStates()
        #expect(folder.names.count == 6)
        for name in folder.names { #expect(mode(of: folder(name)) == 0o600) }
    }

    @Test func `The files of a store get their mode, whatever mode they had`() throws {
        try StoreFixture(folder).close()
        for name in folder.names { chmod(folder(name), 0o666) }
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.saveStates()
        for name in folder.names { #expect(mode(of: folder(name)) == 0o600) }
    }

    @Test func `A file in the place of the store's folder is refused`() throws {
        let path = folder("file")
        try write([1], to: path)
        let error = StoreError.unsuitable(
            path: path, reason: "is not a folder: name a folder with --state")
        #expect(throws: error) { try Store(folder: path, durability: .full) {} }
        #expect(throws: StoreError.file(path: "\(path)/x", function: "mkdir", code: ENOTDIR)) {
            try Store(folder: "\(path)/x", durability: .full) {}
        }
        #expect(try bytes(of: path) == [1])
    }

    @Test func `A folder in use is refused to a second daemon, with the process`() throws {
        let first = try StoreFixture(folder)
        let error = StoreError.inUse(path: folder.path, process: Int(getpid()))
        // The kernel reports no lock of the same process, so the error has no process here.
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try StoreFixture(folder)
        }
        #expect(throws: StoreError.self) { try Store.check(folder: folder.path) }
        #expect(error.description == "\(folder.path) is in use by process \(getpid())")
        try first.create("a")
        first.close()
        #expect(try StoreFixture(folder).all == ["1 a []"])
    }

    @Test func `The lock of a folder is released if its store cannot be opened`() throws {
        try StoreFixture(folder).close()
        try folder.sql("log.sqlite", "PRAGMA user_version = 7")
        #expect(throws: StoreError.tooNew(path: folder.log, version: 7, known: 6)) {
            try StoreFixture(folder)
        }
        try folder.sql("log.sqlite", "PRAGMA user_version = 6")
        try StoreFixture(folder).close()
    }

    @Test func `The path of a store's folder may end with a slash`() throws {
        let store = try Store(folder: folder.path + "/", durability: .full) {}
        store.close()
        #expect(folder.names == ["log.sqlite", "state.sqlite", "store.ids", "store.lock"])
    }
}
