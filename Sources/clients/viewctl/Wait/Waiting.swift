import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run of `viewctl wait`. It may use several connections, one after the other.
final class Waiting {
    private let wait: Wait
    private let connection: BusConnection
    private let console: Console
    private var follower: Follower?
    private var hasReportedLoss = false
    private var status: ExitStatus?

    init(_ wait: Wait, _ connection: BusConnection, _ console: Console) {
        self.wait = wait
        self.connection = connection
        self.console = console
        follower = Follower(wait.address, wait.conditions, as: "wait", on: connection) {
            [weak self] in self?.received($0)
        }
    }

    /// - Parameter timeout: zero is without limit.
    func run(within timeout: Duration) -> ExitStatus {
        switch connection.outcome(within: timeout, { status.map { .success($0) } }) {
        case .success(let status): return status
        case .failure(.noConnection(let loss)):
            console.writeError("viewctl: timed out: \(loss)")
            return wait.isOnce ? ExitStatus(loss) : .timedOut
        case .failure:
            console.writeError("viewctl: timed out")
            return .timedOut
        }
    }

    private func end(_ status: ExitStatus, _ message: String? = nil) {
        guard self.status == nil else { return }
        if let message { console.writeError("viewctl: \(message)") }
        self.status = status
    }

    private func received(_ event: Follower.Event) {
        guard status == nil else { return }
        switch event {
        case .state(let state):
            hasReportedLoss = false
            // Without conditions it waits for the end.
            let holds = wait.conditions.allSatisfy { $0.holds(for: state.value(at: $0.path)) }
            if holds, !wait.conditions.isEmpty { end(.done) } else { notNow() }
        case .missing where wait.conditions.isEmpty, .gone where wait.conditions.isEmpty:
            end(.done)
        case .missing:
            notNow()
            if status == nil {
                console.writeError("viewctl: there is no \(wait.address) yet; waiting for it")
            }
        case .gone: end(.gone, "\(wait.address) is gone")
        case .lost(let loss): lost(loss)
        case .refused(let error):
            console.writeError(refusal(error))
            end(ExitStatus(refusedWith: error.code))
        case .unfit(let problem):
            console.writeError("viewctl wait: \(problem)")
            end(.usage)
        }
    }

    private func notNow() { if wait.isOnce { end(.timedOut) } }

    private func lost(_ loss: Loss) {
        if wait.isOnce || loss.isHopeless { return end(ExitStatus(loss), loss.advice) }
        if !hasReportedLoss { console.writeError("viewctl: \(loss); waiting for it") }
        hasReportedLoss = true
    }
}
