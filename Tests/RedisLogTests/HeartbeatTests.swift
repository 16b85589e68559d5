import BusdEventLoop
import Testing

@testable import BusdRedisLog

@Suite struct HeartbeatTests {
    @Test func `The second heartbeat after a connect is not late`() throws {
        let fixture = try HouseFixture(members: 0)
        // A busy machine may be slow, but hardly each time.
        let shortest = (0..<4).map { secondHeartbeat(fixture.member("m\($0)")) }.min() ?? .max
        #expect(shortest < 1_500_000)
    }

    /// Microseconds between the first two heartbeats. Only the daemon itself wakes the loop.
    private func secondHeartbeat(_ member: MemberFixture) -> Int64 {
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
