import BusdClient
import BusdOptions
import BusdProtocol

/// The message on standard error for a refused request.
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
    /// Waiting for the daemon does not help.
    var isHopeless: Bool {
        switch self {
        case .notPermitted, .notTrusted, .malformed: true
        case .notOpen, .noDaemon, .busy, .ended, .bye, .system, .connecting, .unreachable: false
        }
    }

    /// Whether to give up instead of connecting again. A daemon that was there may come back. A
    /// daemon that was never there is reported at once.
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
