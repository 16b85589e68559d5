import BusdProtocol
import TestSupport
import Testing

@testable import BusdStorage

/// A start that applies many entries of the log: it reads them again in portions.
@Suite struct RebuildTests {
    private let folder: Folder
    /// Three portions of entries.
    private static let numbers = Array(1...600)

    init() throws {
        folder = try Folder()
        let daemon = try StoreFixture(folder)
        try daemon.create("one")
        for number in Self.numbers {
            daemon.tallies.propose(.add(number), to: try #require(Tally.ID(1)))
        }
        daemon.secrets.propose(.set("hush"), to: ExactText("me"))
        #expect(try daemon.settle().count == 601)
        daemon.close()
    }

    private func keptEntries() throws -> Int? {
        try Recovery(StoreFolder(path: folder.path)).entries.kept?.count
    }

    private func expectAll(_ daemon: StoreFixture) {
        #expect(daemon.numbers() == Self.numbers && daemon.all.count == 1)
        #expect(daemon.secretTexts == ["me hush"])
    }

    @Test func `A start that applies few entries has them in memory`() throws {
        #expect(try keptEntries() == 602)
        let daemon = try StoreFixture(folder)
        #expect(daemon.findings == [] && daemon.store.content.reader == nil)
        #expect(daemon.store.content.entries.count == 602)
        expectAll(daemon)
    }

    @Test func `A rebuild has no entries in memory, and applies all in their order`() throws {
        try File.remove(folder.states)
        #expect(try keptEntries() == nil)
        let daemon = try StoreFixture(folder)
        #expect(daemon.store.content.areStatesLost && daemon.store.content.entries == [])
        #expect(
            daemon.findings == [
                "\(folder.states) is missing", "ids of tally continue after 1024",
            ])
        expectAll(daemon)
        try daemon.store.forgetContent()
        try daemon.saveStates().get()
        daemon.close()
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.store.content.entries == [])
        #expect(again.store.content.reader == nil && again.store.content.covered == 603)
        expectAll(again)
    }

    @Test func `A start after a killed rebuild has no entries in memory if they are many`() throws {
        let many = LogTables.mostKept
        do {
            let log = try Database(path: folder.log)
            let last = try #require(try log.entry(601))
            try log.transaction { () throws(StoreError) in
                for number in 603...(602 + many) {
                    var entry = last
                    (entry.number, entry.previous) = (number, number == 603 ? 601 : number - 1)
                    try log.insert([entry])
                }
            }
        }
        #expect(try keptEntries() == nil)
        let daemon = try StoreFixture(folder)
        #expect(daemon.findings == [] && !daemon.store.content.areStatesLost)
        #expect(daemon.store.content.entries == [])
        #expect(daemon.numbers() == Self.numbers + Array(repeating: 600, count: many))
        #expect(daemon.secretTexts == ["me hush"])
        try daemon.store.forgetContent()
    }

    @Test func `A start fails if an entry cannot be read again`() throws {
        try File.remove(folder.states)
        let store = try Store(folder: folder.path, durability: .full) {}
        var log = try bytes(of: folder.log)
        // The page of the first entries. The store has closed the connection that has read it.
        for place in 2 * 4096..<3 * 4096 { log[place] = 0xff }
        try write(log, to: folder.log)
        let libraries = Libraries(log: store.log, clock: Timeline(), content: store.content)
        defer { libraries.close() }
        #expect(Library<Tally>(libraries).ids == [] && Library<Secret>(libraries).ids == [])
        let error = #expect(throws: StoreError.self) { try store.forgetContent() }
        #expect(error?.isDamage == true)
    }

    @Test func `A list of numbers contains those that were inserted`() {
        let list = NumberList([1, 2, 5, 7, 8, 9])
        #expect((0...10).filter(list.contains) == [1, 2, 5, 7, 8, 9])
        #expect(list.range(endingFrom: 3) == 5...5 && list.range(endingFrom: 10) == nil)
    }
}
