import TestSupport
import Testing

@testable import BusdProtocol
@testable import BusdRedisLog

@Suite struct HouseTests {
    @Test func `All daemons of a house get the same entries in the same order`() throws {
        let fixture = try HouseFixture(members: 3)
        fixture.members[0].create("one")
        try fixture.settle()
        for number in 1...100 {
            for (place, member) in fixture.members.enumerated() { member.add("\(place) \(number)") }
        }
        try fixture.settle()
        let first = fixture.members[0]
        #expect(first.rolls.ids.first.flatMap { first.rolls[$0]?.texts.count } == 300)
        for member in fixture.members {
            #expect(member.all == first.all)
            #expect(member.kept == first.kept && member.kept.map(\.number) == Array(1...301))
            #expect(member.reports == [])
        }
        #expect(Set(first.kept.map(\.daemon)) == ["m0", "m1", "m2"])
        #expect(fixture.members[0].takeOutcomes() == Array(repeating: .applied, count: 101))
        #expect(fixture.members[1].takeOutcomes() == Array(repeating: .applied, count: 100))
    }

    @Test func `A key that is sent through two daemons is applied once`() throws {
        let fixture = try HouseFixture(members: 2)
        fixture.members[0].create("one", key: "a")
        fixture.members[1].create("one", key: "a")
        try fixture.settle()
        fixture.members[1].create("one", key: "a")
        try fixture.settle()
        #expect(fixture.members[0].all == ["1 one []"] && fixture.members[1].all == ["1 one []"])
        let outcomes = fixture.members.flatMap { $0.takeOutcomes() }
        #expect(outcomes.filter { $0 == .applied }.count == 1)
        #expect(outcomes.filter { $0 == .duplicate }.count == 2)
    }

    @Test func `A daemon that returns continues after its last entry, and catches up`() throws {
        let fixture = try HouseFixture(members: 2, publishesAfter: 1_000_000)
        fixture.members[0].create("one")
        try fixture.settle()
        let kept = fixture.members[1].kept
        for number in 1...3_000 { fixture.members[0].add("\(number)") }
        try fixture.settle()
        let before = fixture.member("again", keeping: kept)
        var problems: [String?] = []
        before.log.changed = { [log = before.log] in
            if problems.last != log.problem { problems.append(log.problem) }
        }
        try fixture.settle([before])
        try fixture.turn([before]) { before.log.problem == nil }
        #expect(before.all == fixture.members[0].all)
        #expect(before.kept == fixture.members[0].kept)
        // On a busy machine Redis may not answer in time; then the log is read on.
        let busy = "the link to Redis is lost: Redis does not answer"
        #expect(before.reports.filter { !$0.contains(busy) } == [])
        let others = problems.filter { $0 != busy }
        #expect(others.dropLast().allSatisfy { $0?.hasPrefix("reading the log") ?? true })
        #expect(others.contains("reading the log of the house; wait until it is read"))
        #expect(others.last == .some(nil))
        before.log.changed = {}
    }

    @Test func `A daemon that does not turn for a while loses nothing`() throws {
        let fixture = try HouseFixture(members: 2, publishesAfter: 1_000_000)
        fixture.members[0].create("one")
        try fixture.settle()
        for number in 1...2_000 { fixture.members[0].add("\(number)") }
        try fixture.turn(without: fixture.members[1]) {
            fixture.members[0].libraries.applied == 2_001
        }
        try fixture.settle()
        #expect(fixture.members[1].all == fixture.members[0].all)
    }

    @Test func `Entries are refused while the memory of Redis is full`() throws {
        let fixture = try HouseFixture(members: 2)
        fixture.members[0].create("one")
        try fixture.settle()
        try fixture.server.run("CONFIG", "SET", "maxmemory", "1")
        fixture.members[0].add("lost")
        fixture.members[0].add("lost too")
        try fixture.turn { fixture.members[0].outcomes.count == 3 }
        #expect(fixture.members[0].takeOutcomes() == [.applied, .refused, .refused])
        #expect(fixture.members[0].reports.count == 1)
        try fixture.server.run("CONFIG", "SET", "maxmemory", "0")
        try fixture.turn { fixture.members.allSatisfy(\.log.isAvailable) }
        fixture.members[0].add("kept")
        try fixture.settle()
        #expect(fixture.members.map(\.all) == [["1 one [\"kept\"]"], ["1 one [\"kept\"]"]])
    }

    // MARK: Redis that does not answer

    @Test func `A restart of Redis loses no entry`() throws {
        let fixture = try HouseFixture(members: 2)
        fixture.members[0].create("one")
        try fixture.settle()
        fixture.server.kill()
        fixture.members[0].add("while it is away")
        fixture.members[0].attend()
        try fixture.server.start()
        try fixture.settle()
        fixture.members[1].add("later")
        try fixture.settle()
        #expect(fixture.members[0].all == ["1 one [\"while it is away\", \"later\"]"])
        #expect(fixture.members[1].all == fixture.members[0].all)
        #expect(fixture.members[0].takeOutcomes() == [.applied, .applied])
    }

