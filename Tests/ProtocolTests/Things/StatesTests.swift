import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

/// Keeps the saved states between two runs.
private struct Shelter {
    private(set) var states: [String: SavedState] = [:]
    private(set) var covered = 0

    /// Saves all changed states.
    mutating func save(_ libraries: Libraries) throws {
        let applied = libraries.applied
        for encode in libraries.takeUnsavedStates() {
            switch try encode() {
            case .save(let state, _): states["\(state.kind) \(state.id)"] = state
            case .remove(let kind, let id, _): states["\(kind) \(id)"] = nil
            case .decide: break
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

@Suite struct `Saved states` {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `saved states and later entries restore the libraries`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let attic = Attic.fast()
        var shelter = Shelter()
        for step in 1...120 {
            attic.time.move(to: Instant(microseconds: Int64(1_000 + step)))
            try change(attic, &random)
            if random.once(in: 30) { try shelter.save(attic.libraries) }
            if random.once(in: 10) { while !attic.libraries.packSome() {} }
        }
        let again = Attic(content: shelter.content(attic.log))
        #expect(again.libraries.open() == [])
        #expect(again.present == attic.present)
        #expect(again.libraries.applied == attic.libraries.applied)
        for number in 1...20 {
            let id = try #require(Pile.ID(number))
            let (one, other) = (attic.piles.subject(id), again.piles.subject(id))
            #expect(one.lastEffect == other.lastEffect)
            for key in 0..<8 {
                let key = SendKey("\(key)", at: .literal("pile/1"))
                #expect(one.knows(key) == other.knows(key))
            }
        }
        #expect(attic.piles.subject.lastEffect == again.piles.subject.lastEffect)
        // Both continue in the same way.
        for attic in [attic, again] {
            attic.log.isFast = true
            attic.create(7)
        }
        #expect(again.present == attic.present)
    }

    private func change(_ attic: Attic, _ random: inout SeededGenerator) throws {
        let number = random.number(1...20)
        switch random.number(0..<14) {
        case 0...2: attic.create(number)
        case 3: try attic.delete(number)
        case 4: try attic.move(number, to: random.number(0..<8))
        case 5: try attic.propose(.clear, to: number)
        case 6...8:
            let id = try #require(Pile.ID(number))
            let key = "\(random.number(0..<8))"
            _ = try attic.send(
                key, to: attic.piles.subject(id), isConditional: random.once(in: 4)
            ) { attic.piles.propose(.put(number), to: id) }
            attic.libraries.settle()
        case 9:
            attic.flags.delete(ExactText("\(number % 4)"))
            attic.libraries.settle()
        case 10...11:
            attic.flags.propose(
                random.once(in: 2) ? .raise : .lower, to: ExactText("\(number % 4)"))
            attic.libraries.settle()
        default: try attic.propose(.put(number), to: number)
        }
    }

    @Test func `saved states have a permanent form`() throws {
        let attic = Attic.fast()
        attic.create(1, 2)
        var states: [StateChange] = []
        for encode in attic.libraries.takeUnsavedStates() { states.append(try encode()) }
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
        #expect(!attic.libraries.hasUnsavedStates)
    }

    @Test func `saved states are of one moment, however late they are encoded`() throws {
        let attic = Attic.fast()
        attic.create(1)
        let unsaved = attic.libraries.takeUnsavedStates()
        try attic.propose(.put(2), to: 1)
        attic.create(3)
        for encode in unsaved {
            guard case .save(let state, _) = try encode() else { continue }
            let expected =
                state.id.isEmpty ? #"{"next":2,"order":[1]}"# : #"{"numbers":[1],"changed":0}"#
            #expect(state.body.text == expected)
        }
        #expect(attic.libraries.hasUnsavedStates)
    }

    @Test func `the state of a deleted thing is removed with its entries`() throws {
        let attic = Attic.fast()
        attic.create()
        try attic.propose(.put(1), to: 1)
        try attic.delete(1)
        let changes = try attic.libraries.takeUnsavedStates().map { try $0() }
        #expect(changes.contains(.remove(kind: "pile", id: "1", lastEntry: 2)))
    }

    @Test func `a state tells that the entries of its kind need not be kept`() throws {
        let attic = Attic.fast()
        attic.flags.propose(.raise, to: "a")
        attic.libraries.settle()
        let changes = try attic.libraries.takeUnsavedStates().map { try $0() }
        #expect(
            changes.contains { change in
                if case .save(let state, keepsHistory: false) = change {
                    state.id == "a"
                } else {
                    false
                }
            })
    }

    @Test func `a state that cannot be read is reported, and its thing does not exist`() throws {
        var content = LogContent()
        content.states = [
            SavedState(kind: "pile", id: "", body: Array(#"{"next":5,"order":[3,1,2]}"#.utf8)),
            state("1", #"{"numbers":[1],"changed":0}"#), state("x", "{}"),
            SavedState(kind: "pile", id: "2", summary: Array("{".utf8)),
            state("4", #"{"numbers":[4],"changed":0}"#),
        ]
        let attic = Attic(content: content)
        #expect(attic.libraries.open().count == 3)
        #expect(attic.piles.ids.map(\.number) == [1, 4])
        attic.create()
        attic.succeed()
        #expect(attic.piles.ids.map(\.number) == [1, 4, 5])
    }

    private func state(_ id: String, _ body: String) -> SavedState {
        SavedState(
            kind: "pile", id: id, summary: Array(#"{"total":1}"#.utf8), body: Array(body.utf8))
    }

    @Test func `the numbers of lost states are not used again`() throws {
        var content = LogContent()
        var entry = LogEntry(number: 1, time: Instant(microseconds: 0), kind: "pile", id: "")
        entry.body = Array(#"{"skip":{"to":41}}"#.utf8)
        (content.entries, content.lastNumber) = ([entry], 1)
        let attic = Attic(content: content)
        attic.create()
        attic.succeed()
        #expect(attic.piles.ids.map(\.number) == [42])
    }

    @Test func `an entry that cannot be read is reported, and leaves its thing as it was`() throws {
        let attic = Attic.fast()
        attic.create(1)
        try attic.propose(.put(2), to: 1)
        try attic.propose(.put(3), to: 1)
        var content = LogContent()
        content.entries = attic.log.entries
        content.entries[1].body = Array("{".utf8)
        content.lastNumber = 3
        let again = Attic(content: content)
        #expect(again.libraries.open().count == 1)
        #expect(again.pile(1)?.numbers == [1, 3])
    }
}
