import BusdProtocol
import BusdTestKit
import Testing

@Suite struct LibraryTests {
    private let fixture = LibraryFixture.fast()

    @Test func `A marked thing is deleted once it has expired`() throws {
        let fixture = LibraryFixture.fast()
        fixture.create(-2_000)
        fixture.create(5)
        try fixture.expire(1)
        try fixture.expire(2)
        try fixture.expire(3)
        fixture.time.move(to: Instant(microseconds: 2_000))
        // Taken back before the deletion arrives.
        fixture.log.isFast = false
        try fixture.propose(.put(3_000), to: 1)
        try fixture.expire(1)
        fixture.succeed()
        fixture.succeed()
        fixture.log.isFast = true
        try fixture.propose(.put(-3_000), to: 1)
        try fixture.expire(1)
        #expect(
            fixture.outcomes == [
                "applied 1", "applied 2", "no effect", "no effect", "no effect", "applied 1",
                "no effect", "applied 1", "applied 1",
            ])
        #expect(fixture.piles.ids.map(\.description) == ["2"])
        #expect(fixture.log.entries.last?.body.text == #"{"expire":{"_0":1}}"#)
        var content = LogContent()
        content.entries = fixture.log.entries
        content.lastNumber = content.entries.count
        #expect(LibraryFixture(content: content).snapshot == fixture.snapshot)
    }

    @Test func `A library numbers its things from 1, and uses no number again`() throws {
        for number in 1...2 { fixture.create(number) }
        try fixture.delete(2)
        fixture.create(3)
        #expect(fixture.piles.ids.map(\.number) == [1, 3])
        #expect(fixture.pile(3)?.numbers == [3])
        #expect(fixture.pile(2) == nil)
        #expect(fixture.outcomes == ["applied 1", "applied 2", "applied 2", "applied 3"])
    }

    @Test(arguments: [
        (1, 3, [2, 3, 4, 1]), (4, 0, [4, 1, 2, 3]), (3, 1, [1, 3, 2, 4]), (2, 1, [1, 2, 3, 4]),
        (2, 4, [1, 2, 3, 4]), (2, -1, [1, 2, 3, 4]), (9, 0, [1, 2, 3, 4]),
    ])
    func `A library moves a thing only to a place that exists`(
        number: Int, place: Int, order: [Int]
    ) throws {
        for number in 1...4 { fixture.create(number) }
        try fixture.move(number, to: place)
        #expect(fixture.piles.ids.map(\.number) == order)
        #expect(
            fixture.outcomes.last == (order == [1, 2, 3, 4] ? "no effect" : "applied \(number)"))
    }

    @Test func `A library applies an action at the time of its proposal`() throws {
        fixture.create()
        fixture.log.isFast = false
        fixture.time.move(to: Instant(microseconds: 2_000))
        try fixture.propose(.put(1), to: 1)
        fixture.time.move(to: Instant(microseconds: 3_000))
        #expect(fixture.pile(1)?.numbers == [])
        fixture.succeed()
        #expect(fixture.pile(1)?.changed == 2_000)
    }

    @Test func `A change notifies parts, the whole, the library, then the proposer`() throws {
        fixture.create()
        let id = try #require(Pile.ID(1))
        fixture.piles.follow(id, as: .whole).bind(fixture) {
            $0.outcomes.append("whole \($1 != nil)")
        }
        fixture.piles.follow(id, as: .part).bind(fixture) {
            $0.outcomes.append("part \($1 != nil)")
        }
        fixture.piles.changes.bind(fixture) { fixture, _ in fixture.outcomes.append("library") }
        fixture.outcomes = []
        try fixture.propose(.put(1), to: 1)
        #expect(fixture.outcomes == ["part true", "whole true", "library", "applied 1"])
        fixture.outcomes = []
        try fixture.delete(1)
        #expect(fixture.outcomes == ["part false", "whole false", "library", "applied 1"])
    }

    @Test func `A library reports each change once, after it was made`() throws {
        var changes: [String] = []
        fixture.piles.changes.bind(fixture) { fixture, change in
            switch change {
            case .created(let id, let summary):
                #expect(fixture.piles[id]?.summary == summary)
                changes.append("created \(id)")
            case .changed(let id, let summary, let before):
                #expect(fixture.piles[id]?.summary == summary)
                changes.append("changed \(id) from \(before.total) to \(fixture.piles.size)")
            case .moved(let id, let place): changes.append("moved \(id) to \(place)")
            case .deleted(let id):
                #expect(fixture.piles[id] == nil)
                changes.append("deleted \(id)")
            }
        }
        for number in 1...2 { fixture.create(number) }
        try fixture.propose(.put(4), to: 2)
        try fixture.move(2, to: 0)
        try fixture.delete(2)
        // These three have no effect.
        try fixture.delete(2)
        try fixture.move(1, to: 0)
        try fixture.propose(.put(1), to: 2)
        #expect(
            changes == [
                "created 1", "created 2", "changed 2 from 2 to 7", "moved 2 to 0", "deleted 2",
            ])
    }

    @Test func `A change that is proposed while another is reported waits`() throws {
        fixture.create()
        let id = try #require(Pile.ID(1))
        fixture.piles.follow(id).bind(fixture) { fixture, pile in
            fixture.outcomes.append("follower \(pile?.numbers ?? [])")
            if pile?.numbers.count == 1 {
                fixture.piles.propose(.put(2), to: id, then: fixture.note)
            }
        }
        fixture.piles.changes.bind(fixture) { fixture, _ in fixture.outcomes.append("library") }
        fixture.outcomes = []
        try fixture.propose(.put(1), to: 1)
        #expect(
            fixture.outcomes == [
                "follower [1]", "library", "applied 1", "follower [1, 2]", "library", "applied 1",
            ])
    }

    @Test func `A library forgets followers that are gone`() throws {
        fixture.create()
        let id = try #require(Pile.ID(1))
        let before = fixture.piles.follow(id)
        do {
            let follower = LibraryFixture()
            before.bind(follower) { follower, _ in follower.outcomes.append("heard") }
            fixture.piles.unfollow(id)
            #expect(fixture.piles.follow(id) === before)
        }
        fixture.piles.unfollow(id)
        #expect(fixture.piles.follow(id) !== before)
    }

    @Test func `A named thing exists from its first action with an effect`() throws {
        fixture.flags.propose(.lower, to: "a")
        fixture.libraries.settle()
        #expect(fixture.flags.ids == [])
        fixture.flags.propose(.raise, to: "é")
        fixture.flags.propose(.raise, to: "e\u{301}")
        fixture.libraries.settle()
        #expect(fixture.flags.ids == ["é", "e\u{301}"])
        fixture.flags.propose(.lower, to: "é")
        fixture.libraries.settle()
        #expect(fixture.flags["é"]?.isUp == false)
        fixture.flags.delete("é")
        fixture.libraries.settle()
        #expect(fixture.flags.ids == ["e\u{301}"])
    }

    @Test func `A library adds up the sizes of its things`() throws {
        fixture.create(1, 2)
        fixture.create(4)
        try fixture.propose(.put(8), to: 1)
        #expect(fixture.piles.size == 15)
        try fixture.propose(.clear, to: 1)
        #expect(fixture.piles.size == 4)
        try fixture.delete(2)
        #expect(fixture.piles.size == 0)
    }
}

