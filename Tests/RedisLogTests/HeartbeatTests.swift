import BusdEventLoop
import Testing

@testable import BusdRedisLog

@Suite struct HeartbeatTests {
    @Test func `the second heartbeat after a connect is not late`() throws {
        let fixture = try HouseFixture(members: 0)
        // A busy machine may be slow, but hardly each time.
        let shortest = (0..<4).map { secondHeartbeat(fixture.member("m\($0)")) }.min() ?? .max
        #expect(shortest < 1_500_000)
    }

    @Test func `a step is claimed for longer than a daemon that sleeps is alive`() throws {
        let house = try #require(HouseName("league"))
        let start = HouseStart(
            house, at: RedisAccess(.unix(path: "/")), identity: "", member: "m", version: "1")
        let table = HouseTable(start, "self")
        let begin: Int64 = 1_700_000_000_000_000
        var now: Int64 = 0
        func heartbeat(step: Int64) {
            now += 500_000
            table.note(rows: .null, time: begin + now + step, took: 5, at: now, newest: 7)
        }
        heartbeat(step: 0)
        heartbeat(step: 3_600_000_000)
        let firstClaim = now + 500_000
        while table.claim != 0 && now < 10_000_000 { heartbeat(step: 3_600_000_000) }
        #expect(table.claim == 0)
        #expect(now - firstClaim > 2_000_000)
    }

    /// Microseconds between the first two heartbeats. Only the daemon itself wakes the loop.
    private func secondHeartbeat(_ member: Member) -> Int64 {
        var moments: [Int64] = []
        var last = member.log.table.time
        while moments.count < 2 {
            member.loop.turn(block: true)
            member.attend()
            if member.log.table.time != last { moments.append(member.loop.now()) }
            last = member.log.table.time
        }
        return moments[1] - moments[0]
    }
}
