import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct CheckTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.add(1)
        try daemon.saveStates().get()
        try daemon.add(2)
        daemon.close()
    }

    @Test func `A check changes no file`() throws {
        let names = folder.names
        #expect(try Store.check(folder: folder.path) == [])
        try folder.sql("state.sqlite", "UPDATE state SET body = x'00'")
        let damaged = try bytes(of: folder.states)
        #expect(try !Store.check(folder: folder.path).isEmpty)
        #expect(try bytes(of: folder.states) == damaged)
        unlink(folder("state.sqlite-wal"))
        #expect(folder.names == names)
    }

    @Test(arguments: [false, true])
    func `A read-only store is checked and copied as it would be started`(isKilled: Bool) throws {
        let daemon = try StoreFixture(folder)
        try daemon.add(3)
        let store = isKilled ? try folder.copy() : folder
        daemon.close()
        let names = store.names
        let files = try names.map { try bytes(of: store($0)) }
        let copies = try Folder()
        do {
            let offline = try OfflineStore(store.path, isReadOnly: true)
            #expect((offline.lock == nil) == isKilled)
            #expect(try offline.check() == [])
            try offline.copy(to: copies("store.sqlite"))
        }
        #expect(store.names == names)
        #expect(try names.map { try bytes(of: store($0)) } == files)
        #expect(try StoreFixture(copies).numbers() == [1, 2, 3])
        for (name, change) in [
            ("log.sqlite", Damage.Change.bit(7, at: 18)), ("state.sqlite", .bit(2, at: 100)),
        ] {
            let damage = Damage(file: name, change: change)
            try write(damage.applied(to: try bytes(of: store(name))) ?? [], to: store(name))
            #expect(try !OfflineStore(store.path, isReadOnly: true).check().isEmpty)
        }
    }

    @Test func `A read-only store that a daemon uses is not checked`() throws {
        let daemon = try StoreFixture(folder)
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try OfflineStore(folder.path, isReadOnly: true)
        }
        daemon.close()
    }

    @Test func `A check finds damaged entries, covered by states or not`() throws {
        try folder.sql("log.sqlite", "UPDATE log SET body = x'00' WHERE n = 2")
        #expect(try Store.check(folder: folder.path) == ["damaged entries: 2"])
        try folder.sql("log.sqlite", "UPDATE log SET body = x'00' WHERE n = 3")
        #expect(try Store.check(folder: folder.path).contains("lost entries: 3"))
    }

    @Test func `A check of a killed daemon's store has no finding`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.add(3)
        let copy = try folder.copy()
        #expect(try Store.check(folder: copy.path) == [])
        #expect(try StoreFixture(copy).numbers() == [1, 2, 3])
    }

    @Test func `A check of a copy finds damaged rows and pages`() throws {
        _ = try Store.backup(folder: folder.path, to: folder("copy"))
        #expect(try Store.check(copy: folder("copy")) == [])
        try folder.sql("copy", "UPDATE log SET body = x'00' WHERE n = 2")
        #expect(try Store.check(copy: folder("copy")) == ["damaged entries: 2"])
        try write([UInt8](repeating: 1, count: 9_000), to: folder("copy"))
        #expect(try Store.check(copy: folder("copy")).count == 1)
        try write([], to: folder("copy"))
        #expect(try Store.check(copy: folder("copy")) == ["the file has no tables"])
    }

    @Test func `A check and a backup are refused without a store`() throws {
        let empty = try Folder()
        #expect(try !Store.exists(folder: empty.path))
        #expect(try Store.exists(folder: folder.path))
        let error = StoreError.unsuitable(path: empty.log, reason: "is not there")
        #expect(throws: error) { try Store.check(folder: empty.path) }
        #expect(throws: error) { try Store.backup(folder: empty.path, to: empty("x")) }
        #expect(empty.names == [])
    }

    @Test func `A check names a missing file`() throws {
        unlink(folder.states)
        #expect(try Store.check(folder: folder.path).first == "\(folder.states) is missing")
        #expect(throws: StoreError.self) {
            try Store.backup(folder: folder.path, to: folder("copy"))
        }
    }
}

@Suite struct SmallPartsTests {
    @Test(arguments: [
        ([], "none"), ([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1 to 3"),
        ([1, 2, 5, 7, 8, 9], "1, 2, 5 and 7 to 9"),
        (
            Array(stride(from: 1, through: 41, by: 2)),
            "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39"
                + " and others up to 41"
        ),
    ])
    func `A list of numbers is written as ranges`(numbers: [Int], text: String) {
        #expect(NumberList(numbers).description == text)
    }

    @Test func `Reserved ids come in blocks, and their file has a checksum`() throws {
        let folder = try Folder()
        let place = StoreFolder(path: folder.path)
        #expect(ReservedIDs(of: place) == nil)
        var entry = LogEntry(time: .distantPast, kind: "tally", id: "")
        #expect(ReservedIDs().extended(for: [entry]) == nil)
        entry.highestID = 1024
        let reserved = try #require(ReservedIDs().extended(for: [entry]))
        #expect(reserved["tally"] == 1024 && reserved.extended(for: [entry]) == nil)
        entry.highestID = 1025
        #expect(reserved.extended(for: [entry])?["tally"] == 2048)
        try reserved.write(to: place)
        #expect(ReservedIDs(of: place) == reserved)
        let whole = try bytes(of: folder.ids)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1
            try write(damaged, to: folder.ids)
            #expect(ReservedIDs(of: place) == nil)
        }
    }

    @Test func `A fault is reported once, and its end is reported once`() {
        let reports = Reports()
        let error = StoreError.unsuitable(path: "x", reason: "is bad")
        for _ in 1...3 { reports.note(.log, error) }
        #expect(reports.take() == ["sends are refused: x is bad"])
        for _ in 1...3 { reports.note(.log, nil) }
        #expect(reports.take() == ["resolved: sends are refused"])
    }

    @Test func `A file is filled only if the disk has many times the room`() throws {
        let folder = try Folder()
        try write([1, 2, 3], to: folder("file"))
        try BusdStorage.File.fill(folder("file"), to: 10_000, where: .max)
        #expect(try bytes(of: folder("file")) == [1, 2, 3])
        try BusdStorage.File.fill(folder("file"), to: 70_000, where: 1)
        #expect(try bytes(of: folder("file")).count == 70_000)
    }
}
