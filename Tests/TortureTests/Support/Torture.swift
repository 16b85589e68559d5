import Glibc
import TestSupport
import Testing

/// All tests of this target, one after the other: each has a daemon that is killed or starved, and
/// the machine is to be its own.
@Suite(.serialized) enum Torture {
    /// How long it goes on: `BUSD_TORTURE=rounds`; a few rounds where nothing is said.
    static let rounds = number("BUSD_TORTURE")
    static var isLong: Bool { rounds != nil }

    /// Printed by each test that rolls dice; `BUSD_TORTURE_SEED` plays it again.
    static let seed = number("BUSD_TORTURE_SEED") ?? Int.random(in: 1...999_999)

    private static func number(_ variable: String) -> Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    static func dice(for test: String) -> SeededGenerator {
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

    /// When a test gives up.
    static var deadline: Moment { after(microseconds: 30_000_000) }

    static func < (one: Moment, other: Moment) -> Bool { one.microseconds < other.microseconds }
    static func - (one: Moment, other: Moment) -> Int { one.microseconds - other.microseconds }

    /// For poll(2): rounded up, and 0 when it has passed.
    var milliseconds: Int32 { Int32(clamping: max(0, (self - .now + 999) / 1_000)) }
}

struct GaveUp: Error, CustomStringConvertible {
    let description: String
}
