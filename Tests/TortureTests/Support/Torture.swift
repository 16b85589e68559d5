import Glibc
import TestSupport
import Testing

/// All tests of this target run one after the other: each kills or starves a daemon, and needs the
/// whole machine.
@Suite(.serialized) enum Torture {
    /// The number of rounds, from `BUSD_TORTURE`; `nil` stands for a few rounds.
    static let rounds: Int? = testSetting("BUSD_TORTURE")
    static var isLong: Bool { rounds != nil }

    /// Each test with random steps prints the seed. `BUSD_TORTURE_SEED` repeats a run.
    static let seed = testSetting("BUSD_TORTURE_SEED") ?? Int.random(in: 1...999_999)

    static func random(for test: String) -> SeededGenerator {
        print("\(test): BUSD_TORTURE_SEED=\(seed)")
        return SeededGenerator(seed: UInt64(truncatingIfNeeded: seed))
    }
}

/// A moment of the monotonic clock, in microseconds.
struct Moment: Comparable {
    private let microseconds: Int

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(microseconds: time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)
    }

    static func after(microseconds: Int) -> Moment {
        Moment(microseconds: now.microseconds + microseconds)
    }

    func tenths(since earlier: Moment) -> Int { (microseconds - earlier.microseconds) / 100_000 }

    /// The moment at which a test gives up: in five minutes.
    static var deadline: Moment { after(microseconds: 300_000_000) }

    static func < (one: Moment, other: Moment) -> Bool { one.microseconds < other.microseconds }
    static func - (one: Moment, other: Moment) -> Int { one.microseconds - other.microseconds }

    /// The time until this moment, for poll(2): rounded up, and 0 if it has passed.
    var milliseconds: Int32 { Int32(clamping: max(0, (self - .now + 999) / 1_000)) }
}

struct GaveUp: Error, CustomStringConvertible {
    let description: String
}
