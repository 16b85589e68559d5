import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// States and entries of a house with numbers or names that nothing can have.
@Suite struct HouseNumbersTests {
    private let server: RedisFixture
    private let house: HouseName

    init() throws {
        server = try RedisFixture()
        house = try #require(HouseName("league"))
    }

    private static let library = SavedState(
        kind: "roll", id: "", lastEntry: 3, lastEffect: 3,
        body: Array(#"{"next":2,"order":[1]}"#.utf8))
    private static let roll = SavedState(
        kind: "roll", id: "1", lastEntry: 2, lastEffect: 2,
        summary: Array(#"{"name":"a","count":1}"#.utf8),
        body: Array(#"{"name":"a","texts":["x"]}"#.utf8))

    private static func with(
        _ state: SavedState, _ change: (inout SavedState) -> Void
    ) -> SavedState {
        var changed = state
        change(&changed)
        return changed
    }

    private static let most = (1 << 53) - 1
    private static let longText = String(repeating: "k", count: 300)

    private func open(_ states: [SavedState]) throws -> HouseClient.Opening {
        let client = try HouseClient(house, at: server.access, kinds: [KindCheck(Roll.self)])
        _ = try client.found(states, number: 3, time: Instant(microseconds: 1))
        return try client.open(identity: nil, position: 0, newest: nil)
    }

    @Test func `Possible states are loaded`() throws {
        guard
            case .load(_, let states, let covered, _) = try open([Self.library, Self.roll])
        else {
            Issue.record("they are not loaded")
            return
        }
        #expect(states == [Self.library, Self.roll])
        #expect(covered == 3)
    }

    @Test(arguments: [
        [library, with(roll) { $0.lastEntry = 4 }],
        [library, with(roll) { $0.lastEntry = -1 }],
        [library, with(roll) { $0.lastEffect = most }],
        [library, with(roll) { $0.summary = Array(#"{"name":"a","count":\#(most)}"#.utf8) }],
        [library, with(roll) { $0.summary = [] }], [library, with(roll) { $0.body = [] }],
        [library, with(roll) { $0.id = "x" }], [library, with(roll) { $0.id = "2" }],
        [library, with(roll) { $0.kind = "rolls" }], [library], [roll], [library, roll, roll],
        [with(library) { $0.body = Array(#"{"next":\#(most),"order":[1]}"#.utf8) }, roll],
        [with(library) { $0.body = Array(#"{"next":1,"order":[1]}"#.utf8) }, roll],
        [with(library) { $0.body = Array(#"{"next":2,"order":[1,1]}"#.utf8) }, roll],
    ])
    func `Impossible states are not loaded`(states: [SavedState]) throws {
        #expect {
            try open(states)
        } throws: { error in
            if case HouseError.unusable = error { true } else { false }
        }
    }

    @Test func `A daemon has a name of 1 to 200 printable bytes, also in a row of Redis`() {
        let good = ["a", "Court 1, Nürnberg", String(repeating: "x", count: 200)]
        let bad = ["", String(repeating: "x", count: 201), "a\u{1B}[2J", "a\nb", "a\u{202E}b"]
        func row(_ name: String) -> RedisValue {
            let json = #"{"name":"\#(escaped(name))","version":"1","position":1,"since":1}"#
            return .list([.text(Array("o".utf8)), .text(Array("1 \(json)".utf8))])
        }
        func escaped(_ name: String) -> String {
            name.replacing("\n", with: "\\n").replacing("\u{1B}", with: "\\u001b")
        }
        for name in good { #expect(HouseTable.rows(row(name)).map(\.name) == [name]) }
        for name in bad { #expect(HouseTable.rows(row(name)) == [], "\(name.debugDescription)") }
        for name in good + bad { #expect(HouseTable.isName(name) == good.contains(name)) }
    }

    @Test func `A row that is none is left out, and removed`() throws {
        let fixture = try HouseFixture(members: 2)
        let rows = fixture.house.rows
        let good = #"{"name":"x","version":"1","position":1,"since":1}"#
        let long = "1000000000000000 " + String(repeating: "x", count: 2_000)
        for (origin, row) in [("bad1", "x"), ("bad2", ""), ("bad3", long)] {
            try fixture.server.run("HSET", rows, origin, row)
        }
        try fixture.server.run("HSET", rows, "late", "9223372036854775807 \(good)")
        try fixture.turn {
            (try? fixture.server.run("HKEYS", rows))?.list?.count == 3
                && fixture.members.allSatisfy { $0.log.table.rows.count == 2 }
        }
        #expect(fixture.members.allSatisfy { $0.reports == [] && $0.log.problem == nil })
    }

    @Test(arguments: [
        #"{"kind":"roll","id":"1"}"# + "\n" + #"{"add":{"_0":1}}"#,
        #"{"kind":"roll","id":"","unchangedSince":-1}"# + "\n" + #"{"skip":{"to":1}}"#,
        #"{"kind":"roll","id":""}"# + "\n" + #"{"skip":{"to":\#(most)}}"#,
        #"{"kind":"roll","id":""}"# + "\n" + #"{"skip":{"to":9223372036854775807}}"#,
        #"{"kind":"roll","id":"0"}"# + "\n" + #"{"add":{"_0":"x"}}"#,
        #"{"kind":"\#(longText)","id":""}"# + "\n" + #"{"skip":{"to":1}}"#,
        "{}", "", #"{"kind":"roll","id":""}"#,
    ])
    func `All daemons stop before an impossible entry, and none keeps it`(form: String) throws {
        let fixture = try HouseFixture(members: 2)
        fixture.members[0].create("one")
        try fixture.settle()
        let house = fixture.house
        try fixture.server.run(
            "FCALL", "busd_2_append", "3", house.head, house.log, house.origins, fixture.identity,
            "0badc0de", "1", "", form)
        try fixture.turn { fixture.members.allSatisfy { $0.log.problem != nil } }
        for member in fixture.members {
            #expect(member.kept.map(\.number) == [1])
            #expect(member.reports.count == 1 && member.reports[0].contains("entry 2"))
        }
        #expect(fixture.members[0].reports == fixture.members[1].reports)
    }
}
