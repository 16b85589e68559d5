import Testing

@testable import BusdDaemon

@Suite struct `Memory is given back` {
    private func moments(_ worked: Int...) -> [Bool] {
        var moment = TidyMoment(worked: .zero)
        return worked.map { moment.hasCome(worked: .milliseconds($0)) }
    }

    @Test func `in the second quiet minute after work`() {
        #expect(moments(700, 2_000, 2_005, 2_010, 2_015) == [false, false, false, true, false])
    }

    @Test func `where little was done, once enough has come together`() {
        #expect(moments(2, 4, 6, 8, 10, 12) == [false, false, true, false, false, true])
    }

    @Test func `never where nothing was done`() {
        #expect(moments(0, 0, 0) == [false, false, false])
    }
}
