import BusdApplicationTestSupport
import BusdProtocol
import TestSupport
import Testing

@testable import BusdGames

@Suite struct StopwatchTests {
    @Test func `A stopwatch stands still until it is started`() {
        let stopwatch = Stopwatch()
        #expect(!stopwatch.isRunning)
        #expect(stopwatch.elapsed(at: .seconds(9)) == .zero)
        #expect(stopwatch.nextTenth(after: .seconds(9)) == nil)
    }

    @Test func `A stopwatch grows while it runs, and keeps its time`() {
        var stopwatch = Stopwatch(elapsed: .seconds(60))
        stopwatch.start(at: .seconds(10))
        #expect(stopwatch.isRunning)
        #expect(stopwatch.elapsed(at: .seconds(12)) == .seconds(62))
        stopwatch.stop(at: .seconds(13))
        #expect(!stopwatch.isRunning)
        #expect(stopwatch.elapsed(at: .seconds(99)) == .seconds(63))
    }

    @Test func `A stopwatch keeps the microseconds over every stop`() {
        var stopwatch = Stopwatch()
        for second in 0..<1000 {
            let start = Instant(microseconds: Int64(second) * 1_000_000)
            stopwatch.start(at: start)
            stopwatch.stop(at: start + .microseconds(99_999))
        }
        #expect(stopwatch.elapsed(at: .seconds(2000)) == .microseconds(99_999_000))
        #expect(stopwatch.tenths(at: .seconds(2000)) == 999)
    }

    @Test func `A stopwatch that is started or stopped twice counts once`() {
        var stopwatch = Stopwatch()
        stopwatch.start(at: .seconds(1))
        stopwatch.start(at: .seconds(2))
        stopwatch.stop(at: .seconds(4))
        stopwatch.stop(at: .seconds(8))
        #expect(stopwatch.elapsed(at: .seconds(9)) == .seconds(3))
    }

    @Test func `A stopwatch knows when its tenths change next`() {
        var stopwatch = Stopwatch(elapsed: .milliseconds(130))
        stopwatch.start(at: .seconds(10))
        #expect(stopwatch.nextTenth(after: .seconds(10)) == .seconds(10.07))
        #expect(stopwatch.nextTenth(after: .seconds(10.0699)) == .seconds(10.07))
        #expect(stopwatch.nextTenth(after: .seconds(10.07)) == .seconds(10.17))
        #expect(stopwatch.nextTenth(after: .seconds(10.5)) == .seconds(10.57))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `The tenths change at that instant and not a microsecond earlier`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stopwatch = Stopwatch(
            elapsed: .microseconds(Int64.random(in: 0...1 << 40, using: &random)))
        let start = Instant(microseconds: .random(in: 0...1 << 40, using: &random))
        stopwatch.start(at: start)
        let now = start + .microseconds(Int64.random(in: 0...1 << 30, using: &random))
        let next = try #require(stopwatch.nextTenth(after: now))
        let before = next + .microseconds(-1)
        #expect(next > now)
        #expect(stopwatch.tenths(at: next) == stopwatch.tenths(at: now) + 1)
        #expect(stopwatch.tenths(at: before) == stopwatch.tenths(at: now))
    }
}
