import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Which things a backup can show again, and that they become what they were.
@Suite struct ReplayFileTests {
    private let folder: Folder
    private var backup: String { folder("backup") }

    init() throws { folder = try Folder() }

    /// What a replay of the backup has applied.
    private struct Replayed {
        let tallies: Library<Tally>
        let file: ReplayFile
        var problems: [String] = []

        var all: [String] {
            tallies.ids.map { "\($0.text) \(tallies[$0]?.numbers ?? [])" }
        }
    }

    /// - Parameter last: no later entry is applied.
    private func replay(to last: Int = .max) throws -> Replayed {
        let log = ReplayLog()
        let libraries = Libraries(log: log, clock: Timeline())
        let (tallies, secrets) = (Library<Tally>(libraries), Library<Secret>(libraries))
        var file = try ReplayFile(
            path: backup, of: StoreFixture.daemon, kinds: libraries.historicKinds)
        var problems: [String] = []
        var time = Instant(microseconds: 0)
        while let entry = try file.peek(), entry.number <= last {
            #expect(entry.time >= time)
            time = entry.time
            file.skip()
            if let problem = log.apply(entry, to: libraries) {
                problems.append(problem)
                file.drop(entry)
            }
        }
        #expect(secrets.count == 0)
        libraries.close()
        return Replayed(tallies: tallies, file: file, problems: problems)
    }

    /// Makes a backup of a store of its own, with its states up to date or never saved.
    private func store(
        savesStates: Bool = true, mostLogBytes: Int = Store.mostLogBytes,
        _ fill: (StoreFixture) throws -> Void
    ) throws {
        let daemon = try StoreFixture(folder, mostLogBytes: mostLogBytes)
        try fill(daemon)
        if savesStates { try daemon.saveStates().get() }
        try daemon.backup(to: backup).get()
        daemon.close()
    }

    private func fill(_ daemon: StoreFixture) throws {
        for name in ["a", "b", "c"] { try daemon.create(name) }
        try daemon.set("s3cret", of: "ann")
        for number in 1...9 { try daemon.add(number, to: number % 3 + 1) }
        try daemon.add(0)
    }

    // MARK: Whole things

    @Test(arguments: [true, false])
    func `Each entry gives the things that there were`(savesStates: Bool) throws {
        try store(savesStates: savesStates, fill)
        #expect(try replay().all == ["1 [3, 6, 9]", "2 [1, 4, 7]", "3 [2, 5, 8]"])
        #expect(try replay(to: 2).all == ["1 []", "2 []"])
        #expect(try replay(to: 6).all == ["1 []", "2 [1]", "3 [2]"])
        let file = try replay().file
        #expect(file.newest == 13)
        #expect(file.omitted == [] && file.damage == nil)
    }

    @Test(arguments: [true, false])
    func `A thing that was deleted is not shown, and the others keep their ids`(
        savesStates: Bool
    ) throws {
        try store(savesStates: true) { daemon in
            try fill(daemon)
            try daemon.saveStates().get()
            try daemon.delete(2)
            if savesStates { try daemon.saveStates().get() }
            try daemon.create("d")
            try daemon.add(7, to: 4)
        }
        let replayed = try replay()
        #expect(replayed.all == ["1 [3, 6, 9]", "3 [2, 5, 8]", "4 [7]"])
        #expect(replayed.file.omitted == [])
    }

    @Test func `A creation behind the saved states has its id`() throws {
        try store(savesStates: false) { daemon in
            try fill(daemon)
            try daemon.delete(3)
            try daemon.saveStates().get()
            try daemon.create("d")
        }
        #expect(try replay().all == ["1 [3, 6, 9]", "2 [1, 4, 7]", "4 []"])
    }

    @Test(arguments: [1, 2, 3])
    func `A creation that no state has and that is lost does not change other ids`(
        lost: Int
    ) throws {
        try store(savesStates: false) { daemon in
            for name in ["a", "b", "c"] { try daemon.create(name) }
            try daemon.add(7, to: 3)
        }
        try folder.sql("backup", "DELETE FROM log WHERE n = \(lost)")
        let replayed = try replay()
        let gap = "entries of the tally library before \(lost + 1)"
        switch lost {
        case 1:
            #expect(replayed.all == ["3 [7]"])
            #expect(replayed.file.omitted == [gap, "tally of entry 2"])
        case 2:
            #expect(replayed.all == ["1 []", "3 [7]"])
            #expect(replayed.file.omitted == [gap])
        default:
            #expect(replayed.all == ["1 []", "2 []"])
            #expect(replayed.file.omitted == ["tally 3"])
        }
    }

