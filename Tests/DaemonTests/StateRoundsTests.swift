import BusdEventLoop
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdDaemon
@testable import BusdStorage

/// A thing with a state of many bytes.
private struct Diary: Thing {
    static let kind = "diary"
    private(set) var text = ""

    init(_ seed: String) { text = seed }

    mutating func apply(_ action: String, at time: Instant) -> Bool {
        text += action
        return true
    }
}

/// Rounds of states, and notes, in a store without a daemon.
@Suite struct StateRoundsTests {
    private let folder: Folder
    private let loop: Loop

    init() throws {
        folder = try Folder()
        loop = try Loop()
    }

    private final class Opened {
        let wakeup: Wakeup
        let store: Store
        let timeline: Timeline
        let libraries: Libraries
        let diaries: Library<Diary>
        let loop: Loop

        init(_ folder: Folder, _ loop: Loop) throws {
            self.loop = loop
            wakeup = try Wakeup(loop: loop) {}
            store = try Store(folder: folder("state"), durability: .full, wake: wakeup.signal)
            timeline = Timeline(now: store.content.lastTime)
            libraries = Libraries(log: store.log, clock: timeline, content: store.content)
            diaries = Library(libraries)
            #expect(store.findings + libraries.open() == [])
        }

        deinit { libraries.close() }

        func commitAll() {
            libraries.commit()
            while libraries.hasPending {
                if libraries.applyNext() == nil { loop.turn(block: true) }
            }
        }

        func rounds() -> StateRounds {
            StateRounds(loop, store, libraries) { Issue.record("\($0)") }
        }
    }

    @Test func `A round is encoded in portions, and has the states of its beginning`() throws {
        let opened = try Opened(folder, loop)
        for _ in 0..<5 { opened.diaries.create(String(repeating: "x", count: 200_000)) }
        opened.commitAll()
        let rounds = opened.rounds()
        rounds.begin()
        #expect(rounds.hasWork)
        rounds.attend()
        #expect(rounds.hasWork)
        let first = try #require(opened.diaries.ids.first)
        opened.diaries.propose("later", to: first)
        opened.commitAll()
        var turns = 0
        while rounds.hasWork {
            rounds.attend()
            turns += 1
        }
        #expect(2...4 ~= turns)
        opened.store.close()
        rounds.attend()
        #expect(opened.libraries.hasUnsavedStates)

        let again = try Opened(folder, loop)
        #expect(again.store.content.covered == 5)
        #expect(again.store.content.entries.count == 1)
        #expect(again.diaries[first]?.text.utf8.count == 200_005)
        again.store.close()
    }

    @Test func `A round begins after ten thousand entries`() throws {
        let opened = try Opened(folder, loop)
        let rounds = opened.rounds()
        opened.diaries.create("")
        opened.commitAll()
        let diary = try #require(opened.diaries.ids.first)
        for _ in 0..<9_998 { opened.diaries.propose("", to: diary) }
        opened.commitAll()
        rounds.attend()
        #expect(opened.libraries.hasUnsavedStates)
        opened.diaries.propose("", to: diary)
        opened.commitAll()
        #expect(opened.libraries.applied == 10_000)
        rounds.attend()
        #expect(!opened.libraries.hasUnsavedStates)
        opened.store.close()
    }

    @Test func `The last round has the changes made while the previous one was written`() throws {
        let opened = try Opened(folder, loop)
        let rounds = opened.rounds()
        opened.diaries.create("one")
        opened.commitAll()
        rounds.begin()
        rounds.attend()
        opened.diaries.create("two")
        opened.commitAll()
        rounds.saveAll()
        opened.store.close()

        let again = try Opened(folder, loop)
        #expect(again.store.content.covered == 2)
        #expect(again.store.content.entries == [])
        #expect(again.diaries.ids.compactMap { again.diaries[$0]?.text } == ["one", "two"])
        again.store.close()
    }

    @Test func `The next round has all changes of a failed round, and its removals`() throws {
        let log = TestLog()
        log.isFast = true
        let libraries = Libraries(log: log, clock: Timeline())
        let diaries = Library<Diary>(libraries)
        func settle() {
            libraries.commit()
            while libraries.applyNext() != nil {}
        }
        for text in ["one", "two"] { diaries.create(text) }
        settle()
        let (one, two) = (diaries.ids[0], diaries.ids[1])
        libraries.finishSavingStates(successfully: true)
        _ = libraries.takeUnsavedStates()
        libraries.finishSavingStates(successfully: true)

        diaries.delete(one)
        diaries.propose("!", to: two)
        settle()
        let lost = try libraries.takeUnsavedStates().map { try $0() }
        #expect(lost.count == 3)
        #expect(!libraries.hasUnsavedStates)
        libraries.finishSavingStates(successfully: false)
        #expect(libraries.hasUnsavedStates)
        let next = try libraries.takeUnsavedStates().map { try $0() }
        #expect(next.first == lost.first)
        #expect(next.count == 3)
    }

    /// Applies one entry, and turns until a note is written.
    private func note(newestInLog: Int) throws {
        let opened = try Opened(folder, loop)
        let notes = TimeNotes(loop, opened.store, opened.libraries) { newestInLog }
        opened.diaries.create("one")
        opened.commitAll()
        opened.timeline.move(to: Instant(microseconds: 7))
        let end = loop.now() + 1_200_000
        while loop.now() < end {
            notes.attend()
            loop.turn(block: false)
        }
        opened.store.close()
    }

    @Test func `A note of the time is written soon after an entry`() throws {
        try note(newestInLog: 1)
        let again = try Opened(folder, loop)
        #expect(again.store.content.lastTime == Instant(microseconds: 7))
        again.store.close()
    }

    @Test func `A note has the newest entry of the log, so a start finds a lost one`() throws {
        try note(newestInLog: 2)
        let findings = try Store.read(folder: folder("state"), of: .any).findings
        #expect(findings.contains("lost entries: 2"))
    }
}
