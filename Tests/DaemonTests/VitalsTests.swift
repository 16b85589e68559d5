import Testing

@testable import BusdDaemon

@Suite struct VitalsTests {
    @Test func `the longest turn is reported once`() {
        let vitals = Vitals()
        #expect(vitals.loopLagMilliseconds == 0)
        vitals.turnTook(microseconds: 1_500)
        vitals.turnTook(microseconds: 2_500)
        vitals.turnTook(microseconds: 10)

        #expect(vitals.loopLagMilliseconds == 2.5)
        #expect(vitals.loopLagMilliseconds == 0)
    }

    @Test func `the memory of the process is measured`() {
        #expect(1_000_000...100_000_000_000 ~= Vitals().memory)
    }
}
