@testable import BusdStorage
import Testing

@Suite struct PatienceTests {
    private final class Time {
        var now: Int64 = 0
    }

    private let time: Time
    private var patience: Patience

    init() {
        let time = Time()
        self.time = time
        patience = Patience { time.now }
    }

    /// How long it looks again, of all the time that passes until something comes, in µs.
    private mutating func wait(_ microseconds: Int64) -> Int64 {
        var looked: Int64 = 0
        for _ in 0..<microseconds {
            if patience.looksAgain() { looked += 1 }
            time.now += 1_000
        }
        patience.end()
        return looked
    }

    @Test mutating func `has none at first`() { #expect(wait(100) == 0) }

    @Test mutating func `has some after a short wait, and none after a long one`() {
        #expect(wait(50) == 0)
        #expect(wait(80) == 80)
        #expect(wait(99) == 99)
        #expect(wait(5_000) == 100)
        #expect(wait(5_000) == 0)
        #expect(wait(100) == 0)
        #expect(wait(10) == 0)
        #expect(wait(10) == 10)
    }

    @Test func `may begin with some`() {
        var patience = Patience(wasShort: true) { 0 }
        let looks = patience.looksAgain()
        #expect(looks)
    }

    @Test mutating func `is not changed by what comes without a wait`() {
        patience.end()
        #expect(wait(50) == 0)
        patience.end()
        #expect(wait(50) == 50)
    }
}
