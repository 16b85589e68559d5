import BusdOptions
import Glibc

/// What the options say that every verb has.
struct Settings {
    let socket: String?
    /// Nil: the default of the verb. Zero: no limit.
    let timeout: Duration?
    let form: Form

    static let socketOption = Option(
        "socket", "s", argument: "PATH",
        "busd's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock, "
            + "else /run/busd/busd.sock)")
    static let timeoutOption = Option(
        "timeout", "t", argument: "SECONDS",
        "end after this long in all; 0: no limit (default: 5; watch: no limit; import: no limit in "
            + "all, and 30 for each answer)",
        details: "For import, the time begins when the file has been read.")
    static let jsonOption = Option("json", "j", "JSON lines, on a terminal too")
    static let plainOption = Option("plain", "p", "text without colour, in a pipe too")

    static let options = [socketOption, timeoutOption, jsonOption, plainOption]

    init(_ arguments: Arguments) throws(UsageError) {
        socket = try arguments.path(Self.socketOption)
        timeout = try arguments.seconds(Self.timeoutOption)
        if arguments.has(Self.jsonOption), arguments.has(Self.plainOption) {
            throw arguments.error("--json and --plain exclude each other")
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if arguments.has(Self.jsonOption) {
            form = .json
        } else if arguments.has(Self.plainOption) {
            form = .text(Ink(isColoured: false))
        } else {
            form = isTerminal ? .text(Ink(isColoured: Ink.isWelcome(getVariable))) : .json
        }
    }
}

/// What the answers look like.
enum Form {
    /// One object in each line.
    case json
    case text(Ink)
}

private func getVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
