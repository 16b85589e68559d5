import TestSupport
import Testing

extension Torture {
    /// Three daemons of a house and their Redis, which are killed and refuse, while writers write.
    @Suite(.serialized, .needs("redis-server")) struct HouseKillTests {
        @Test func `A house loses no acknowledged send, and does none twice`() throws {
            let run = try HouseRun(Torture.random(for: "house"))
            try run.begin()
            for _ in 1...max(1, (Torture.rounds ?? 5) / HouseRun.killsOfRound) { try run.round() }
            try run.settle()
            print(run.report)
            #expect(run.acknowledged > run.events)
        }
    }
}
