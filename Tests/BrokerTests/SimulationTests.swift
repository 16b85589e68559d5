import BusdTestKit
import TestSupport
import Testing

/// Runs random schedules: `BUSD_SCHEDULES` schedules of `BUSD_STEPS` steps, from the seed
/// `BUSD_FIRST_SEED` on. `BUSD_SEED` replays one schedule and prints its steps.
@Suite struct `The simulation` {
    private static let steps = testSetting("BUSD_STEPS") ?? 16

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `Every client has the current state after a random schedule`(share: UInt64) {
        if let seed: UInt64 = testSetting("BUSD_SEED") { return share == 0 ? replay(seed) : () }
        let first: UInt64 = testSetting("BUSD_FIRST_SEED") ?? 0
        let end = first + (testSetting("BUSD_SCHEDULES") ?? 400)
        for seed in stride(from: first + share, to: end, by: 8) {
            var schedule = SimulatedSchedule(seed: seed)
            schedule.run(steps: Self.steps)
            guard let problem = schedule.problem else { continue }
            Issue.record("BUSD_SEED=\(seed): \(problem)")
            return
        }
    }

    private func replay(_ seed: UInt64) {
        var schedule = SimulatedSchedule(seed: seed) { print($0) }
        schedule.run(steps: Self.steps)
        if let problem = schedule.problem { Issue.record("BUSD_SEED=\(seed): \(problem)") }
    }
}
