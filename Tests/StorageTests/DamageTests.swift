import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// The files of a small store.
struct DamageFixture {
    var files: [(name: String, bytes: [UInt8])] = []
    static let made = Result { try DamageFixture() }

    /// Tallies 1 to 4, of which 3 is deleted. The states cover the entries up to 18. The entries
    /// behind them change tallies 1 and 4, create tally 5, and change the secret.
    private init() throws {
        let folder = try Folder()
        let daemon = try StoreFixture(folder)
        for name in ["one", "two", "three", "four"] { try daemon.create(name) }
        for number in 1...4 {
            for tally in [1, 2, 3] { try daemon.add(number, to: tally) }
        }
        try daemon.set("hush", of: "me")
        try daemon.delete(3)
        try daemon.saveStates().get()
        for number in 5...6 { try daemon.add(number) }
        try daemon.add(9, to: 4)
        try daemon.create("five")
        try daemon.add(1, to: 5)
        try daemon.set("quiet", of: "me")
        daemon.store.note(time: Instant(microseconds: 5_000_000), number: 24)
        daemon.close()
        for name in ["log.sqlite", "state.sqlite", "store.ids"] {
            files.append((name, try bytes(of: folder(name))))
        }
    }

    static let all = [
        "1 one [1, 2, 3, 4, 5, 6]", "2 two [1, 2, 3, 4]", "4 four [9]", "5 five [1]",
    ]

    func folder() throws -> Folder {
        let folder = try Folder()
        for file in files { try write(file.bytes, to: folder(file.name)) }
        return folder
    }
}

@Suite struct DamageTests {
    private let folder: Folder

    init() throws { folder = try DamageFixture.made.get().folder() }

    private func open() throws -> StoreFixture { try StoreFixture(folder) }

