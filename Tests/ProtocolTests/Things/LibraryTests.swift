import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A library` {
    private let attic = Attic.fast()

    @Test func `a library numbers its things from 1, and uses no number again`() throws {
        for number in 1...2 { attic.create(number) }
        try attic.delete(2)
        attic.create(3)
        #expect(attic.piles.ids.map(\.number) == [1, 3])
        #expect(attic.pile(3)?.numbers == [3])
        #expect(attic.pile(2) == nil)
        #expect(attic.outcomes == ["applied 1", "applied 2", "applied 2", "applied 3"])
    }

    @Test(arguments: [
        (1, 3, [2, 3, 4, 1]), (4, 0, [4, 1, 2, 3]), (3, 1, [1, 3, 2, 4]), (2, 1, [1, 2, 3, 4]),
        (2, 4, [1, 2, 3, 4]), (2, -1, [1, 2, 3, 4]), (9, 0, [1, 2, 3, 4]),
    ])
    func `a library moves a thing only to a place that exists`(
        number: Int, place: Int, order: [Int]
    ) throws {
        for number in 1...4 { attic.create(number) }
        try attic.move(number, to: place)
        #expect(attic.piles.ids.map(\.number) == order)
        #expect(attic.outcomes.last == (order == [1, 2, 3, 4] ? "no effect" : "applied \(number)"))
    }

    @Test func `a library applies an action at the time of its proposal`() throws {
        attic.create()
        attic.log.isFast = false
        attic.time.move(to: Instant(microseconds: 2_000))
        try attic.propose(.put(1), to: 1)
        attic.time.move(to: Instant(microseconds: 3_000))
        #expect(attic.pile(1)?.numbers == [])
        attic.succeed()
        #expect(attic.pile(1)?.changed == 2_000)
    }

    @Test func `a change notifies parts, the whole, the library, then the proposer`() throws {
        attic.create()
        let id = try #require(Pile.ID(1))
        attic.piles.follow(id, as: .whole).bind(attic) { $0.outcomes.append("whole \($1 != nil)") }
        attic.piles.follow(id, as: .part).bind(attic) { $0.outcomes.append("part \($1 != nil)") }
        attic.piles.changes.bind(attic) { attic, _ in attic.outcomes.append("library") }
        attic.outcomes = []
        try attic.propose(.put(1), to: 1)
        #expect(attic.outcomes == ["part true", "whole true", "library", "applied 1"])
        attic.outcomes = []
        try attic.delete(1)
        #expect(attic.outcomes == ["part false", "whole false", "library", "applied 1"])
    }

    @Test func `a library reports each change once, after it was made`() throws {
        var heard: [String] = []
        attic.piles.changes.bind(attic) { attic, change in
            switch change {
            case .created(let id, let pile):
                #expect(attic.piles[id] == pile)
                heard.append("created \(id)")
            case .changed(let id, let pile, let before):
                #expect(attic.piles[id] == pile)
                heard.append("changed \(id) from \(before.total) to \(attic.piles.size)")
            case .moved(let id, let place): heard.append("moved \(id) to \(place)")
            case .deleted(let id):
                #expect(attic.piles[id] == nil)
                heard.append("deleted \(id)")
            }
        }
        for number in 1...2 { attic.create(number) }
        try attic.propose(.put(4), to: 2)
        try attic.move(2, to: 0)
        try attic.delete(2)
        // These three have no effect.
        try attic.delete(2)
        try attic.move(1, to: 0)
        try attic.propose(.put(1), to: 2)
        #expect(
            heard == [
                "created 1", "created 2", "changed 2 from 2 to 7", "moved 2 to 0", "deleted 2",
            ])
    }

    @Test func `a change that is proposed while another is reported waits`() throws {
        attic.create()
        let id = try #require(Pile.ID(1))
        attic.piles.follow(id).bind(attic) { attic, pile in
            attic.outcomes.append("follower \(pile?.numbers ?? [])")
            if pile?.numbers.count == 1 { attic.piles.propose(.put(2), to: id, then: attic.note) }
        }
        attic.piles.changes.bind(attic) { attic, _ in attic.outcomes.append("library") }
        attic.outcomes = []
        try attic.propose(.put(1), to: 1)
        #expect(
            attic.outcomes == [
                "follower [1]", "library", "applied 1", "follower [1, 2]", "library", "applied 1",
            ])
    }

    @Test func `a library forgets followers that are gone`() throws {
        attic.create()
        let id = try #require(Pile.ID(1))
        let before = attic.piles.follow(id)
        do {
            let ear = Attic()
            before.bind(ear) { ear, _ in ear.outcomes.append("heard") }
            attic.piles.unfollow(id)
            #expect(attic.piles.follow(id) === before)
        }
        attic.piles.unfollow(id)
        #expect(attic.piles.follow(id) !== before)
    }

    @Test func `a named thing exists from its first action with an effect`() throws {
        attic.flags.propose(.lower, to: "a")
        attic.libraries.settle()
        #expect(attic.flags.ids == [])
        attic.flags.propose(.raise, to: "é")
        attic.flags.propose(.raise, to: "e\u{301}")
        attic.libraries.settle()
        #expect(attic.flags.ids == ["é", "e\u{301}"])
        attic.flags.propose(.lower, to: "é")
        attic.libraries.settle()
        #expect(attic.flags["é"]?.isUp == false)
        attic.flags.delete("é")
        attic.libraries.settle()
        #expect(attic.flags.ids == ["e\u{301}"])
    }

    @Test func `a library adds up the sizes of its things`() throws {
        attic.create(1, 2)
        attic.create(4)
        try attic.propose(.put(8), to: 1)
        #expect(attic.piles.size == 15)
        try attic.propose(.clear, to: 1)
        #expect(attic.piles.size == 4)
        try attic.delete(2)
        #expect(attic.piles.size == 0)
    }
}

@Suite struct `A library whose entries are on their way` {
    private let attic = Attic()

    @Test func `a library does not change until an entry is committed`() throws {
        attic.create(1)
        #expect(attic.piles.ids == [])
        #expect(attic.outcomes == [])
        attic.succeed()
        #expect(attic.piles.ids.map(\.number) == [1])
        #expect(attic.outcomes == ["applied 1"])
    }

    @Test func `a library includes pending entries in its expected count and size`() throws {
        attic.create(1)
        attic.create(2, 3)
        #expect((attic.piles.expectedCount, attic.piles.expectedSize) == (2, 6))
        attic.succeed()
        #expect((attic.piles.expectedCount, attic.piles.expectedSize) == (2, 6))
        #expect((attic.piles.count, attic.piles.size) == (1, 1))
        attic.fail()
        #expect((attic.piles.expectedCount, attic.piles.expectedSize) == (1, 1))
        let id = try #require(Pile.ID(1))
        try attic.propose(.put(4), to: 1)
        try attic.propose(.put(5), to: 1)
        #expect(attic.piles.expectedSize == 10)
        #expect(attic.piles.expectedGrowth(of: id) == 9)
        attic.succeed()
        #expect(attic.piles.expectedGrowth(of: id) == 5)
        attic.succeed()
        #expect((attic.piles.expectedGrowth(of: id), attic.piles.expectedSize) == (0, 10))
    }

    @Test func `a library knows which things are pending, and since when`() throws {
        let id = try #require(Pile.ID(1))
        attic.create()
        #expect(!attic.piles.isPending(id))
        attic.succeed()
        attic.time.move(to: Instant(microseconds: 2_000))
        try attic.propose(.put(1), to: 1)
        attic.time.move(to: Instant(microseconds: 3_000))
        try attic.propose(.put(2), to: 1)
        #expect(attic.piles.isPending(id))
        #expect(attic.piles.pendingSince(id) == Instant(microseconds: 2_000))
        attic.succeed()
        #expect(attic.piles.isPending(id))
        attic.succeed()
        #expect(!attic.piles.isPending(id))
        #expect(attic.piles.pendingSince(id) == nil)
    }

    @Test func `a thing is no longer pending when its last entry is reported`() throws {
        attic.create()
        attic.succeed()
        let id = try #require(Pile.ID(1))
        attic.piles.follow(id).bind(attic) { attic, _ in
            attic.outcomes.append("pending \(attic.piles.isPending(id))")
        }
        for number in 1...2 { try attic.propose(.put(number), to: 1) }
        attic.outcomes = []
        attic.succeed()
        attic.succeed()
        #expect(attic.outcomes == ["pending true", "applied 1", "pending false", "applied 1"])
    }

    @Test func `a library numbers things in the order of the log`() throws {
        attic.create(1)
        attic.create(2)
        attic.succeed()
        attic.fail()
        attic.create(3)
        attic.succeed()
        #expect(attic.piles.ids.map(\.number) == [1, 2])
        #expect(attic.pile(2)?.numbers == [3])
        #expect(attic.outcomes == ["applied 1", "refused", "applied 2"])
    }

    @Test func `an entry has the highest number that a creation may use`() throws {
        for number in 1...2 { attic.create(number) }
        #expect(attic.log.batches.joined().map(\.highestID) == [1, 2])
    }
}
