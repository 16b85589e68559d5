import BusdAccounts
import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// Random changes of what stands in Redis.
@Suite struct HouseFuzzTests {
    private struct Users: FuzzedThings {
        static let kinds = [KindCheck(User.self)]
        let users: Library<User>

        init(_ libraries: Libraries) { users = Library(libraries) }

        func steps() -> [() -> Void] {
            ["ann", "bob", "ann", "cid"].enumerated().map { place, name in
                { users.propose(.setHash("$argon2id$\(place)"), to: ExactText(name)) }
            }
        }
    }

    @Test func `A changed entry of users is refused by all daemons alike, or applied`() throws {
        try HouseFuzz<Users>.changeEntries()
    }

    @Test func `Changed states of users are refused, or can be loaded and used`() throws {
        try HouseFuzz<Users>.changeStates()
    }

    @Test func `Changed heads and heartbeats are left out, or have possible numbers`() throws {
        var random = Mutations(seed: 3)
        let house = try #require(HouseName("league"))
        let start = HouseStart(
            house, at: RedisAccess(.unix(path: "/")), identity: "", member: "m", version: "1")
        let row = #"1700000000000000 {"name":"m","version":"1","position":7,"since":1600000000}"#
        let head = ["0abc", "17", "1700000000000000", "00ff", "busd:x:states:9:0", "9", "00fe"]
        var (rows, views) = (0, 0)
        for _ in 0..<fuzzRounds {
            let table = HouseTable(start, "self")
            let changed = random.change(Array(row.utf8))
            table.note(
                rows: .list([.text(Array("0a".utf8)), .text(changed)]), time: 1_700_000_000_000_000,
                took: 5, at: 5, newest: 7)
            let time = RedisValue.text(random.change(Array("1700000000000000".utf8))).instant
            if let time {
                table.note(
                    rows: .null, time: time.microseconds, took: 5, at: 5_000_000, newest: 7)
            }
            _ = table.expectedTime(at: 5_000_000)
            for row in table.rows {
                #expect(LogEntry.numbers.contains(row.position))
                #expect(table.millisecondsSince(row) >= 0)
                #expect(row.since.microseconds >= 0)
                _ = table.isAlive(row)
            }
            rows += table.rows.count

            var values = head.map { RedisValue.text(Array($0.utf8)) }
            let place = random.number(0..<values.count)
            values[place] = .text(random.change(values[place].bytes ?? []))
            let entry = random.entry(17, Array("{}\n".utf8), isChanged: random.once(in: 2))
            let oldest = RedisValue.text(random.change(Array("9-0".utf8)))
            let length = RedisValue.text(random.change(Array("9".utf8)))
            guard let view = HouseView(.list([.list(values), entry, oldest, length, .number(1)]))
            else {
                continue
            }
            views += 1
            #expect(LogEntry.numbers.contains(view.newest))
            #expect(view.states.map { 0...view.newest ~= $0.entry } ?? true)
            #expect(view.beginning.map { 0...view.newest ~= $0.entry } ?? true)
            _ = HouseNextStep(
                view, identity: "0abc", position: 17, newest: nil, chain: nil)
        }
        for count in [rows, views] {
            #expect(count > 0)
            #expect(count < fuzzRounds)
        }
    }
}
