import BusdOptions
import Glibc

/// The form of the output.
package enum OutputForm {
    /// One object per line.
    case json
    case text(TextStyle)

    init(_ arguments: Arguments) throws(UsageError) {
        let (isJSON, isPlain) = (
            arguments.has(CommandSettings.jsonOption), arguments.has(CommandSettings.plainOption)
        )
        guard !isJSON || !isPlain else {
            throw arguments.error("--json and --plain exclude each other")
        }
        if isPlain {
            self = .text(TextStyle(isColoured: false))
        } else if isJSON || isatty(STDOUT_FILENO) != 1 {
            self = .json
        } else {
            self = .text(TextStyle(isColoured: TextStyle.allowsColours(getVariable)))
        }
    }
}

private func getVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
