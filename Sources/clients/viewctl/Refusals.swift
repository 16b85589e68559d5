import BusClient
import Protocol

/// What is said on standard error where a request was refused.
func refusal(_ error: WireError) -> String {
    var lines = ["viewctl: \(error.message) (\(error.code.rawValue))"]
    if let path = error.path { lines.append("  at \(path)") }
    if !error.suggestions.isEmpty {
        lines.append("  did you mean \(error.suggestions.joined(separator: " or "))?")
    }
    return lines.joined(separator: "\n")
}
