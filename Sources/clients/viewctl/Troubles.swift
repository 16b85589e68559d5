import BusdClient
import BusdOptions
import BusdProtocol

/// What is said on standard error where a request was refused.
func refusal(_ error: WireError) -> String {
    var lines = ["viewctl: \(error.message) (\(error.code.rawValue))"]
    if let path = error.path { lines.append("  at \(path)") }
    if !error.suggestions.isEmpty {
        lines.append("  did you mean \(error.suggestions.joined(separator: " or "))?")
    }
    return lines.joined(separator: "\n")
}

extension ExitStatus {
    init(_ loss: Loss) {
        if case .notPermitted = loss { self = .denied } else { self = .noConnection }
    }
}

extension Loss {
    /// Trying again is of no use. A daemon that was there may come back; one that was never there
    /// is told at once.
    func isFinal(wasConnected: Bool) -> Bool {
        if isOfWrongDaemon { return true }
        return switch self {
        case .busy, .connecting: false
        case .notOpen, .noDaemon, .notPermitted, .ended, .bye, .system, .malformed, .notTrusted,
            .unreachable:
            !wasConnected
        }
    }
}