    @Test func `An order of things is shown`() throws {
        try store { daemon in
            try fill(daemon)
            daemon.tallies.move(try #require(Tally.ID(3)), to: 0)
            try daemon.settle()
        }
        #expect(try replay().tallies.ids.map(\.text) == ["3", "1", "2"])
    }

    @Test func `A time that goes back counts as the last`() throws {
        try store(fill)
        try folder.sql("backup", "UPDATE log SET time = 5000 WHERE n = 3")
        try resign(3)
        let replayed = try replay()
        #expect(replayed.all.count == 3)
        #expect(try replayed.file.time(of: 2) == Instant(microseconds: 1_000))
        #expect(try replayed.file.time(of: 9) == Instant(microseconds: 5_000))
        #expect(try replayed.file.position(at: Instant(microseconds: 4_999)) == 2)
        #expect(try replayed.file.position(at: Instant(microseconds: 5_000)) == 13)
        #expect(replayed.file.end == Instant(microseconds: 5_000))
    }

    /// Makes the checksum of a changed row right.
    private func resign(_ number: Int) throws {
        let connection = try Database(path: backup)
        let sql = "SELECT * FROM log WHERE n = \(number)"
        var row = try #require(try connection.once(sql).firstRow())
        row.removeLast()
        try connection.put(row.withChecksum, into: "log")
    }

    // MARK: Parts of histories

    @Test(arguments: [true, false])
    func `A thing of which an entry is lost is named and left out`(isLast: Bool) throws {
        try store(fill)
        try folder.sql("backup", "UPDATE log SET body = x'00' WHERE n = \(isLast ? 13 : 7)")
        let replayed = try replay()
        #expect(replayed.all == ["2 [1, 4, 7]", "3 [2, 5, 8]"])
        #expect(replayed.file.omitted == ["tally 1"])
        #expect(replayed.file.damage == (isLast ? "13" : "7"))
    }

    @Test func `A thing whose creation is lost is named, and the others keep their ids`() throws {
        try store(fill)
        try folder.sql("backup", "DELETE FROM log WHERE n = 1")
        let replayed = try replay()
        #expect(replayed.all == ["2 [1, 4, 7]", "3 [2, 5, 8]"])
        #expect(replayed.file.omitted == ["tally 1"])
    }

    @Test func `A log without its states shows what it has`() throws {
        try store(fill)
        try folder.sql("backup", "DELETE FROM state")
        #expect(try replay().all == ["1 [3, 6, 9]", "2 [1, 4, 7]", "3 [2, 5, 8]"])
    }

    @Test func `Without its log, each thing is named`() throws {
        try store(fill)
        try folder.sql("backup", "DELETE FROM log")
        let replayed = try replay()
        #expect(replayed.all == [])
        #expect(replayed.file.start == nil)
        #expect(replayed.file.omitted == ["tally 1", "tally 2", "tally 3"])
    }

    @Test func `A thing whose history was cut begins with the entry that says all`() throws {
        try store(fill)
        let body = try SavedState(
            kind: "tally", id: "1", lastEntry: 10, lastEffect: 10,
            summary: Array(#"{"name":"a"}"#.utf8),
            body: Array(#"{"name":"a","numbers":[3,6]}"#.utf8)
        ).sharedForm
        var entry = LogEntry(
            number: 10, time: Instant(microseconds: 1_000), kind: "tally", id: "1", previous: 1,
            body: body)
        entry.holdsState = true
        let connection = try Database(path: backup)
        try connection.replace(entry)
        try connection.execute("DELETE FROM log WHERE n = 7")
        #expect(try replay(to: 9).all == ["2 [1, 4]", "3 [2, 5]"])
        let replayed = try replay()
        #expect(replayed.all == ["2 [1, 4, 7]", "3 [2, 5, 8]", "1 [3, 6, 9]"])
        #expect(replayed.file.omitted == [])
    }

    @Test func `An entry that cannot be read leaves its thing as it was`() throws {
        try store(fill)
        try folder.sql("backup", "UPDATE log SET body = CAST('{\"sub\":1}' AS BLOB) WHERE n = 10")
        try resign(10)
        let replayed = try replay()
        #expect(replayed.all == ["1 [3]", "2 [1, 4, 7]", "3 [2, 5, 8]"])
        #expect(replayed.problems.count == 1)
    }

    // MARK: Other files

    private func problem(_ path: String) -> String? {
        do {
            _ = try ReplayFile(path: path, of: StoreFixture.daemon, kinds: [])
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `A file that is no backup is refused with its path`() throws {
        try store(fill)
        let make = "make one with the verb backup"
        let (none, text, empty) = (folder("none"), folder("text"), folder("empty"))
        try folder.write("hello, this is no database at all\n", to: "text")
        try folder.write("", to: "empty")
        let parts = try folder.stableCopy()
        #expect(problem(none) == "\(none) is not there")
        #expect(
            problem(folder.path)
                == "\(folder.path) is a folder, not a regular file: name a file that the verb backup "
                + "has made")
        #expect(
            problem(text) == "\(text) is no backup of a daemon, or is damaged: it is no database")
        #expect(problem(empty) == "\(empty) is no backup of this version: \(make)")
        for name in ["log.sqlite", "state.sqlite"] {
            #expect(
                problem(parts(name)) == "\(parts(name)) is no backup of this version: \(make)")
        }
        try write(Array(try bytes(of: backup).dropLast(5_000)), to: folder("cut"))
        #expect(problem(folder("cut"))?.hasPrefix(folder("cut")) == true)
        #expect(problem(backup) == nil)
    }

    @Test func `The file is not changed, and nothing is written beside it`() throws {
        try store(fill)
        let (before, names) = (try bytes(of: backup), folder.names)
        _ = try replay()
        #expect(try bytes(of: backup) == before)
        #expect(folder.names == names)
    }
}
