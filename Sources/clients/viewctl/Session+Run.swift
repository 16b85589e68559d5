import BusdClient
import BusdOptions
import BusdScreens

extension Session {
    /// Runs until the session ends, or until nothing more can be written.
    /// - Throws: the end.
    func run(_ console: Console) throws -> ExitStatus {
        end(Outcome.done, whenHungUp: console.output)
        do {
            return try wait {
                console.flush()
                return hasEnded || console.isOpen ? nil : .done
            }
        } catch RequestFailure.timedOut {
            throw Outcome.timedOut
        }
    }

    /// Writes when the connection is lost, and when there is one again.
    /// - Parameter connected: called after each connection.
    func reportLosses(on console: Console, _ connected: @escaping () -> Void) {
        lost = { console.note("\($0); trying again") }
        ready = { [weak self] in
            if self?.isAway == true { console.note("connected") }
            self?.isAway = false
            connected()
        }
    }
}
