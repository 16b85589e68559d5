import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The folder of a store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `is made where it is missing, with those above it, for its owner alone`() throws {
        let path = folder("a/b/c")
        let store = try Store(folder: path, durability: .full) {}
        for place in ["a", "a/b", "a/b/c"] { #expect(mode(of: folder(place)) == 0o700) }
        store.close()
        for name in ["log.sqlite", "state.sqlite", "store.ids", "store.lock"] {
            unlink("\(path)/\(name)")
        }
        for place in ["a/b/c", "a/b", "a"] { rmdir(folder(place)) }
    }

    @Test func `is made with a folder above it that begins with a combining mark`() throws {
        try Store(folder: folder("a/\u{301}b/c"), durability: .full) {}.close()
        #expect(mode(of: folder("a/\u{301}b/c")) == 0o700)
    }

    @Test func `has files for its owner alone, the log too`() throws {
        let daemon = try Daemon(folder)
        try daemon.create("a")
        try daemon.saveStates()
        #expect(folder.names.count == 6)
        for name in folder.names { #expect(mode(of: folder(name)) == 0o600) }
    }

    @Test func `gives its files their mode whatever they had`() throws {
        try Daemon(folder).close()
        for name in folder.names { chmod(folder(name), 0o666) }
        let daemon = try Daemon(folder)
        try daemon.create("a")
        try daemon.saveStates()
        for name in folder.names { #expect(mode(of: folder(name)) == 0o600) }
    }

    @Test func `is a folder`() throws {
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

    @Test func `has one daemon at a time, and says which`() throws {
        let first = try Daemon(folder)
        let error = StoreError.inUse(path: folder.path, process: Int(getpid()))
        // The kernel tells no process of its own lock, so here none is named.
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) { try Daemon(folder) }
        #expect(throws: StoreError.self) { try Store.check(folder: folder.path) }
        #expect(error.description == "\(folder.path) is in use by process \(getpid())")
        try first.create("a")
        first.close()
        #expect(try Daemon(folder).all == ["1 a []"])
    }

    @Test func `is given back when a store can't be opened`() throws {
        try Daemon(folder).close()
        try folder.sql("log.sqlite", "PRAGMA user_version = 6")
        #expect(throws: StoreError.tooNew(path: folder.log, version: 6, known: 5)) {
            try Daemon(folder)
        }
        try folder.sql("log.sqlite", "PRAGMA user_version = 5")
        try Daemon(folder).close()
    }

    @Test func `can be named with a slash at its end`() throws {
        let store = try Store(folder: folder.path + "/", durability: .full) {}
        store.close()
        #expect(folder.names == ["log.sqlite", "state.sqlite", "store.ids", "store.lock"])
    }
}
