package import BusdProtocol

/// The exit status of a program. All programs share this table; the daemon's own meanings are in
/// busd(8).
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case noConnection = 1
    case refused = 2
    case timedOut = 3
    case gone = 4
    case denied = 5
    case unchanged = 6
    case usage = 64
    case badInput = 65
    case outputFailed = 74
    case tryAgain = 75

    /// For the daemon: it could not start, or a verb failed.
    package static let failed = ExitStatus.noConnection

    /// The status after a request was refused.
    package init(refusedWith code: WireError.Code) {
        switch code {
        case .notAllowed: self = .denied
        case .overloaded, .unavailable, .uncertain: self = .tryAgain
        case .parse, .tooLong, .badRequest, .unknownOp, .unknownViewModel, .unknownEvent,
            .badEvent, .stale, .unsupportedProtocol, .internal:
            self = .refused
        }
    }

    /// A line of `--help` and of the man page.
    package var meaning: String {
        switch self {
        case .done: "success (even if the output was closed early)"
        case .noConnection: "no connection to the daemon"
        case .refused: "refused by the daemon; standard error has the reason"
        case .timedOut: "timed out"
        case .gone: "the watched view model was deleted"
        case .denied: "no permission to connect or to send"
        case .unchanged: "nothing has changed"
        case .usage: "wrong usage"
        case .badInput: "invalid input"
        case .outputFailed: "cannot write the output"
        case .tryAgain: "try again later: the daemon is over a limit, or cannot write now"
        }
    }

    /// The statuses that most clients have.
    package static let ofClients: [Meaning] = meanings(
        .done, .noConnection, .refused, .timedOut, .gone, .denied, .usage, .outputFailed, .tryAgain)

    package typealias Meaning = (status: ExitStatus, text: String)

    package static func meanings(_ statuses: ExitStatus...) -> [Meaning] {
        statuses.map { ($0, $0.meaning) }
    }
}
