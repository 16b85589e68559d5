import BusdProtocol
import CBusdSQLite
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdStorage

/// What is removed from the log, and that a start without saved states still finds everything.
@Suite struct LogTidyingTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A start after all states are lost: the log alone has the content.
    private func rebuilt(_ body: (StoreFixture) throws -> Void) throws {
        let copy = try folder.stableCopy()
        for name in ["state.sqlite", "state.sqlite-wal"] { unlink(copy(name)) }
        let daemon = try StoreFixture(copy)
        try body(daemon)
        daemon.close()
    }

    private func knows(_ key: String, _ daemon: StoreFixture) throws -> Bool {
        daemon.tallies.subject(try id(1)).knows(SendKey(key, at: .literal("tally/1")))
    }

    private func send(
        _ number: Int, key: String, _ daemon: StoreFixture, to tally: Int = 1
    ) throws -> SendOutcome? {
        let context = SendContext()
        context.key = SendKey(key, at: .literal("tally/1"))
        context.subject = daemon.tallies.subject(try id(tally))
        daemon.libraries.begin(context)
        daemon.tallies.propose(.add(number), to: try id(tally))
        _ = daemon.libraries.end()
        return try daemon.settle().last
    }

    @Test func `An entry without effect is removed when a saved state has its key`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        for key in ["1", "2", "3"] { #expect(try send(0, key: key, daemon) == .noEffect) }
        try daemon.add(5)
        daemon.close()
        #expect(folder.logSize == 5)
        daemon = try StoreFixture(folder)
        try daemon.saveStates().get()
        daemon.close()
        #expect(folder.logSize == 2)

        daemon = try StoreFixture(folder)
        #expect(daemon.findings == [] && daemon.numbers() == [5])
        for key in ["1", "2", "3"] { try #expect(knows(key, daemon)) }
        daemon.close()
        try rebuilt { #expect($0.numbers() == [5]) }
    }

    @Test func `The newest entry stays in the log, also if it had no effect`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        #expect(try send(0, key: "k", daemon) == .noEffect)
        try daemon.saveStates().get()
        daemon.close()
        #expect(folder.logSize == 2)
        let next = try StoreFixture(folder)
        #expect(next.store.newestEntry?.number == 2 && next.findings == [])
    }

    @Test func `An entry that followed one without effect is linked to the entry before`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        for number in [0, 1, 0, 0, 2, 0, 3] { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        try daemon.saveStates().get()
        daemon.close()
        #expect(folder.logSize == 4)
        let previous = try folder.integer("log.sqlite", "SELECT prev FROM log WHERE n = 7")
        #expect(previous == 5)
        try rebuilt { #expect($0.numbers() == [1, 2, 3]) }
    }

    @Test func `An entry without effect stays while a pending entry may follow it`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        for number in [0, 0, 1] { daemon.tallies.propose(.add(number), to: try id(1)) }
        daemon.libraries.commit()
        var applied = 0
        try daemon.wait {
            while applied < 2, daemon.libraries.applyNext() != nil { applied += 1 }
            return applied == 2 ? true : nil
        }
        try daemon.saveStates().get()
        try daemon.settle()
        try rebuilt { #expect($0.numbers() == [1]) }
        try daemon.saveStates().get()
        daemon.close()
        #expect(folder.logSize == 2)
        try rebuilt { #expect($0.numbers() == [1]) }
    }

    @Test func `A backup during which the states are saved has all keys`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        for number in 1...600 { #expect(try send(0, key: "\(number)", daemon) == .noEffect) }
        try daemon.add(1)
        daemon.store.backup(to: folder("backup"))
        try daemon.saveStates().get()
        try daemon.wait { daemon.store.takeBackupOutcome() }.get()
        daemon.close()
        #expect(folder.logSize == 2)

        let restored = try Folder()
        try write(try bytes(of: folder("backup")), to: restored("store.sqlite"))
        let other = try StoreFixture(restored)
        #expect(!other.findings.contains { $0.contains("lost") }, "\(other.findings)")
        #expect(other.numbers() == [1])
        for number in [1, 300, 600] { #expect(try knows("\(number)", other)) }
    }

    @Test func `Tidying goes on after a failure`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        for number in [1, 0, 0, 2] { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        let hasFailed = Flag()
        FaultyFiles.add(
            FaultyFiles.Plan(
                path: folder.wal, operation: .write, code: SQLITE_FULL, failures: 1,
                watch: { hasFailed.isSet.store(true, ordering: .relaxed) }))
        try daemon.saveStates().get()
        try daemon.wait { hasFailed.isSet.load(ordering: .relaxed) ? true : nil }
        #expect(try daemon.add(3) == .applied)
        daemon.close()
        #expect(folder.logSize == 4)
        try rebuilt { #expect($0.numbers() == [1, 2, 3]) }
    }

    // MARK: Cuts

    /// Waits until the log was cut.
    private func report(of daemon: StoreFixture) throws -> String {
        try daemon.wait { daemon.store.takeReports().first }
    }

    @Test func `A log that is too long is cut, and still says everything`() throws {
        let daemon = try StoreFixture(folder, mostLogBytes: 256 << 10)
        for name in ["a", "b", "c"] { try daemon.create(name) }
        try daemon.add(7, to: 2)
        for key in ["1", "2"] { #expect(try send(1, key: key, daemon) == .applied) }
        for number in 1...2_000 { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        try daemon.saveStates().get()
        for number in 1...2_000 { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        let report = try report(of: daemon)
        let text =
            "\(folder.log): the log had more than three quarters of its 262144 bytes: 2001 old "
            + "entries were replaced by states: 2001 of tally 1"
        #expect(report == text)
        let all = daemon.all
        daemon.close()
        #expect(folder.logSize == 4_006 - 2_001)
        #expect(try folder.integer("log.sqlite", "SELECT n FROM log WHERE version = 2") == 2_006)

        try rebuilt { daemon in
            #expect(daemon.all == all)
            for key in ["1", "2"] { try #expect(knows(key, daemon)) }
            try #expect(daemon.create("d") == .applied)
            #expect(daemon.all.last == "1025 d []")
        }
    }

    @Test func `A library is cut with all its things, and no id returns`() throws {
        let daemon = try StoreFixture(folder, mostLogBytes: 128 << 10)
        for name in ["a", "b"] { try daemon.create(name) }
        for number in 3...600 {
            daemon.tallies.create(Tally.Seed(name: "x"))
            daemon.tallies.delete(try id(number))
        }
        try daemon.settle()
        daemon.tallies.move(try id(2), to: 0)
        try daemon.create("c")
        try daemon.delete(601)
        try daemon.add(1, to: 1)
        try daemon.saveStates().get()
        try daemon.add(2, to: 1)
        for number in 1...400 { daemon.tallies.propose(.add(number), to: try id(2)) }
        try daemon.settle()
        let report = try report(of: daemon)
        #expect(report.contains("the tally library"))
        let all = daemon.all
        daemon.close()
        try rebuilt { daemon in
            #expect(daemon.all == all)
            try #expect(daemon.create("d") == .applied)
            #expect(daemon.all.last == "1025 d []")
        }
    }

    @Test func `A thing that is deleted after its library was cut does not come back`() throws {
        let daemon = try StoreFixture(folder, mostLogBytes: 128 << 10)
        for number in 1...700 {
            daemon.tallies.create(Tally.Seed(name: "x"))
            if number > 20 { daemon.tallies.delete(try id(number)) }
        }
        daemon.tallies.move(try id(2), to: 0)
        try daemon.add(1, to: 1)
        try daemon.saveStates().get()
        for number in 1...400 { daemon.tallies.propose(.add(number), to: try id(20)) }
        try daemon.settle()
        #expect(try report(of: daemon).contains("the tally library"))
        for number in 5...15 { try daemon.delete(number) }
        try daemon.saveStates().get()
        let all = daemon.all
        daemon.close()
        try rebuilt { daemon in
            #expect(daemon.all == all)
            #expect(daemon.findings.allSatisfy { !$0.contains("is lost") }, "\(daemon.findings)")
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `A store that is cut at any time has everything, with and without states`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var daemon = try StoreFixture(folder, mostLogBytes: 32 << 10)
        for _ in 1...25 {
            for _ in 0..<random.number(0..<40) { try change(daemon, &random) }
            try daemon.settle()
            if random.once(in: 2), daemon.libraries.hasUnsavedStates {
                try daemon.saveStates().get()
            }
            guard random.once(in: 4) else { continue }
            let copy = try folder.stableCopy()
            try expect(daemon, "kill", try StoreFixture(copy))
            try rebuilt { try expect(daemon, "lost states", $0) }
            guard random.once(in: 2) else { continue }
            daemon.close()
            daemon = try StoreFixture(folder, mostLogBytes: 32 << 10)
        }
    }

    private func change(_ daemon: StoreFixture, _ random: inout SeededGenerator) throws {
        let tally = random.number(0..<6) + max(0, daemon.tallies.count - 4)
        switch random.number(0..<9) {
        case 0: daemon.tallies.create(Tally.Seed(name: "\(random.number(0..<100))"))
        case 1: daemon.tallies.delete(try id(max(1, tally)))
        case 2: daemon.tallies.move(try id(max(1, tally)), to: random.number(0..<4))
        case 3:
            daemon.secrets.propose(
                .set("\(random.number(0..<9))"), to: ExactText("s\(random.number(0..<3))"))
        default:
            daemon.tallies.propose(.add(random.number(0..<5)), to: try id(max(1, tally)))
        }
    }

    private func expect(_ daemon: StoreFixture, _ what: Comment, _ other: StoreFixture) throws {
        // A place in the order may depend on things that were deleted since.
        #expect(other.all.sorted() == daemon.all.sorted(), what)
        #expect(other.secretTexts.sorted() == daemon.secretTexts.sorted(), what)
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

@Suite struct FreeSpaceTests {
    @Test func `A start gives back the space of a file that is mostly free`() throws {
        let folder = try Folder()
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.add(1)
        daemon.close()
        try folder.sql(
            "log.sqlite",
            """
            CREATE TABLE removed (bytes BLOB);
            INSERT INTO removed VALUES (zeroblob(\(20 << 20)));
            DROP TABLE removed;
            """)
        let full = try #require(try File.size(folder.log))
        // A start that cannot do it goes on, and says why.
        mkdir(folder("log.sqlite.new"), 0o700)
        daemon = try StoreFixture(folder)
        let report = try #require(daemon.store.takeReports().first)
        #expect(report.utf8.starts(with: "free space stays in \(folder.log): ".utf8))
        #expect(daemon.findings == [] && daemon.all == ["1 a [1]"])
        daemon.close()
        rmdir(folder("log.sqlite.new"))
        #expect(full > 20 << 20)
        daemon = try StoreFixture(folder)
        #expect(daemon.findings == [] && daemon.all == ["1 a [1]"])
        let small = try #require(try File.size(folder.log))
        #expect(small < 1 << 20)
        try daemon.add(2)
        daemon.close()
        #expect(try StoreFixture(folder).all == ["1 a [1, 2]"])
    }

    @Test func `Sends wait if the log is full, and the log keeps its size`() throws {
        let folder = try Folder()
        let daemon = try StoreFixture(folder, mostLogBytes: 1 << 20)
        try daemon.create("a")
        for round in 1...60 {
            for number in 1...500 { daemon.tallies.propose(.add(number), to: try id(1)) }
            try daemon.settle()
            if round.isMultiple(of: 4) { try daemon.saveStates().get() }
            // All entries have 4 MiB. On a busy machine, the states may come late.
            let size = try #require(try File.size(folder.log))
            #expect(size <= 2 << 20)
        }
        let numbers = daemon.numbers()
        #expect(numbers?.count == 30_000)
        daemon.close()
        #expect(try StoreFixture(folder).numbers() == numbers)
    }
}
