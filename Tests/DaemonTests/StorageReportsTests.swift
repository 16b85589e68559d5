import BusdEventLoop
import Testing

@testable import BusdDaemon

@Suite struct StorageReportsTests {
    @Test func `A disk that is alternately full and free is reported in one line per minute`()
        throws
    {
        let (loop, pipe) = (try Loop(), try LogPipe())
        var reports: StorageReports? = StorageReports(loop, pipe.log())
        for _ in 1...40 {
            reports?.report(["the log is full"])
            reports?.report([])
            reports?.report(["the log can be written again"])
        }
        #expect(pipe.lines() == ["testd: the log is full"])
        reports?.report(["states cannot be saved"])
        // Releasing the reports writes them, as the end of the minute does.
        reports = nil
        #expect(
            pipe.lines() == [
                "testd: the log is full; the log can be written again; states cannot be saved"
            ])
    }
}
