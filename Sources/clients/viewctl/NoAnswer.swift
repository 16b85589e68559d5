import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// Why a request has no answer.
enum NoAnswer: Error {
    case refused(WireError)
    case noConnection(Loss)
    case timedOut

    /// The daemon lacks a view model that an export reads.
    static let tooOld = refused(
        WireError(.unknownViewModel, "the daemon is older than viewctl, and cannot export this"))

    /// Writes the reason to standard error.
    ///
    /// - Parameter explain: the message after a refusal.
    func report(
        _ console: Console, explain: (WireError) -> String = refusal
    ) -> ExitStatus {
        switch self {
        case .refused(let error):
            console.writeError(explain(error))
            return ExitStatus(refusedWith: error.code)
        case .noConnection(let loss):
            console.writeError("viewctl: \(loss.advice)")
            return ExitStatus(loss)
        case .timedOut:
            console.writeError("viewctl: busd did not answer in time")
            return .timedOut
        }
    }
}
