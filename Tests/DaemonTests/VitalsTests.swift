import Testing

@testable import BusdDaemon

@Suite struct VitalsTests {
    @Test func `the longest turn is told once`() {
        let vitals = Vitals()
        #expect(vitals.loopLagMilliseconds == 0)
        vitals.turnTook(microseconds: 1_500)
        vitals.turnTook(microseconds: 2_500)
        vitals.turnTook(microseconds: 10)

        #expect(vitals.loopLagMilliseconds == 2.5)
        #expect(vitals.loopLagMilliseconds == 0)
    }

    @Test func `the process uses memory`() {
        #expect(1_000_000...100_000_000_000 ~= Vitals().memory)
    }
}