    @Test func `An entry that was not sent to Redis is refused within a second`() throws {
        let fixture = try HouseFixture(members: 1, isHasty: true)
        fixture.server.kill()
        let member = fixture.members[0]
        try fixture.turn { !member.reports.isEmpty }
        member.create("never")
        try fixture.turn { !member.outcomes.isEmpty }
        #expect(member.takeOutcomes() == [.refused])
        try fixture.turn { !member.log.isAvailable }
        member.create("at once")
        #expect(member.takeOutcomes() == [.refused])
        try fixture.server.start()
        try fixture.turn { member.log.isAvailable }
        member.create("one")
        try fixture.settle()
        #expect(member.all == ["1 one []"])
    }

    @Test func `An entry sent to Redis is uncertain after a second, and may still arrive`() throws {
        let fixture = try HouseFixture(members: 2, isHasty: true)
        let member = fixture.members[0]
        fixture.server.suspend()
        member.create("one", key: "a")
        try fixture.turn { !member.outcomes.isEmpty }
        #expect(member.takeOutcomes() == [.uncertain] && !member.log.isAvailable)
        fixture.server.resume()
        try fixture.turn { member.log.isAvailable && fixture.newest == 1 }
        member.create("one", key: "a")
        try fixture.settle()
        #expect(member.takeOutcomes() == [.duplicate])
        #expect(fixture.members.map(\.all) == [["1 one []"], ["1 one []"]])
    }

    @Test func `A daemon that differs loads the states once, and then refuses sends`() throws {
        let fixture = try HouseFixture(members: 1)
        try fixture.server.run("HSET", fixture.house.digests, "1024", "0123456789abcdef")
        let member = fixture.members[0]
        for number in 1...1_024 { member.create("\(number)") }
        try fixture.turn { !member.reloads.isEmpty }
        #expect(!member.log.isAvailable && member.reports.count == 1)
        #expect(member.reports.first?.contains("had other effects here") == true)
        let states = try HouseClient(fixture.house, at: fixture.server.access).states()
        let loaded = fixture.member("loaded", triedStates: states)
        try fixture.turn([loaded], without: member) { !loaded.reports.isEmpty }
        #expect(!loaded.log.isAvailable && loaded.reloads == [] && loaded.all == member.all)
    }

