import BusdClient
import BusdEventLoop
import BusdProtocol

extension BusConnection {
    /// Opens the connection, and runs its loop until there is an outcome.
    ///
    /// - Parameters:
    ///   - patience: the time limit; zero is without limit. After it, the outcome is `timedOut`,
    ///     or `noConnection` without a connection.
    ///   - next: called before each turn.
    func outcome(
        within patience: Duration, _ next: () -> Inquiry.Outcome?
    ) -> Inquiry.Outcome {
        let patience = left(of: patience)
        open()
        var isOver = false
        let deadline =
            patience == .zero ? nil : loop.clock.schedule(after: patience) { isOver = true }
        return withExtendedLifetime(deadline) {
            while true {
                if let outcome = next() { return outcome }
                if isOver { return loss.map { .noConnection($0) } ?? .timedOut }
                loop.loop.turn(block: true)
            }
        }
    }
}
