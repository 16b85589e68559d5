import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// What daemons of a house do if somebody else has changed its log in Redis.
@Suite struct HouseOtherLogTests {
    @Test func `A daemon does not follow a house that was removed`() throws {
        let fixture = try HouseFixture(members: 1)
        let member = fixture.members[0]
        member.create("one")
        try fixture.settle()
        try fixture.server.run("FLUSHALL")
        try fixture.turn { !member.log.isAvailable && !member.reports.isEmpty }
        member.create("two")
        #expect(member.takeOutcomes() == [.applied, .refused] && member.all == ["1 one []"])
    }

    @Test func `A daemon applies nothing behind an entry with a wrong number`() throws {
        let fixture = try HouseFixture(members: 2)
        fixture.members[0].create("one")
        try fixture.settle()
        try fixture.server.run(
            "XADD", fixture.house.log, "2-0", "e", "{}", "t", "5", "c", "00", "o", "x", "s", "1")
        try fixture.turn { fixture.members.allSatisfy { !$0.reports.isEmpty } }
        for member in fixture.members {
            #expect(member.reports.first?.contains("2-0") == true, "\(member.reports)")
            #expect(member.all == ["1 one []"] && !member.log.isAvailable)
        }
        // The link tries again each second, and each reason is reported once.
        try fixture.turn {
            fixture.members.allSatisfy { $0.log.problem?.contains("does not end with") == true }
        }
        let looks = try fixture.looks
        try fixture.turn { (try? fixture.looks) ?? 0 >= looks + 6 }
        for member in fixture.members {
            #expect(member.reports.count == 2, "\(member.reports)")
            #expect(member.reports.last?.contains("does not end with") == true)
        }
    }

    @Test func `A daemon does not follow the log if an entry of its own was changed there`() throws
    {
        let fixture = try HouseFixture(members: 2, isHasty: true)
        let (member, other) = (fixture.members[0], fixture.members[1])
        member.create("one")
        try fixture.settle()
        let changing = HouseFunctions.code.replacing(
            "local n, chain, bytes =",
            with: "for i = 5, #args do args[i] = args[i]:gsub('mine', 'else') end\n"
                + "local n, chain, bytes =")
        try fixture.server.run("FUNCTION", "LOAD", "REPLACE", changing)
        member.add("mine")
        try fixture.turn { member.outcomes.count == 2 && other.libraries.applied == 2 }
        #expect(member.takeOutcomes() == [.applied, .uncertain])
        // It is read again each second, also when its `send` was given up.
        let looks = try fixture.looks
        try fixture.turn { (try? fixture.looks) ?? 0 >= looks + 3 }
        #expect(!member.log.isAvailable && member.all == ["1 one []"])
        #expect(other.all == ["1 one [\"else\"]"] && other.reports == [])
        let report = try #require(member.reports.first)
        #expect(report.contains("entry 2 of the house is not as this daemon has sent it"))
    }
}
