import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Databases beside other files of earlier or later moments.
@Suite struct MixedFilesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private typealias Files = [String: [UInt8]]

    private static let (log, states) = ("log.sqlite", "state.sqlite")

    /// The files at each moment. Things are made, changed and deleted, and states are saved.
    private func moments(_ random: inout SeededGenerator) throws -> [Files] {
        let snapshots = WriteSnapshots(folder)
        for _ in 0..<3 {
            let daemon = try StoreFixture(folder)
            for _ in 0..<random.number(3..<6) {
                for _ in 0..<random.number(1..<12) { try change(daemon, &random) }
                if random.once(in: 2), daemon.libraries.hasUnsavedStates {
                    try daemon.saveStates().get()
                }
            }
            daemon.close()
        }
        folder.endFaults()
        return snapshots.all.map { snapshot in
            Files(snapshot.files.map { ($0.name, $0.bytes) }) { first, _ in first }
        }
    }

    /// The files as a kill at this moment leaves them.
    private func files() throws -> Files {
        let copy = try folder.stableCopy()
        return Files(try copy.names.map { ($0, try bytes(of: copy($0))) }) { first, _ in first }
    }

    /// The new file has a removal of entries that the old states do not cover.
    @Test func `New states with an old write-ahead log remove nothing`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.add(1)
        try daemon.saveStates().get()
        let early = try files()
        for number in 2...5 { try daemon.add(number) }
        let late = try files()
        try daemon.delete(1)
        try daemon.saveStates().get()
        let wal = StoreFolder.wal(of: Self.states)
        let mixed = try mixture([
            Self.log: late, StoreFolder.wal(of: Self.log): late, "store.ids": late,
            Self.states: try files(), wal: early,
        ])
        let problem = "state.sqlite is damaged (SQLITE_CORRUPT: its rows are of different moments)"
        #expect(try Store.check(folder: mixed.path) == [mixed(problem)])

        let again = try StoreFixture(mixed)
        #expect(again.findings.first == mixed(problem) && again.numbers() == [1, 2, 3, 4, 5])
        #expect(again.store.takeWantsStates() && !again.store.takeWantsStates())
        let killed = try StoreFixture(try mixed.stableCopy())
        #expect(killed.numbers() == [1, 2, 3, 4, 5])
    }

    /// The newer states made entries superfluous, which are no longer in the log.
    @Test func `Old states report the entries that the log no longer has`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.set("old", of: "me")
        try daemon.saveStates().get()
        let early = try files()
        for number in [1, 0, 0, 2] { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        for text in ["b", "c"] { try daemon.set(text, of: "me") }
        try daemon.add(3)
        try daemon.saveStates().get()
        daemon.close()
        let late = try files()
        let mixed = try mixture([
            Self.log: late, StoreFolder.wal(of: Self.log): late, "store.ids": late,
            Self.states: early, StoreFolder.wal(of: Self.states): early,
        ])
        #expect(try Store.check(folder: mixed.path).first == "lost entries: 4, 5 and 7")
        let again = try StoreFixture(mixed)
        #expect(again.findings.first == "lost entries: 4, 5 and 7")
        #expect(again.numbers() == [1, 2, 3] && again.secretTexts == ["me c"])
        let killed = try StoreFixture(try mixed.stableCopy())
        #expect(killed.numbers() == [1, 2, 3] && killed.secretTexts == ["me c"])
    }

    private func change(_ daemon: StoreFixture, _ random: inout SeededGenerator) throws {
        let tally = try id(max(1, random.number(0..<3) + daemon.tallies.count - 2))
        switch random.number(0..<8) {
        case 0...1: daemon.tallies.create(Tally.Seed(name: "\(random.number(0..<100))"))
        case 2: daemon.tallies.delete(tally)
        case 3: daemon.secrets.delete(ExactText("s\(random.number(0..<3))"))
        case 4: try daemon.set("\(random.number(0..<99))", of: "s\(random.number(0..<3))")
        default: daemon.tallies.propose(.add(random.number(0..<5)), to: tally)
        }
        try daemon.settle()
    }

    private func mixture(_ files: [String: Files]) throws -> Folder {
        let mixed = try Folder()
        for (name, moment) in files {
            if let bytes = moment[name], !bytes.isEmpty { try write(bytes, to: mixed(name)) }
        }
        return mixed
    }

    private func entries(_ folder: Folder) throws -> Set<String> {
        let sql = "SELECT n || ' ' || kind || id || hex(body) FROM log"
        return Set(try Database(path: folder.log).texts(sql))
    }

    private func number(of entry: String) -> Int {
        entry.split(separator: " ").first.flatMap { Int($0) } ?? .max
    }

    private func content(_ daemon: StoreFixture) -> [String] {
        daemon.all.sorted() + daemon.secretTexts.sorted()
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `A start removes no entry that its states do not cover`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let moments = try moments(&random).filter { $0[Self.log]?.isEmpty == false }
        func moment() throws -> Files { try #require(moments.randomElement(using: &random)) }
        for _ in 0..<15 {
            let logs = try moment()
            let wal = StoreFolder.wal(of: Self.states)
            let mixed = try mixture([
                Self.log: logs, StoreFolder.wal(of: Self.log): logs, "store.ids": logs,
                Self.states: moment(), wal: random.once(in: 4) ? [:] : moment(),
            ])
            let before = try entries(mixed.copy())
            let findings = try Store.check(folder: mixed.path)
            let daemon = try StoreFixture(mixed)
            #expect(findings.isEmpty == daemon.store.findings.isEmpty)
            let (covered, content) = (daemon.store.content.covered, content(daemon))
            let killed = try mixed.stableCopy()
            #expect(
                before.subtracting(try entries(killed)).allSatisfy {
                    number(of: $0) <= covered
                })

            #expect(daemon.store.takeWantsStates() == daemon.store.content.areStatesLost)
            if daemon.libraries.hasUnsavedStates { try daemon.saveStates().get() }
            daemon.close()
            let again = try StoreFixture(mixed)
            #expect(self.content(again) == content, "\(findings) \(again.findings)")
            again.close()
        }
    }
}
