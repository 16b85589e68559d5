import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// A store is read and changed by its own daemon only.
@Suite struct StoreDaemonTests {
    private let folder: Folder
    private let other = StoreDaemon("kitchend")
    private static let names = ["log.sqlite", "state.sqlite"]

    /// A store of busd, after a planned stop.
    init() throws {
        folder = try Folder()
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.saveStates().get()
        try daemon.add(1)
        try daemon.backup(to: folder("backup")).get()
        daemon.close()
    }

    private func refusal(_ folder: Folder) -> StoreError {
        .unsuitable(
            path: folder.path,
            reason: "is the store of another daemon than kitchend: name another folder with --state"
        )
    }

    private func refusal(_ backup: String, _ remedy: String = "name another file") -> StoreError {
        .unsuitable(
            path: backup, reason: "is a backup of another daemon than kitchend: \(remedy)")
    }

    private func takeIn(
        _ backup: String, _ folder: Folder, of daemon: StoreDaemon
    ) throws {
        let file = try Descriptor(opening: backup, .configured)
        try Store.takeIn(file, named: backup, folder: folder.path, of: daemon)
    }

    /// Every way to a store refuses that of another daemon.
    private func expectRefusal(
        _ error: StoreError, of folder: Folder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (path, backup) = (folder.path, self.folder("backup"))
        let uses: [() throws -> Void] = [
            { try Store(folder: path, durability: .full, of: other) {}.close() },
            { _ = try Store.check(folder: path, of: other) },
            { _ = try Store.read(folder: path, of: other) },
            { _ = try Store.exists(folder: path, of: other) },
            { try takeIn(backup, folder, of: other) },
        ]
        let before = try folder.files()
        for use in uses {
            #expect(throws: error, sourceLocation: sourceLocation) { try use() }
        }
        let after = try folder.files()
        #expect(after == before, sourceLocation: sourceLocation)
    }

    private func setID(_ id: [UInt8], in names: [String]) throws {
        for name in names {
            var file = try bytes(of: folder(name))
            file.replaceSubrange(68..<72, with: id)
            try write(file, to: folder(name))
        }
    }

    private func ids(in folder: Folder) -> [Int32?] {
        Self.names.map { StoreDaemon.id(in: folder($0)) }
    }

    /// They are stored, so no later version may change them.
    @Test func `The id of a daemon is a hash of its name`() {
        let ids = ["busd", "kitchend", "boardd"].map { StoreDaemon(DaemonName($0)).id }
        #expect(ids == [500_906_492, 571_531_977, -1_947_074_066])
        #expect(StoreDaemon.any.id == 0)
    }

    @Test func `A store is refused to another daemon, and not changed`() throws {
        try expectRefusal(refusal(folder), of: folder)
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.numbers() == [1])
        try again.add(2)
        let killed = try folder.stableCopy()
        try expectRefusal(refusal(killed), of: killed)
        again.close()
    }

    @Test func `The store of another daemon that runs is refused`() throws {
        let daemon = try StoreFixture(folder)
        #expect(throws: refusal(folder)) { try Store.check(folder: folder.path, of: other) }
        try daemon.add(2)
        #expect(daemon.numbers() == [1, 2])
        daemon.close()
    }

    @Test(arguments: names) func `A store of which one file is left is refused, too`(
        name: String
    ) throws {
        unlink(folder(name))
        try expectRefusal(refusal(folder), of: folder)
    }

    // MARK: Other ids

    @Test(arguments: names, [[1, 2, 3, 4], [0, 0, 0, 0]])
    func `A damaged id is mended, and nothing else is reported`(
        name: String, id: [UInt8]
    ) throws {
        try setID(id, in: [name])
        #expect(try Store.check(folder: folder.path, of: StoreFixture.daemon) == [])
        let again = try StoreFixture(folder)
        try again.add(2)
        try again.saveStates().get()
        again.close()
        #expect(again.findings == [] && again.numbers() == [1, 2])
        #expect(ids(in: folder) == [StoreFixture.daemon.id, StoreFixture.daemon.id])
    }

    @Test(arguments: ["kitchend", "boardd"] as [DaemonName])
    func `A store without an id gets that of the daemon that opens it`(name: DaemonName) throws {
        let other = StoreDaemon(name)
        try setID([0, 0, 0, 0], in: Self.names)
        let before = try folder.files()
        #expect(try Store.check(folder: folder.path, of: other) == [])
        #expect(try folder.files() == before)
        let daemon = try StoreFixture(folder, of: other)
        #expect(daemon.findings == [] && daemon.numbers() == [1])
        try daemon.add(2)
        let early = try folder.copy()
        #expect(ids(in: early).first == other.id)
        try daemon.saveStates().get()
        let killed = try folder.stableCopy()
        #expect(ids(in: killed) == [other.id, other.id])
        #expect(throws: StoreError.self) { try StoreFixture(killed) }
        daemon.close()
    }

    // MARK: Backups

    @Test func `A backup is not restored by another daemon`() throws {
        let (backup, empty) = (folder("backup"), try Folder())
        #expect(StoreDaemon.id(in: backup) == StoreFixture.daemon.id)
        #expect(throws: refusal(backup)) { try takeIn(backup, empty, of: other) }
        #expect(empty.names == [])
        try takeIn(backup, empty, of: StoreFixture.daemon)
        #expect(try Store.putBack(folder: empty.path, of: StoreFixture.daemon).count == 1)
        #expect(ids(in: empty) == [StoreFixture.daemon.id, StoreFixture.daemon.id])
        #expect(try StoreFixture(empty).numbers() == [1])
    }

    @Test func `A backup without an id is restored by each daemon`() throws {
        try setID([0, 0, 0, 0], in: ["backup"])
        let empty = try Folder()
        try takeIn(folder("backup"), empty, of: other)
        #expect(try Store.putBack(folder: empty.path, of: other).count == 1)
        #expect(ids(in: empty) == [other.id, other.id])
    }

    @Test func `A backup of another daemon that was put back is not read`() throws {
        let store = try Folder()
        let daemon = try StoreFixture(store, of: other)
        try daemon.create("kitchen")
        daemon.close()
        try write(try bytes(of: folder("backup")), to: store("store.sqlite"))
        try expectRefusal(refusal(store("store.sqlite"), "move it away"), of: store)
        unlink(store("store.sqlite"))
        #expect(try StoreFixture(store, of: other).all == ["1 kitchen []"])
    }

    @Test func `A backup of another daemon is not replayed, through a link neither`() throws {
        let link = folder("link")
        try #require(symlink(folder("backup"), link) == 0)
        for path in [folder("backup"), link] {
            #expect(throws: refusal(path)) { try ReplayFile(path: path, of: other, kinds: []) }
            _ = try ReplayFile(path: path, of: StoreFixture.daemon, kinds: [])
        }
    }
}

extension Folder {
    /// The content of each file, by name.
    fileprivate func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in names { files[name] = try bytes(of: self(name)) }
        return files
    }
}
