import Testing

@testable import BusdDaemon

@Suite struct ProcessMetricsTests {
    @Test func `The longest turn is reported once`() {
        let metrics = ProcessMetrics()
        #expect(metrics.loopLagMilliseconds == 0)
        metrics.turnTook(microseconds: 1_500)
        metrics.turnTook(microseconds: 2_500)
        metrics.turnTook(microseconds: 10)

        #expect(metrics.loopLagMilliseconds == 2.5)
        #expect(metrics.loopLagMilliseconds == 0)
    }

    @Test func `The memory of the process is measured`() {
        #expect(1_000_000...100_000_000_000 ~= ProcessMetrics().memory)
    }
}