    /// Expects that nothing is invented: names and numbers are those of the fixture, in order.
    private func expectNoInvention(_ daemon: StoreFixture, _ comment: String) {
        let names = [1: "one", 2: "two", 4: "four", 5: "five"]
        for id in daemon.tallies.ids {
            let tally = daemon.tallies[id]
            #expect(tally?.name == names[id.number], "\(comment): \(daemon.all)")
            let whole = id.number == 1 ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4]
            let numbers = tally?.numbers ?? []
            switch id.number {
            case 4: #expect(numbers == [] || numbers == [9], "\(comment)")
            case 5: #expect(numbers == [] || numbers == [1], "\(comment)")
            default: #expect(numbers == Array(whole.prefix(numbers.count)), "\(comment)")
            }
        }
        let texts = [[], ["me hush"], ["me quiet"]]
        #expect(texts.contains(daemon.secretTexts), "\(comment): \(daemon.secretTexts)")
    }

    /// Expects a report if anything is lost.
    private func expectReport(_ daemon: StoreFixture, _ comment: String) {
        guard daemon.all != DamageFixture.all || daemon.secretTexts != ["me quiet"] else { return }
        #expect(!daemon.findings.isEmpty, "\(comment): \(daemon.all)")
    }

    /// Expects that a new thing has an id that was never used before.
    private func expectNewID(_ daemon: StoreFixture, _ comment: String) throws {
        #expect(try daemon.create("new") == .applied, "\(comment)")
        #expect((daemon.tallies.ids.last?.number ?? 0) > 5, "\(comment): \(daemon.all)")
    }

    @Test func `The undamaged store of these tests has no finding`() throws {
        #expect(try Store.check(folder: folder.path) == [])
        let daemon = try open()
        #expect(daemon.findings == [] && daemon.all == DamageFixture.all)
        #expect(daemon.store.content.covered == 18 && daemon.secretTexts == ["me quiet"])
    }

    @Test(arguments: ["log.sqlite", "state.sqlite", "store.ids"])
    func `A store with a damaged byte opens, and reports any loss`(name: String) throws {
        let fixture = try DamageFixture.made.get()
        let whole = try #require(fixture.files.first { $0.name == name }).bytes
        for (count, place) in stride(from: 0, to: whole.count, by: name == "store.ids" ? 1 : 61)
            .enumerated() where whole[place] != 0 || place < 200 || count % 7 == 0
        {
            let comment = "byte \(place) of \(name)"
            let folder = try fixture.folder()
            var bytes = whole
            bytes[place] ^= count % 2 == 0 ? 0x01 : 0xff
            try write(bytes, to: folder(name))
            do {
                let daemon = try StoreFixture(folder)
                expectNoInvention(daemon, comment)
                expectReport(daemon, comment)
                try expectNewID(daemon, comment)
                let all = daemon.all
                daemon.close()
                let again = try StoreFixture(folder)
                #expect(again.all == all, "\(comment), again")
            } catch let error as StoreError {
                // A damaged version can look like the version of a newer daemon.
                guard case .tooNew = error else { throw error }
            }
        }
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A store with a damaged page opens, and reports any loss`(name: String) throws {
        let fixture = try DamageFixture.made.get()
        let whole = try #require(fixture.files.first { $0.name == name }).bytes
        for page in 0..<(whole.count / 4096) {
            for (kind, filler) in [UInt8(0), 0xff, 0x0d].enumerated() {
                let comment = "page \(page + 1) of \(name), \(kind)"
                let folder = try fixture.folder()
                var bytes = whole
                for place in page * 4096..<(page + 1) * 4096 { bytes[place] = filler }
                try write(bytes, to: folder(name))
                let daemon = try StoreFixture(folder)
                expectNoInvention(daemon, comment)
                expectReport(daemon, comment)
                try expectNewID(daemon, comment)
            }
        }
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"], [0, 1, 100, 4096, 5000])
    func `A store with a cut or missing file opens and reports it`(name: String, size: Int) throws {
        let whole = try bytes(of: folder(name))
        if size == 1 {
            unlink(folder(name))
        } else {
            try write(Array(whole.prefix(size)), to: folder(name))
        }
        let daemon = try open()
        expectNoInvention(daemon, "\(size)")
        expectReport(daemon, "\(size)")
        #expect(!daemon.findings.isEmpty)
        try expectNewID(daemon, "\(size)")
        if size > 1 { #expect(folder.names.contains("\(name).damaged-1")) }
    }

    // MARK: States

    private func damageState(_ id: String, _ column: String = "body") throws {
        try folder.sql("state.sqlite", "UPDATE state SET \(column) = x'00' WHERE id = '\(id)'")
    }

    private var damaged: String {
        "\(folder.states) is damaged (SQLITE_CORRUPT: a row is damaged)"
    }

    @Test(arguments: ["1", "2", "4", ""], ["body", "id", "summary"])
    func `A damaged state loses nothing while the log is whole`(id: String, column: String) throws {
        let value = column == "id" ? "'99'" : "x'00'"
        try folder.sql("state.sqlite", "UPDATE state SET \(column) = \(value) WHERE id = '\(id)'")
        let daemon = try open()
        #expect(daemon.findings.contains(damaged))
        #expect(daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"])
        #expect(try daemon.create("six") == .applied)
        daemon.close()
        let again = try open()
        #expect(again.all.dropLast() == DamageFixture.all[...])
        #expect(again.secretTexts == ["me quiet"])
        try again.saveStates().get()
        again.close()
        #expect(try Store.check(folder: folder.path) == [])
    }

    @Test(arguments: ["1", "4", ""])
    func `A missing state loses nothing while the log is whole`(id: String) throws {
        try folder.sql("state.sqlite", "DELETE FROM state WHERE kind = 'tally' AND id = '\(id)'")
        let daemon = try open()
        #expect(daemon.findings.contains("\(folder.states) lacks states"))
        #expect(daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"])
    }

    @Test func `A damaged state with damaged entries is restored from a copy`() throws {
        let first = try open()
        first.store.copy()
        try first.wait { folder.names.contains("copy-1.sqlite") ? true : nil }
        first.close()
        try damageState("2")
        try folder.sql("log.sqlite", "UPDATE log SET body = x'00' WHERE n = 6")
        let daemon = try open()
        #expect(daemon.findings.contains(damaged))
        #expect(daemon.all == DamageFixture.all)
    }

    @Test func `A damaged state with lost entries is restored to that of an older copy`() throws {
        let first = try open()
        first.store.copy()
        try first.wait { folder.names.contains("copy-1.sqlite") ? true : nil }
        try first.add(5, to: 2)
        try first.add(6, to: 2)
        try first.saveStates().get()
        try first.add(7, to: 2)
        try first.add(7, to: 1)
        first.close()
        try damageState("2")
        try folder.sql("log.sqlite", "DELETE FROM log WHERE n = 25")
        let daemon = try open()
        #expect(daemon.numbers(2) == [1, 2, 3, 4] && daemon.numbers(1) == [1, 2, 3, 4, 5, 6, 7])
        #expect(
            daemon.findings.contains(
                "skipped entries of tally 2, because an earlier entry is lost: "
                    + "26 and 27"))
    }

    @Test func `A damaged state without entries loses its thing, which is named once`() throws {
        try damageState("4")
        try folder.sql("log.sqlite", "DELETE FROM log WHERE n = 4")
        var daemon = try open()
        #expect(daemon.findings.contains("tally 4 is lost"))
        #expect(daemon.all == [0, 1, 3].map { DamageFixture.all[$0] })
        try daemon.saveStates().get()
        daemon.close()
        daemon = try open()
        #expect(daemon.findings == [])
        #expect(daemon.all == [0, 1, 3].map { DamageFixture.all[$0] })
    }

    @Test func `A damaged library state keeps the things, and ids are skipped`() throws {
        try damageState("")
        try folder.sql("log.sqlite", "DELETE FROM log WHERE n = 22")
        let daemon = try open()
        #expect(daemon.all == Array(DamageFixture.all.prefix(3)))
        #expect(daemon.findings.contains("ids of tally continue after 1024"))
        try daemon.create("six")
        #expect(daemon.all.last == "1025 six []")
        daemon.close()
        #expect(try open().all.last == "1025 six []")
    }

    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A damaged version of a file is repaired`(name: String) throws {
        try folder.sql(name, "PRAGMA user_version = 4")
        #expect(try !Store.check(folder: folder.path).isEmpty)
        let daemon = try open()
        #expect(daemon.findings.contains("\(folder(name)) is damaged (its version is 4)"))
        #expect(daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"])
        #expect(try daemon.add(7) == .applied)
        try daemon.saveStates().get()
        daemon.close()
        #expect(try open().findings == [])
    }

    @Test func `A damaged note is reported, and nothing is lost`() throws {
        try folder.sql("state.sqlite", "UPDATE note SET n = 99")
        let daemon = try open()
        #expect(daemon.findings.contains("the time of the last note is lost"))
        #expect(daemon.all == DamageFixture.all && daemon.secretTexts == ["me quiet"])
    }

    // MARK: Entries

    @Test func `A damaged entry behind the states loses only later entries of its thing`() throws {
        try folder.sql("log.sqlite", "UPDATE log SET body = x'00' WHERE n = 19")
        let daemon = try open()
        #expect(
            daemon.findings.prefix(2) == [
                "lost entries: 19",
                "skipped entries of tally 1, because an earlier entry is lost: 20",
            ])
        #expect(daemon.all == ["1 one [1, 2, 3, 4]"] + DamageFixture.all.dropFirst())
        #expect(try daemon.add(7) == .applied)
        daemon.close()
        #expect(try open().numbers() == [1, 2, 3, 4, 7])
    }

    @Test func `A lost creation loses the created thing, and its id is not reused`() throws {
        try folder.sql("log.sqlite", "DELETE FROM log WHERE n = 22")
        let daemon = try open()
        #expect(daemon.all == Array(DamageFixture.all.prefix(3)))
        let finding = "skipped entries of tally 5"
        #expect(daemon.findings.contains { $0.utf8.starts(with: finding.utf8) })
        try daemon.create("six")
        #expect(daemon.all.last == "1025 six []")
        daemon.close()
        #expect(try open().all.last == "1025 six []")
    }

    @Test func `Damage to entries that the states cover loses nothing`() throws {
        try folder.sql("log.sqlite", "UPDATE log SET body = x'00' WHERE n < 18")
        let daemon = try open()
        #expect(daemon.findings == [] && daemon.all == DamageFixture.all)
        daemon.close()
        #expect(try Store.check(folder: folder.path).count == 1)
    }

    @Test func `A log that lacks its last entries is detected by the note`() throws {
        try folder.sql("log.sqlite", "DELETE FROM log WHERE n > 22")
        let daemon = try open()
        #expect(daemon.findings.contains("lost entries: 23 and 24"))
        #expect(daemon.store.content.lastNumber >= 24)
    }

    // MARK: Whole files

    private func makeCopy() throws {
        let daemon = try open()
        daemon.store.copy()
        try daemon.wait { folder.names.contains("copy-1.sqlite") ? true : nil }
        try daemon.add(7)
        daemon.close()
    }

    private let expected = ["1 one [1, 2, 3, 4, 5, 6, 7]"] + DamageFixture.all.dropFirst()

    @Test func `A missing file of states is restored from a copy and the log`() throws {
        try makeCopy()
        unlink(folder.states)
        let daemon = try open()
        #expect(daemon.all == expected && daemon.secretTexts == ["me quiet"])
        #expect(daemon.findings.first == "\(folder.states) is missing")
    }

    @Test(arguments: ["1", "4", ""])
    func `Missing states with a damaged copy are restored from the log`(id: String) throws {
        try makeCopy()
        try folder.sql("copy-1.sqlite", "UPDATE state SET body = x'00' WHERE id = '\(id)'")
        unlink(folder.states)
        let daemon = try open()
        #expect(daemon.all == expected && daemon.secretTexts == ["me quiet"])
    }

    @Test func `A missing log leaves the states and the copy`() throws {
        try makeCopy()
        unlink(folder.log)
        let daemon = try open()
        #expect(daemon.all == DamageFixture.all)
        #expect(daemon.findings.first == "\(folder.log) is missing")
    }

    @Test func `Damage to both files leaves the copy`() throws {
        try makeCopy()
        for path in [folder.log, folder.states] { try write([7, 7, 7], to: path) }
        let daemon = try open()
        #expect(daemon.all == DamageFixture.all)
        try expectNewID(daemon, "")
    }

    @Test func `With both files missing and no copy, the reserved ids are kept`() throws {
        for path in [folder.log, folder.states] { unlink(path) }
        let daemon = try open()
        #expect(daemon.all == [])
        try daemon.create("new")
        #expect(daemon.all == ["1025 new []"])
    }

    @Test func `Missing states without a copy are restored from a log that has all entries`() throws
    {
        let folder = try Folder()
        let first = try StoreFixture(folder)
        try first.create("a")
        try first.add(1)
        try first.saveStates().get()
        try first.add(2)
        first.close()
        unlink(folder.states)
        #expect(try StoreFixture(folder).all == ["1 a [1, 2]"])
    }

    @Test func `A write-ahead log without its database is read, or its loss reported`() throws {
        let folder = try Folder()
        let first = try StoreFixture(folder)
        try first.create("a")
        let copy = try folder.copy()
        try write([], to: copy.log)
        let daemon = try StoreFixture(copy)
        #expect(daemon.all == ["1 a []"] || !daemon.findings.isEmpty)
    }
}