    @Test(arguments: ["zzz", "", "0123456789abcdeg", "0123456789abcdef0"])
    func `A value that is no digest is replaced and reported`(value: String) throws {
        let fixture = try HouseFixture(members: 1)
        try fixture.server.run("HSET", fixture.house.digests, "1024", value)
        let member = fixture.members[0]
        for number in 1...1_025 { member.create("\(number)") }
        try fixture.turn { !member.reports.isEmpty && fixture.newest == 1_025 }
        #expect(
            member.reports == ["'\(value)' in Redis was no digest of entry 1024: replaced"])
        #expect(member.log.isAvailable && member.reloads == [])
        let digest = try fixture.server.run("HGET", fixture.house.digests, "1024").string
        #expect(digest?.utf8.count == 16)
    }

    @Test(arguments: ["bytes", "off", "beat", "grace", "below", "sized", "secret"])
    func `A number of the head that is none stops no sends`(field: String) throws {
        let fixture = try HouseFixture(members: 1)
        let member = fixture.members[0]
        for value in ["zzz", "nan", "inf", "1e300", "-1e300", "0.5", ""] {
            try fixture.server.run("HSET", fixture.house.head, field, value)
            member.create(value)
            try fixture.settle()
            #expect(member.takeOutcomes() == [.applied], "\(value)")
        }
        #expect(member.reports == [] && member.reloads == [])
    }

    @Test(arguments: ["zzz", "nan", ""])
    func `A damaged record of calls stops no sends`(value: String) throws {
        let fixture = try HouseFixture(members: 1)
        let member = fixture.members[0]
        for number in 1...3 {
            try fixture.server.run("HSET", fixture.house.origins, member.log.origin, value)
            member.create("\(number)")
            try fixture.settle()
        }
        #expect(member.takeOutcomes() == [.applied, .applied, .applied])
        #expect(member.reports == [] && member.all.count == 3)
    }

    @Test func `The log is trimmed when states are in Redis, and a new daemon loads them`() throws {
        let fixture = try HouseFixture(members: 2)
        let first = fixture.members[0]
        for name in ["one", "two"] { first.create(name, key: name) }
        try fixture.settle()
        for number in 1...700 { first.add("\(number)", to: 1 + number % 2) }
        try fixture.settle()
        try fixture.turn { first.log.table.statesEntry > 0 }
        for number in 1...700 { first.add("\(number)", to: 1 + number % 2) }
        try fixture.settle()
        let statesEntry = first.log.table.statesEntry
        // A daemon publishes states at most every five seconds.
        try fixture.turn { fixture.members.contains { $0.log.table.statesEntry > statesEntry } }
        let length = try #require(try fixture.server.run("XLEN", fixture.house.log).number)
        #expect(length < 1_402)

        let client = try HouseClient(fixture.house, at: fixture.server.access)
        let opening = try client.open(identity: nil, position: 0, newest: nil)
        guard case .load(fixture.identity, let states, let covered, _) = opening else {
            Issue.record("\(opening)")
            return
        }
        let late = fixture.member("late", states: (states, after: covered))
        late.create("three", key: "one")
        try fixture.settle([late])
        #expect(late.all == first.all && late.reports == [])
        // The entries that this daemon lacks have been trimmed.
        let old = fixture.member("old", keeping: Array(first.kept.prefix(3)))
        try fixture.turn([late, old]) { !old.reloads.isEmpty }
        #expect(!old.log.isAvailable)
    }

    @Test func `A house with many large entries can be loaded`() throws {
        let fixture = try HouseFixture(members: 1)
        fixture.members[0].create("one")
        let text = String(repeating: "a", count: 200_000)
        for _ in 1...100 { fixture.members[0].add(text) }
        try fixture.settle()
        let client = try HouseClient(fixture.house, at: fixture.server.access)
        let opening = try client.open(identity: nil, position: 0, newest: nil)
        guard case .load(fixture.identity, [], 0, _) = opening else {
            Issue.record("\(opening)")
            return
        }
    }

    @Test func `Large entries of another daemon leave things packed`() throws {
        let fixture = try HouseFixture(members: 2)
        let (sender, other) = (fixture.members[0], fixture.members[1])
        for number in 1...12 { sender.create("\(number)") }
        try fixture.settle()
        let text = String(repeating: "a", count: 500_000)
        for roll in 1...12 { sender.add(text, to: roll) }
        try fixture.settle()
        let one = try #require(Roll.ID(1))
        #expect(other.rolls.records[one]?.unpacked == nil)
        #expect(sender.rolls.records[one]?.unpacked != nil)
        #expect(other.all == sender.all)
    }

    @Test func `A Redis that does not keep its data is refused`() throws {
        let server = try RedisFixture("--appendonly", "no")
        let house = try #require(HouseName("league"))
        #expect(throws: HouseError.self) { try HouseClient(house, at: server.access) }
        let weak = try RedisFixture("--appendfsync", "everysec")
        _ = try HouseClient(house, at: weak.access)
    }

    @Test func `A new house has the states that it was founded with`() throws {
        let server = try RedisFixture()
        let house = try #require(HouseName("league"))
        let client = try HouseClient(house, at: server.access)
        let state = SavedState(
            kind: "roll", id: "7", lastEntry: 3, lastEffect: 3, summary: Array("{}".utf8),
            body: Array(#"{"text":"ä"}"#.utf8), keys: [1, 2, 3, 4, 5, 6, 7, 8])
        var many = (0..<3_000).map { number in
            var other = state
            other.id = "\(number)"
            return other
        }
        let list = #"{"next":3000,"order":\#(Array(0..<3_000))}"#
        many.append(SavedState(kind: "roll", id: "", body: Array(list.utf8)))
        let identity = try client.found(many, number: 9, time: Instant(microseconds: 4))
        let opening = try client.open(identity: nil, position: 0, newest: nil)
        guard case .load(identity, let states, 9, _) = opening else {
            Issue.record("\(opening)")
            return
        }
        #expect(states == many)
        #expect(throws: HouseError.self) {
            try client.found([], number: 0, time: Instant(microseconds: 4))
        }
    }

    @Test func `A house that never had an entry is replaced, and its daemons load it`() throws {
        let server = try RedisFixture()
        let house = try #require(HouseName("league"))
        let client = try HouseClient(house, at: server.access)
        let time = Instant(microseconds: 4)
        let empty = try client.found([], number: 0, time: time)
        #expect(throws: HouseError.self) { try client.found([], number: 9, time: time) }
        let identity = try client.found([], number: 9, time: time, replacesEmpty: true)
        let opening = try client.open(identity: empty, position: 0, newest: nil)
        guard case .load(identity, [], 9, time) = opening else {
            Issue.record("\(opening)")
            return
        }
        #expect(throws: HouseError.self) {
            try client.found([], number: 9, time: time, replacesEmpty: true)
        }
        #expect(try client.identity() == identity)
    }
}

@Suite struct SHA1Tests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
    ])
    func `SHA-1 gives the digests of FIPS 180-4`(text: String, digest: String) {
        let digits = SHA1.hash(Array(text.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(digits.joined() == digest)
    }
}
