import Testing

@testable import BusdStorage

@Suite struct `Reports of threads` {
    private let reports = Reports()
    private let problem = StoreError.unsuitable(path: "log.sqlite", reason: "was removed")

    @Test func `A failure at the stop is reported`() {
        reports.noteStop(.log, problem)
        #expect(reports.take() == ["at the stop: log.sqlite was removed"])
    }

    @Test func `A failure that lasts is reported when it began, and not at the stop`() {
        reports.note(.log, problem)
        reports.note(.log, problem)
        reports.noteStop(.log, problem)
        #expect(reports.take() == ["sends are refused: log.sqlite was removed"])
        reports.noteStop(.states, problem)
        reports.note(.log, nil)
        reports.noteStop(.log, problem)
        #expect(
            reports.take() == [
                "at the stop: log.sqlite was removed", "resolved: sends are refused",
                "at the stop: log.sqlite was removed",
            ])
    }
}
