import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct StoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func restart(_ daemon: StoreFixture) throws -> StoreFixture {
        daemon.close()
        return try StoreFixture(folder)
    }

    @Test func `A new store is empty`() throws {
        let daemon = try StoreFixture(folder)
        #expect(daemon.findings == [] && daemon.all == [])
        #expect(daemon.store.content.lastNumber == 0)
    }

    @Test func `A store has all answered changes after a restart`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.create("b")
        for number in 1...3 { try daemon.add(number, to: 2) }
        try daemon.set("x", of: "me")
        daemon = try restart(daemon)
        #expect(daemon.findings == [])
        #expect(daemon.all == ["1 a []", "2 b [1, 2, 3]"])
        #expect(daemon.secretTexts == ["me x"])
        #expect(daemon.store.content.covered == 0 && daemon.store.content.lastNumber == 6)
    }

    @Test func `A store reads states, and the entries behind them`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.add(1)
        try daemon.saveStates().get()
        try daemon.add(2)
        daemon = try restart(daemon)
        #expect(daemon.store.content.covered == 2)
        #expect(daemon.store.content.entries.map(\.number) == [3])
        #expect(daemon.all == ["1 a [1, 2]"])
        #expect(try daemon.add(3) == .applied)
        daemon = try restart(daemon)
        #expect(daemon.all == ["1 a [1, 2, 3]"])
    }

    @Test func `The entries of a turn are written in order`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        for number in 1...1000 { daemon.tallies.propose(.add(number), to: try id(1)) }
        #expect(try daemon.settle().count == 1000)
        #expect(try restart(daemon).numbers() == Array(1...1000))
    }

    @Test func `A store keeps each field of an entry`() throws {
        try StoreFixture(folder).close()
        var entry = LogEntry(
            number: 1, time: Instant(microseconds: 1 << 60), kind: "tally", id: "e\u{301}\u{0}",
            previous: 0, by: "me", body: [0, 255])
        (entry.key, entry.isSentToLibrary) = (SendKey(bits: .max), true)
        entry.unchangedSince = 7
        let other = LogEntry(number: 2, time: entry.time, kind: "x", id: "", previous: 1)
        let connection = try Database(path: folder.log)
        try connection.insert([entry, other])
        #expect(try connection.entry(1) == entry)
        #expect(try connection.entry(2) == other)
        #expect(try connection.entries(after: 0, upTo: nil).entries == [entry, other])
    }

    @Test func `A store keeps who sent an entry`() throws {
        try StoreFixture(folder).close()
        let connection = try Database(path: folder.log)
        var entries: [LogEntry] = []
        for by in [nil, "me", "a\tb", "a\t1\t"] {
            for (uid, daemon) in [(1_000, "court 1"), (0, nil), (nil, "court 2"), (nil, nil)] {
                if by == "a\t1\t", uid == nil, daemon == nil { continue }
                var entry = LogEntry(
                    number: entries.count + 1, time: Instant(microseconds: 1), kind: "tally",
                    id: "1", by: by)
                (entry.uid, entry.daemon) = (uid, daemon)
                entries.append(entry)
            }
        }
        try connection.insert(entries)
        #expect(try connection.entries(after: 0, upTo: nil).entries == entries)
        #expect(
            try connection.integer("SELECT count(*) FROM log WHERE by = 'me\t0\t'") == 1)
        // A name without a tab stands alone.
        #expect(try connection.integer("SELECT n FROM log WHERE by = 'me'") == 8)
    }

    @Test func `A store keeps keys, so a duplicate has no effect after a restart`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        let key = SendKey("once", at: try #require(Address("tally/1")))
        func send(_ daemon: StoreFixture) throws -> SendOutcome? {
            let context = SendContext()
            context.key = key
            context.subject = daemon.tallies.subject(try id(1))
            daemon.libraries.begin(context)
            daemon.tallies.propose(.add(5), to: try id(1))
            _ = daemon.libraries.end()
            return try daemon.settle().last
        }
        #expect(try send(daemon) == .applied)
        daemon = try restart(daemon)
        #expect(try send(daemon) == .duplicate)
        try daemon.saveStates().get()
        daemon = try restart(daemon)
        #expect(try send(daemon) == .duplicate)
        #expect(daemon.numbers() == [5])
    }

    @Test(arguments: [Durability.full, .normal])
    func `A store loses nothing in a kill`(durability: Durability) throws {
        let daemon = try StoreFixture(folder, durability: durability)
        try daemon.create("a")
        for number in 1...20 { try daemon.add(number) }
        let killed = try StoreFixture(try folder.copy())
        #expect(killed.findings == [] && killed.numbers() == Array(1...20))
        try daemon.saveStates().get()
        try daemon.add(21)
        let later = try StoreFixture(try folder.copy())
        #expect(later.findings == [] && later.numbers() == Array(1...21))
    }

    @Test func `A store is whole after a kill at any write`() throws {
        let snapshots = WriteSnapshots(folder)
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.create("b")
        for number in 1...4 {
            try daemon.add(number)
            try daemon.set("text \(number)", of: "me")
            if number % 2 == 0 { try daemon.saveStates().get() }
            snapshots.answered = number
        }
        try daemon.delete(2)
        try daemon.saveStates().get()
        daemon.close()
        folder.endFaults()
        #expect(snapshots.all.count > 40)
        for snapshot in snapshots.all {
            let copy = try snapshot.folder()
            let again = try StoreFixture(copy)
            #expect(again.findings == [])
            let numbers = again.numbers() ?? []
            #expect(numbers == Array((1...4).prefix(numbers.count)))
            #expect(numbers.count >= snapshot.answered)
        }
    }

    // MARK: Notes and drafts

    @Test func `A store keeps the time of the newest note`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("a")
        for microseconds: Int64 in 2_000...2_100 {
            daemon.store.note(time: Instant(microseconds: microseconds), number: 1)
        }
        daemon = try restart(daemon)
        #expect(daemon.store.content.lastTime == Instant(microseconds: 2_100))
        #expect(daemon.all == ["1 a []"])
        let copy = try folder.copy()
        daemon.store.note(time: Instant(microseconds: 3_000), number: 1)
        try daemon.wait {
            (try? copy.integer("state.sqlite", "SELECT time FROM note")) == 2_100 ? true : nil
        }
    }

    @Test func `A store returns saved drafts once`() throws {
        let drafts = [
            SavedDraft(kind: "tally", address: "tally-creator", body: [1, 2]),
            SavedDraft(kind: "tally", address: "other", body: []),
        ]
        var daemon = try StoreFixture(folder)
        daemon.store.saveDrafts([drafts[1]])
        daemon.store.saveDrafts(drafts)
        daemon = try restart(daemon)
        #expect(daemon.store.drafts == drafts)
        daemon = try restart(daemon)
        #expect(daemon.store.drafts == [])
    }

    // MARK: Removal

    @Test func `Of a deleted thing, the store keeps only the id and the deletion`() throws {
        let daemon = try StoreFixture(folder)
        for name in ["a", "b"] { try daemon.create(name) }
        for number in 1...1000 {
            daemon.tallies.propose(.add(number), to: try id(1))
            daemon.tallies.propose(.add(number), to: try id(2))
        }
        try daemon.settle()
        try daemon.delete(1)
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        daemon.close()
        #expect(folder.logSize == 1003)
        #expect(try folder.integer("log.sqlite", "SELECT count(*) FROM log WHERE id = '1'") == 0)
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.numbers(2) == Array(1...1000))
        #expect(again.store.content.lastNumber == 2003)
        try again.create("c")
        #expect(again.all.last == "3 c []")
    }

    @Test func `A removal of entries continues after a restart`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        try daemon.set("old", of: "me")
        for number in 1...300 { daemon.tallies.propose(.add(number), to: try id(1)) }
        try daemon.settle()
        try daemon.delete(1)
        // Every write fails, so no removal is done.
        folder.fail(.write, of: "log.sqlite-wal", code: Folder.failedWrite, times: 10_000)
        try daemon.saveStates().get()
        daemon.close()
        folder.endFaults()
        #expect(folder.logSize == 303)
        let again = try StoreFixture(folder)
        try awaitRemovals(again)
        again.close()
        #expect(folder.logSize == 3)
    }

    @Test func `A store keeps no old text of a thing without a history`() throws {
        let daemon = try StoreFixture(folder)
        for text in ["first-text", "second-text"] { try daemon.set(text, of: "me") }
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        try daemon.set("third-text", of: "me")
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        daemon.close()
        for name in ["log.sqlite", "state.sqlite"] {
            let all = String(decoding: try bytes(of: folder(name)), as: UTF8.self)
            #expect(!all.contains("first-text") && !all.contains("second-text"))
        }
        #expect(try StoreFixture(folder).secretTexts == ["me third-text"])
    }

    @Test(arguments: [false, true])
    func `A store has all answered changes after its states are lost`(hasCopy: Bool) throws {
        var daemon = try StoreFixture(folder)
        for name in ["a", "b", "c"] { try daemon.create(name) }
        for name in ["me", "you"] { try daemon.set("old", of: name) }
        try daemon.saveStates().get()
        if hasCopy {
            let copies = StoreFolder(path: folder.path).copies
            try daemon.backup(to: copies[0]).get()
        }
        try daemon.add(1, to: 1)
        try daemon.add(2, to: 2)
        try daemon.delete(1)
        try daemon.create("d")
        try daemon.delete(4)
        try daemon.create("e")
        try daemon.set("new", of: "me")
        daemon.secrets.delete(ExactText("you"))
        try daemon.settle()
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        try daemon.add(3, to: 5)
        daemon.close()
        #expect(try folder.integer("log.sqlite", "SELECT count(*) FROM log WHERE id = '1'") == 0)
        unlink(folder("state.sqlite"))
        daemon = try StoreFixture(folder)
        #expect(daemon.all == ["2 b [2]", "3 c []", "5 e [3]"])
        #expect(daemon.secretTexts == ["me new"])
        try daemon.create("f")
        #expect((daemon.tallies.ids.last?.number ?? 0) > 5)
    }

    @Test func `An entry whose condition depends on a removed entry is not applied`() throws {
        var daemon = try StoreFixture(folder)
        for name in ["a", "b"] { try daemon.create(name) }
        let send = SendContext()
        send.subject = daemon.tallies.subject
        send.isConditional = true
        daemon.libraries.begin(send)
        daemon.tallies.propose(.add(1), to: try id(1))
        _ = daemon.libraries.end()
        // Both are pending together, so the second one is stale.
        daemon.libraries.begin(send)
        daemon.tallies.create(Tally.Seed(name: "stale"))
        _ = daemon.libraries.end()
        #expect(try daemon.settle() == [.applied, .stale])
        try daemon.delete(1)
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        daemon.close()
        unlink(folder("state.sqlite"))
        daemon = try StoreFixture(folder)
        #expect(daemon.all == ["2 b []"])
    }

    @Test func `Conditional entries are applied although entries of others were removed`() throws {
        var daemon = try StoreFixture(folder)
        try daemon.create("old")
        for text in ["x", "y"] { try daemon.set(text, of: "me") }
        func conditionally(_ propose: () throws -> Void) throws {
            let send = SendContext()
            send.subject = daemon.tallies.subject
            send.isConditional = true
            daemon.libraries.begin(send)
            try propose()
            _ = daemon.libraries.end()
            #expect(try daemon.settle() == [.applied])
        }
        try conditionally { daemon.tallies.create(Tally.Seed(name: "new")) }
        try daemon.set("z", of: "me")
        try conditionally { daemon.tallies.delete(try id(1)) }
        try daemon.set("last", of: "me")
        try daemon.saveStates().get()
        try awaitRemovals(daemon)
        daemon.close()
        unlink(folder("state.sqlite"))
        daemon = try StoreFixture(folder)
        #expect(daemon.all == ["2 new []"] && daemon.secretTexts == ["me last"])
    }

    @Test func `A damaged library state does not bring deleted things back`() throws {
        var daemon = try StoreFixture(folder)
        for name in ["a", "b"] { try daemon.create(name) }
        for name in ["ann", "bob"] { try daemon.set("old", of: name) }
        try daemon.saveStates().get()
        try daemon.delete(1)
        daemon.secrets.delete(ExactText("bob"))
        try daemon.settle()
        try daemon.set("new", of: "ann")
        let killed = try folder.copy()
        try killed.sql("state.sqlite", "UPDATE state SET body = x'00' WHERE id = ''")
        daemon = try StoreFixture(killed)
        #expect(daemon.all == ["2 b []"] && daemon.secretTexts == ["ann new"])
        try daemon.saveStates().get()
        daemon.close()
        #expect(try Store.check(folder: killed.path) == [])
    }

    private func awaitRemovals(_ daemon: StoreFixture) throws {
        var time: Int64 = 10_000
        try daemon.wait { () -> Bool? in
            time += 1
            daemon.store.note(time: Instant(microseconds: time), number: 0)
            guard let copy = try? folder.copy() else { return nil }
            let count = try? copy.integer("state.sqlite", "SELECT count(*) FROM removal")
            return count == 0 ? true : nil
        }
    }

    // MARK: Rounds

    @Test func `A round of many states is saved as one`() throws {
        let daemon = try StoreFixture(folder)
        for number in 1...500 { daemon.tallies.create(Tally.Seed(name: "\(number)")) }
        try daemon.settle()
        try daemon.saveStates().get()
        #expect(try folder.copy().integer("state.sqlite", "SELECT count(*) FROM state") == 501)
        let again = try restart(daemon)
        #expect(again.tallies.count == 500 && again.store.content.entries.isEmpty)
    }

    @Test func `A failed round is reported, and the next round is saved`() throws {
        let daemon = try StoreFixture(folder)
        try daemon.create("a")
        folder.fail(.write, of: "state.sqlite-wal", code: Folder.failedWrite)
        #expect(try !daemon.saveStates().isSuccess)
        #expect(daemon.store.takeReports().count == 1)
        #expect(try daemon.saveStates().isSuccess)
        #expect(daemon.store.takeReports() == ["resolved: states cannot be saved"])
        folder.endFaults()
        let again = try restart(daemon)
        #expect(again.store.content.covered == 1 && again.all == ["1 a []"])
    }
}

func id(_ number: Int) throws -> Tally.ID { try #require(Tally.ID(number)) }
