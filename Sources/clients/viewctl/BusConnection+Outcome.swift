import BusdClient
import BusdEventLoop
import BusdProtocol

extension BusConnection {
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