@Suite struct PendingEntriesTests {
    private let fixture = LibraryFixture()

    @Test func `A library does not change until an entry is committed`() throws {
        fixture.create(1)
        #expect(fixture.piles.ids == [])
        #expect(fixture.outcomes == [])
        fixture.succeed()
        #expect(fixture.piles.ids.map(\.number) == [1])
        #expect(fixture.outcomes == ["applied 1"])
    }

    @Test func `A library includes pending entries in its expected count and size`() throws {
        fixture.create(1)
        fixture.create(2, 3)
        #expect((fixture.piles.expectedCount, fixture.piles.expectedSize) == (2, 6))
        fixture.succeed()
        #expect((fixture.piles.expectedCount, fixture.piles.expectedSize) == (2, 6))
        #expect((fixture.piles.count, fixture.piles.size) == (1, 1))
        fixture.fail()
        #expect((fixture.piles.expectedCount, fixture.piles.expectedSize) == (1, 1))
        let id = try #require(Pile.ID(1))
        try fixture.propose(.put(4), to: 1)
        try fixture.propose(.put(5), to: 1)
        #expect(fixture.piles.expectedSize == 10)
        #expect(fixture.piles.expectedGrowth(of: id) == 9)
        fixture.succeed()
        #expect(fixture.piles.expectedGrowth(of: id) == 5)
        fixture.succeed()
        #expect((fixture.piles.expectedGrowth(of: id), fixture.piles.expectedSize) == (0, 10))
    }

    @Test func `A library knows which things are pending, and since when`() throws {
        let id = try #require(Pile.ID(1))
        fixture.create()
        #expect(!fixture.piles.isPending(id))
        fixture.succeed()
        fixture.time.move(to: Instant(microseconds: 2_000))
        try fixture.propose(.put(1), to: 1)
        fixture.time.move(to: Instant(microseconds: 3_000))
        try fixture.propose(.put(2), to: 1)
        #expect(fixture.piles.isPending(id))
        #expect(fixture.piles.pendingSince(id) == Instant(microseconds: 2_000))
        fixture.succeed()
        #expect(fixture.piles.isPending(id))
        fixture.succeed()
        #expect(!fixture.piles.isPending(id))
        #expect(fixture.piles.pendingSince(id) == nil)
    }

    @Test func `A thing is no longer pending when its last entry is reported`() throws {
        fixture.create()
        fixture.succeed()
        let id = try #require(Pile.ID(1))
        fixture.piles.follow(id).bind(fixture) { fixture, _ in
            fixture.outcomes.append("pending \(fixture.piles.isPending(id))")
        }
        for number in 1...2 { try fixture.propose(.put(number), to: 1) }
        fixture.outcomes = []
        fixture.succeed()
        fixture.succeed()
        #expect(fixture.outcomes == ["pending true", "applied 1", "pending false", "applied 1"])
    }

    @Test func `A library numbers things in the order of the log`() throws {
        fixture.create(1)
        fixture.create(2)
        fixture.succeed()
        fixture.fail()
        fixture.create(3)
        fixture.succeed()
        #expect(fixture.piles.ids.map(\.number) == [1, 2])
        #expect(fixture.pile(2)?.numbers == [3])
        #expect(fixture.outcomes == ["applied 1", "refused", "applied 2"])
    }

    @Test func `An entry has the highest number that a creation may use`() throws {
        for number in 1...2 { fixture.create(number) }
        #expect(fixture.log.batches.joined().map(\.highestID) == [1, 2])
    }
}
