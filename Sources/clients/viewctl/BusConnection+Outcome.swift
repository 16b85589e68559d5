import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

extension BusConnection {
    /// Opens the connection, and runs its loop until there is a status, or nothing more can be
    /// written.
    ///
    /// - Parameters:
    ///   - timeout: the time limit; zero is without limit.
    ///   - next: called before each turn, when the output is written.
    func run(
        within timeout: Duration, _ console: Console, _ next: () -> ExitStatus?
    ) -> ExitStatus {
        var isClosed = false
        // A regular file cannot be watched, and needs no watch.
        let reader = try? loop.whenHungUp(console.output) { isClosed = true }
        defer { withExtendedLifetime(reader) {} }
        let found: Result<ExitStatus, NoAnswer> = outcome(within: timeout) {
            console.flush()
            if let status = next() { return .success(status) }
            return isClosed || !console.isOpen ? .success(.done) : nil
        }
        if case .success(let status) = found { return status }
        console.writeError("viewctl: timed out")
        return .timedOut
    }

    /// Opens the connection, and runs its loop until there is an outcome.
    ///
    /// - Parameters:
    ///   - timeout: the time limit; zero is without limit. After it, the outcome is `timedOut`,
    ///     or `noConnection` without a connection.
    ///   - next: called before each turn.
    func outcome<Value>(
        within timeout: Duration, _ next: () -> Result<Value, NoAnswer>?
    ) -> Result<Value, NoAnswer> {
        let timeout = left(of: timeout)
        open()
        var isOver = false
        let deadline =
            timeout == .zero ? nil : loop.clock.schedule(after: timeout) { isOver = true }
        return withExtendedLifetime(deadline) {
            while true {
                if let outcome = next() { return outcome }
                if isOver { return .failure(loss.map { .noConnection($0) } ?? .timedOut) }
                loop.loop.turn(block: true)
            }
        }
    }
}
