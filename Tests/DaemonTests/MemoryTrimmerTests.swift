import Testing

@testable import BusdDaemon

@Suite struct TidyingTests {
    private func moments(_ worked: Int...) -> [Bool] {
        var quietPeriod = QuietPeriod(worked: .zero)
        return worked.map { quietPeriod.hasPassed(worked: .milliseconds($0)) }
    }

    @Test func `Memory is given back in the second quiet minute after work`() {
        #expect(moments(700, 2_000, 2_005, 2_010, 2_015) == [false, false, false, true, false])
    }

    @Test func `After little work, memory is given back once enough has added up`() {
        #expect(moments(2, 4, 6, 8, 10, 12) == [false, false, true, false, false, true])
    }

    @Test func `Without work, memory is never given back`() {
        #expect(moments(0, 0, 0) == [false, false, false])
    }
}
