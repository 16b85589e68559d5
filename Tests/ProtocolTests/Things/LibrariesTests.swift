import BusdProtocol
import BusdTestKit
import Testing

@Suite struct ProposalTests {
    private let fixture = LibraryFixture()

    @Test func `A proposal is in the log, in its permanent form, before it is applied`() throws {
        fixture.time.move(to: Instant(microseconds: 7_000))
        fixture.create(1, 2)
        let entry = try #require(fixture.log.batches.first?.first)
        #expect(
            (entry.number, entry.time.microseconds, entry.kind, entry.id) == (1, 7_000, "pile", ""))
        #expect(entry.body.text == #"{"create":{"_0":{"numbers":[1,2]}}}"#)
        fixture.succeed()
        try fixture.move(1, to: 0)
        try fixture.propose(.put(3), to: 1)
        try fixture.delete(1)
        let bodies = fixture.log.batches.joined().map { "\($0.id) \($0.body.text)" }
        #expect(bodies == [#"1 {"put":{"_0":3}}"#, #" {"delete":{"_0":1}}"#])
    }

    @Test func `A proposal to move a thing has a permanent form`() throws {
        for number in 1...2 { fixture.create(number) }
        for _ in 1...2 { fixture.succeed() }
        try fixture.move(1, to: 1)
        #expect(fixture.log.batches.first?.first?.body.text == #"{"move":{"_0":1,"to":1}}"#)
    }

    @Test func `All proposals of a turn go to the log together`() throws {
        for number in 1...3 { fixture.piles.create(Pile.Seed(numbers: [number])) }
        #expect(fixture.log.commits == 0)
        fixture.libraries.settle()
        #expect(fixture.log.batches.map(\.count) == [3])
    }

    @Test func `An entry has the number of the previous entry of its thing`() throws {
        fixture.create()
        fixture.succeed()
        for number in 1...2 { try fixture.propose(.put(number), to: 1) }
        fixture.create()
        try fixture.delete(1)
        #expect(fixture.log.batches.joined().map(\.previous) == [1, 2, 1, 4])
    }

    @Test func `A proposal that changes nothing is written only if another is pending`() throws {
        fixture.create()
        fixture.succeed()
        try fixture.propose(.clear, to: 1)
        #expect(fixture.outcomes.last == "no effect")
        #expect(!fixture.log.hasCommits)
        try fixture.propose(.put(1), to: 1)
        try fixture.propose(.clear, to: 1)
        #expect(fixture.log.batches.count == 2)
        fixture.succeed()
        fixture.succeed()
        #expect(fixture.outcomes.suffix(2) == ["applied 1", "applied 1"])
        #expect(fixture.pile(1)?.numbers == [])
    }

    @Test func `A refused proposal changes nothing, and all behind it are refused`() throws {
        fixture.create(1)
        fixture.succeed()
        let before = fixture.snapshot
        fixture.outcomes = []
        try fixture.propose(.put(1), to: 1)
        try fixture.delete(1)
        // The log does not have this proposal of the present turn yet.
        fixture.piles.propose(.put(2), to: try #require(Pile.ID(1)), then: fixture.note)
        fixture.log.fail()
        #expect(fixture.apply() == [.refused, .refused, .refused])
        #expect(fixture.outcomes == ["refused", "refused", "refused"])
        #expect(fixture.snapshot == before)
        #expect(!fixture.libraries.hasPending)
        #expect(fixture.libraries.pendingBytes == 0)
        try fixture.propose(.put(3), to: 1)
        #expect(fixture.log.batches.first?.first?.number == 2)
    }

    @Test func `A proposal is refused at once while the log is not available`() throws {
        fixture.create()
        fixture.succeed()
        fixture.log.isAvailable = false
        try fixture.propose(.put(1), to: 1)
        #expect(fixture.outcomes.last == "refused")
        #expect(!fixture.log.hasCommits)
        fixture.log.isAvailable = true
        try fixture.propose(.put(2), to: 1)
        fixture.succeed()
        #expect(fixture.pile(1)?.numbers == [2])
    }

    @Test func `A proposal that cannot be encoded is refused, and reported`() throws {
        fixture.create()
        fixture.succeed()
        let result = try fixture.send("k") {
            fixture.piles.propose(.putNothing(.nan), to: try #require(Pile.ID(1)))
        }
        guard case .settled(.unreadable) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fixture.libraries.takeFaults().count == 1)
        #expect(fixture.libraries.takeFaults() == [])
    }

    @Test func `The time of a proposal is never earlier than that of one before it`() {
        let log = TestLog()
        var content = LogContent()
        content.lastTime = Instant(microseconds: 9_000)
        let fixture = LibraryFixture(log: log, content: content)
        fixture.create()
        #expect(log.batches.first?.first?.time == Instant(microseconds: 9_000))
    }

    @Test func `A proposal reports its outcome after the call, not during it`() throws {
        fixture.piles.delete(try #require(Pile.ID(1)), then: fixture.note)
        #expect(fixture.outcomes == [])
        fixture.libraries.settle()
        #expect(fixture.outcomes == ["no effect"])
    }
}

@Suite struct SendProposalTests {
    private let fixture = LibraryFixture()
    private let id: Pile.ID

    init() throws {
        id = try #require(Pile.ID(1))
        fixture.create()
        fixture.succeed()
        fixture.outcomes = []
    }

    private var subject: Subject { fixture.piles.subject(id) }

    private func put(
        _ number: Int, _ key: String? = nil, at address: String = "pile/1",
        isConditional: Bool = false
    ) throws -> SendResult {
        try fixture.send(key, at: address, to: subject, isConditional: isConditional) {
            fixture.piles.propose(.put(number), to: id, then: fixture.note)
        }
    }

    /// Commits and applies all proposals.
    private func commitAll() -> [SendOutcome] {
        fixture.libraries.commit()
        while fixture.log.hasCommits { fixture.log.succeed() }
        return fixture.apply()
    }

    @Test func `A send is applied once for each key`() throws {
        for _ in 1...2 { _ = try put(1, "a") }
        _ = try put(2, "b")
        #expect(!subject.knows(SendKey("a", at: .literal("pile/1"))))
        #expect(commitAll() == [.applied, .duplicate, .applied])
        #expect(subject.knows(SendKey("a", at: .literal("pile/1"))))
        #expect(fixture.pile(1)?.numbers == [1, 2])
        #expect(fixture.outcomes == ["applied 1", "refused", "applied 1"])
        _ = try put(3, "a")
        _ = try put(4, "a", at: "pile/1/x")
        #expect(commitAll() == [.duplicate, .applied])
    }

    @Test func `A send with a key is written also if it changes nothing`() throws {
        _ = try fixture.send("a", to: subject) { fixture.piles.propose(.clear, to: id) }
        #expect(commitAll() == [.noEffect])
        _ = try put(1, "a")
        #expect(commitAll() == [.duplicate])
    }

    @Test func `A key is forgotten after 1,024 later keys of its address`() throws {
        _ = try put(0, "other", at: "pile/1/x")
        for number in 0...1_024 { _ = try put(number, "\(number)") }
        _ = commitAll()
        _ = try put(1, "1")
        _ = try put(0, "0")
        _ = try put(0, "other", at: "pile/1/x")
        #expect(commitAll() == [.duplicate, .applied, .duplicate])
    }

    @Test func `The library keeps the key of a send to it, also for an action on a thing`() throws {
        for _ in 1...2 {
            _ = try fixture.send("a", at: "piles", to: fixture.piles.subject) {
                fixture.piles.propose(.put(1), to: id)
            }
        }
        #expect(commitAll() == [.applied, .duplicate])
        let key = SendKey("a", at: .literal("piles"))
        #expect(fixture.piles.subject.knows(key))
        // A `send` to the thing would have another address, and so another key.
        #expect(!subject.knows(SendKey("a", at: .literal("pile/1"))))
    }

    @Test func `The library that a send without a subject changes keeps its key`() throws {
        for _ in 1...2 {
            _ = try fixture.send("a", at: "creator/me") {
                fixture.piles.create(Pile.Seed(numbers: []))
            }
        }
        #expect(commitAll() == [.applied, .duplicate])
        #expect(fixture.piles.count == 2)
    }

    @Test func `A conditional send is stale after an effect that it did not know of`() throws {
        _ = try put(1)
        _ = try put(2, "a", isConditional: true)
        #expect(commitAll() == [.applied, .stale])
        #expect(fixture.outcomes == ["applied 1", "refused"])
        #expect(fixture.pile(1)?.numbers == [1])
        // A stale entry leaves no key.
        _ = try put(3, "a", isConditional: true)
        #expect(commitAll() == [.applied])
    }

    @Test func `A conditional send is not stale after other things or entries without effect`()
        throws
    {
        _ = try fixture.send("a", to: subject) { fixture.piles.propose(.clear, to: id) }
        fixture.piles.create(Pile.Seed(numbers: []))
        _ = try put(1, isConditional: true)
        #expect(commitAll() == [.noEffect, .applied, .applied])
    }

    @Test func `The result of a send is pending, settled, or nothing`() throws {
        guard case .nothing = try fixture.send(to: subject, {}) else {
            Issue.record("nothing was proposed")
            return
        }
        guard
            case .settled(.noEffect) = try fixture.send(
                to: subject, { fixture.piles.propose(.clear, to: id, then: fixture.note) })
        else {
            Issue.record("it changes nothing")
            return
        }
        #expect(fixture.outcomes == ["no effect"])
        guard case .pending(let number, changesLibrary: false) = try put(1) else {
            Issue.record("it changes the thing")
            return
        }
        fixture.libraries.commit()
        fixture.log.succeed()
        let applied = fixture.libraries.applyNext()
        #expect(applied?.number == number)
        #expect(applied?.outcome == .applied)
        guard
            case .pending(_, changesLibrary: true) = try fixture.send(
                to: fixture.piles.subject, { fixture.piles.delete(id) })
        else {
            Issue.record("it changes the library")
            return
        }
    }
}
