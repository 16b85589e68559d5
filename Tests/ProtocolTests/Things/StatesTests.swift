import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

/// Keeps the saved states between two runs.
private struct SavedStates {
    private(set) var states: [String: SavedState] = [:]
    private(set) var covered = 0

    /// Saves all changed states.
    mutating func save(_ libraries: Libraries) throws {
        let applied = libraries.applied
        for encode in libraries.takeUnsavedStates() {
            switch try encode() {
            case .save(let state, _): states["\(state.kind) \(state.id)"] = state
            case .remove(let kind, let id, _): states["\(kind) \(id)"] = nil
            case .amend: break
            }
        }
        covered = applied
    }

    func content(_ log: TestLog) -> LogContent {
        var content = LogContent()
        content.states = Array(states.values)
        content.covered = covered
        content.entries = log.entries.filter { $0.number > covered }
        content.lastNumber = log.entries.last?.number ?? 0
        content.lastTime = log.entries.last?.time ?? Instant(microseconds: 0)
        return content
    }
}

@Suite struct SavedStatesTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `Saved states and later entries restore the libraries`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = LibraryFixture.fast()
        var saved = SavedStates()
        for step in 1...120 {
            fixture.time.move(to: Instant(microseconds: Int64(1_000 + step)))
            try change(fixture, &random)
            if random.once(in: 30) { try saved.save(fixture.libraries) }
            if random.once(in: 10) { while !fixture.libraries.packSome() {} }
        }
        let again = LibraryFixture(content: saved.content(fixture.log))
        #expect(again.libraries.open() == [])
        #expect(again.snapshot == fixture.snapshot)
        #expect(again.libraries.applied == fixture.libraries.applied)
        for number in 1...20 {
            let id = try #require(Pile.ID(number))
            let (one, other) = (fixture.piles.subject(id), again.piles.subject(id))
            #expect(one.lastEffect == other.lastEffect)
            for key in 0..<8 {
                let key = SendKey("\(key)", at: .literal("pile/1"))
                #expect(one.knows(key) == other.knows(key))
            }
        }
        #expect(fixture.piles.subject.lastEffect == again.piles.subject.lastEffect)
        // Both continue in the same way.
        for fixture in [fixture, again] {
            fixture.log.isFast = true
            fixture.create(7)
        }
        #expect(again.snapshot == fixture.snapshot)
    }

    private func change(_ fixture: LibraryFixture, _ random: inout SeededGenerator) throws {
        let number = random.number(1...20)
        switch random.number(0..<14) {
        case 0...2: fixture.create(number)
        case 3: try fixture.delete(number)
        case 4: try fixture.move(number, to: random.number(0..<8))
        case 5: try fixture.propose(.clear, to: number)
        case 6...8:
            let id = try #require(Pile.ID(number))
            let key = "\(random.number(0..<8))"
            _ = try fixture.send(
                key, to: fixture.piles.subject(id), isConditional: random.once(in: 4)
            ) { fixture.piles.propose(.put(number), to: id) }
            fixture.libraries.settle()
        case 9:
            fixture.flags.delete(ExactText("\(number % 4)"))
            fixture.libraries.settle()
        case 10...11:
            fixture.flags.propose(
                random.once(in: 2) ? .raise : .lower, to: ExactText("\(number % 4)"))
            fixture.libraries.settle()
        default: try fixture.propose(.put(number), to: number)
        }
    }

    @Test func `Saved states have a permanent form`() throws {
        let fixture = LibraryFixture.fast()
        fixture.create(1, 2)
        var states: [StateChange] = []
        for encode in fixture.libraries.takeUnsavedStates() { states.append(try encode()) }
        let saved = states.compactMap { change in
            if case .save(let state, keepsHistory: true) = change { state } else { nil }
        }.sorted { $0.id < $1.id }
        #expect(saved.map(\.id) == ["", "1"])
        #expect(
            saved.map(\.body.text) == [
                #"{"next":2,"order":[1]}"#, #"{"numbers":[1,2],"changed":0}"#,
            ])
        #expect(saved.map(\.summary.text) == ["", #"{"total":3}"#])
        #expect(saved.map(\.lastEntry) == [1, 1])
        #expect(!fixture.libraries.hasUnsavedStates)
    }

    @Test func `Saved states are of one moment, however late they are encoded`() throws {
        let fixture = LibraryFixture.fast()
        fixture.create(1)
        let unsaved = fixture.libraries.takeUnsavedStates()
        try fixture.propose(.put(2), to: 1)
        fixture.create(3)
        for encode in unsaved {
            guard case .save(let state, _) = try encode() else { continue }
            let expected =
                state.id.isEmpty ? #"{"next":2,"order":[1]}"# : #"{"numbers":[1],"changed":0}"#
            #expect(state.body.text == expected)
        }
        #expect(fixture.libraries.hasUnsavedStates)
    }

    @Test func `The state of a deleted thing is removed with its entries`() throws {
        let fixture = LibraryFixture.fast()
        fixture.create()
        try fixture.propose(.put(1), to: 1)
        try fixture.delete(1)
        let changes = try fixture.libraries.takeUnsavedStates().map { try $0() }
        #expect(changes.contains(.remove(kind: "pile", id: "1", lastEntry: 2)))
    }

    @Test func `A state tells that the entries of its kind need not be kept`() throws {
        let fixture = LibraryFixture.fast()
        fixture.flags.propose(.raise, to: "a")
        fixture.libraries.settle()
        let changes = try fixture.libraries.takeUnsavedStates().map { try $0() }
        #expect(
            changes.contains { change in
                if case .save(let state, keepsHistory: false) = change {
                    state.id == "a"
                } else {
                    false
                }
            })
    }

    @Test func `A state that cannot be read is reported, and its thing does not exist`() throws {
        var content = LogContent()
        content.states = [
            SavedState(kind: "pile", id: "", body: Array(#"{"next":5,"order":[3,1,2]}"#.utf8)),
            state("1", #"{"numbers":[1],"changed":0}"#), state("x", "{}"),
            SavedState(kind: "pile", id: "2", summary: Array("{".utf8)),
            state("4", #"{"numbers":[4],"changed":0}"#),
        ]
        let fixture = LibraryFixture(content: content)
        #expect(fixture.libraries.open().count == 3)
        #expect(fixture.piles.ids.map(\.number) == [1, 4])
        fixture.create()
        fixture.succeed()
        #expect(fixture.piles.ids.map(\.number) == [1, 4, 5])
    }

    private func state(_ id: String, _ body: String) -> SavedState {
        SavedState(
            kind: "pile", id: id, summary: Array(#"{"total":1}"#.utf8), body: Array(body.utf8))
    }

    @Test func `The numbers of lost states are not used again`() throws {
        var content = LogContent()
        var entry = LogEntry(number: 1, time: Instant(microseconds: 0), kind: "pile", id: "")
        entry.body = Array(#"{"skip":{"to":41}}"#.utf8)
        (content.entries, content.lastNumber) = ([entry], 1)
        let fixture = LibraryFixture(content: content)
        fixture.create()
        fixture.succeed()
        #expect(fixture.piles.ids.map(\.number) == [42])
    }

    @Test func `An entry that cannot be read is reported, and leaves its thing as it was`() throws {
        let fixture = LibraryFixture.fast()
        fixture.create(1)
        try fixture.propose(.put(2), to: 1)
        try fixture.propose(.put(3), to: 1)
        var content = LogContent()
        content.entries = fixture.log.entries
        content.entries[1].body = Array("{".utf8)
        content.lastNumber = 3
        let again = LibraryFixture(content: content)
        #expect(again.libraries.open().count == 1)
        #expect(again.pile(1)?.numbers == [1, 3])
    }
}
