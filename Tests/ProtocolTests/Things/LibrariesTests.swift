import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A proposal` {
    private let attic = Attic()

    @Test func `a proposal is in the log, in its permanent form, before it is applied`() throws {
        attic.time.move(to: Instant(microseconds: 7_000))
        attic.create(1, 2)
        let entry = try #require(attic.log.batches.first?.first)
        #expect(
            (entry.number, entry.time.microseconds, entry.kind, entry.id) == (1, 7_000, "pile", ""))
        #expect(entry.body.text == #"{"create":{"_0":{"numbers":[1,2]}}}"#)
        attic.succeed()
        try attic.move(1, to: 0)
        try attic.propose(.put(3), to: 1)
        try attic.delete(1)
        let bodies = attic.log.batches.joined().map { "\($0.id) \($0.body.text)" }
        #expect(bodies == [#"1 {"put":{"_0":3}}"#, #" {"delete":{"_0":1}}"#])
    }

    @Test func `a proposal to move a thing has a permanent form`() throws {
        for number in 1...2 { attic.create(number) }
        for _ in 1...2 { attic.succeed() }
        try attic.move(1, to: 1)
        #expect(attic.log.batches.first?.first?.body.text == #"{"move":{"_0":1,"to":1}}"#)
    }

    @Test func `all proposals of a turn go to the log together`() throws {
        for number in 1...3 { attic.piles.create(Pile.Seed(numbers: [number])) }
        #expect(attic.log.commits == 0)
        attic.libraries.settle()
        #expect(attic.log.batches.map(\.count) == [3])
    }

    @Test func `an entry has the number of the previous entry of its thing`() throws {
        attic.create()
        attic.succeed()
        for number in 1...2 { try attic.propose(.put(number), to: 1) }
        attic.create()
        try attic.delete(1)
        #expect(attic.log.batches.joined().map(\.previous) == [1, 2, 1, 4])
    }

    @Test func `a proposal that changes nothing is written only if another is pending`() throws {
        attic.create()
        attic.succeed()
        try attic.propose(.clear, to: 1)
        #expect(attic.outcomes.last == "no effect")
        #expect(!attic.log.hasCommits)
        try attic.propose(.put(1), to: 1)
        try attic.propose(.clear, to: 1)
        #expect(attic.log.batches.count == 2)
        attic.succeed()
        attic.succeed()
        #expect(attic.outcomes.suffix(2) == ["applied 1", "applied 1"])
        #expect(attic.pile(1)?.numbers == [])
    }

    @Test func `a refused proposal changes nothing, and all behind it are refused`() throws {
        attic.create(1)
        attic.succeed()
        let before = attic.present
        attic.outcomes = []
        try attic.propose(.put(1), to: 1)
        try attic.delete(1)
        // The log does not have this proposal of the present turn yet.
        attic.piles.propose(.put(2), to: try #require(Pile.ID(1)), then: attic.note)
        attic.log.fail()
        #expect(attic.apply() == [.refused, .refused, .refused])
        #expect(attic.outcomes == ["refused", "refused", "refused"])
        #expect(attic.present == before)
        #expect(!attic.libraries.hasPending)
        #expect(attic.libraries.pendingBytes == 0)
        try attic.propose(.put(3), to: 1)
        #expect(attic.log.batches.first?.first?.number == 2)
    }

    @Test func `a proposal is refused at once while the log is not available`() throws {
        attic.create()
        attic.succeed()
        attic.log.isAvailable = false
        try attic.propose(.put(1), to: 1)
        #expect(attic.outcomes.last == "refused")
        #expect(!attic.log.hasCommits)
        attic.log.isAvailable = true
        try attic.propose(.put(2), to: 1)
        attic.succeed()
        #expect(attic.pile(1)?.numbers == [2])
    }

    @Test func `a proposal that cannot be encoded is refused, and reported`() throws {
        attic.create()
        attic.succeed()
        let result = try attic.send("k") {
            attic.piles.propose(.putNothing(.nan), to: try #require(Pile.ID(1)))
        }
        guard case .settled(.refused) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(attic.libraries.takeFaults().count == 1)
        #expect(attic.libraries.takeFaults() == [])
    }

    @Test func `the time of a proposal is never earlier than that of one before it`() {
        let log = TestLog()
        var content = LogContent()
        content.lastTime = Instant(microseconds: 9_000)
        let attic = Attic(log: log, content: content)
        attic.create()
        #expect(log.batches.first?.first?.time == Instant(microseconds: 9_000))
    }

    @Test func `a proposal reports its outcome after the call, not during it`() throws {
        attic.piles.delete(try #require(Pile.ID(1)), then: attic.note)
        #expect(attic.outcomes == [])
        attic.libraries.settle()
        #expect(attic.outcomes == ["no effect"])
    }
}

@Suite struct `The proposal of a send` {
    private let attic = Attic()
    private let id: Pile.ID

    init() throws {
        id = try #require(Pile.ID(1))
        attic.create()
        attic.succeed()
        attic.outcomes = []
    }

    private var subject: Subject { attic.piles.subject(id) }

    private func put(
        _ number: Int, _ key: String? = nil, at address: String = "pile/1",
        isConditional: Bool = false
    ) throws -> SendResult {
        try attic.send(key, at: address, to: subject, isConditional: isConditional) {
            attic.piles.propose(.put(number), to: id, then: attic.note)
        }
    }

    /// Commits and applies all proposals.
    private func land() -> [SendOutcome] {
        attic.libraries.commit()
        while attic.log.hasCommits { attic.log.succeed() }
        return attic.apply()
    }

    @Test func `a send is applied once for each key`() throws {
        for _ in 1...2 { _ = try put(1, "a") }
        _ = try put(2, "b")
        #expect(!subject.knows(SendKey("a", at: .literal("pile/1"))))
        #expect(land() == [.applied, .duplicate, .applied])
        #expect(subject.knows(SendKey("a", at: .literal("pile/1"))))
        #expect(attic.pile(1)?.numbers == [1, 2])
        #expect(attic.outcomes == ["applied 1", "refused", "applied 1"])
        _ = try put(3, "a")
        _ = try put(4, "a", at: "pile/1/x")
        #expect(land() == [.duplicate, .applied])
    }

    @Test func `a send with a key is written also if it changes nothing`() throws {
        _ = try attic.send("a", to: subject) { attic.piles.propose(.clear, to: id) }
        #expect(land() == [.noEffect])
        _ = try put(1, "a")
        #expect(land() == [.duplicate])
    }

    @Test func `a key is forgotten after 1,024 later keys of its address`() throws {
        _ = try put(0, "other", at: "pile/1/x")
        for number in 0...1_024 { _ = try put(number, "\(number)") }
        _ = land()
        _ = try put(1, "1")
        _ = try put(0, "0")
        _ = try put(0, "other", at: "pile/1/x")
        #expect(land() == [.duplicate, .applied, .duplicate])
    }

    @Test func `the library keeps the key of a send to it, also for an action on a thing`() throws {
        for _ in 1...2 {
            _ = try attic.send("a", at: "piles", to: attic.piles.subject) {
                attic.piles.propose(.put(1), to: id)
            }
        }
        #expect(land() == [.applied, .duplicate])
        let key = SendKey("a", at: .literal("piles"))
        #expect(attic.piles.subject.knows(key))
        #expect(!subject.knows(key))
    }

    @Test func `the library that a send without a subject changes keeps its key`() throws {
        for _ in 1...2 {
            _ = try attic.send("a", at: "creator/me") {
                attic.piles.create(Pile.Seed(numbers: []))
            }
        }
        #expect(land() == [.applied, .duplicate])
        #expect(attic.piles.count == 2)
    }

    @Test func `a conditional send is stale after an effect that it did not know of`() throws {
        _ = try put(1)
        _ = try put(2, "a", isConditional: true)
        #expect(land() == [.applied, .stale])
        #expect(attic.outcomes == ["applied 1", "refused"])
        #expect(attic.pile(1)?.numbers == [1])
        // A stale entry leaves no key.
        _ = try put(3, "a", isConditional: true)
        #expect(land() == [.applied])
    }

    @Test func `a conditional send is not stale after other things or entries without effect`()
        throws
    {
        _ = try attic.send("a", to: subject) { attic.piles.propose(.clear, to: id) }
        attic.piles.create(Pile.Seed(numbers: []))
        _ = try put(1, isConditional: true)
        #expect(land() == [.noEffect, .applied, .applied])
    }

    @Test func `the result of a send is pending, settled, or nothing`() throws {
        guard case .nothing = try attic.send(to: subject, {}) else {
            Issue.record("nothing was proposed")
            return
        }
        guard
            case .settled(.noEffect) = try attic.send(
                to: subject, { attic.piles.propose(.clear, to: id, then: attic.note) })
        else {
            Issue.record("it changes nothing")
            return
        }
        #expect(attic.outcomes == ["no effect"])
        guard case .pending(let number, changesLibrary: false) = try put(1) else {
            Issue.record("it changes the thing")
            return
        }
        attic.libraries.commit()
        attic.log.succeed()
        let applied = attic.libraries.applyNext()
        #expect(applied?.number == number)
        #expect(applied?.outcome == .applied)
        guard
            case .pending(_, changesLibrary: true) = try attic.send(
                to: attic.piles.subject, { attic.piles.delete(id) })
        else {
            Issue.record("it changes the library")
            return
        }
    }
}
