import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// The options that all verbs share.
struct Settings {
    let daemon: DaemonName
    /// Nil: the default sockets of `daemon`.
    let socket: String?
    /// Nil: this machine.
    let host: RemoteHost?
    /// Nil: the default of the verb. Zero: no limit.
    let timeout: Duration?
    let form: OutputForm

    static let socketOption = Option(
        "socket", "s", argument: "PATH",
        "the daemon's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock, "
            + "else /run/busd/busd.sock)")
    static let daemonOption = Option(
        "daemon", argument: "NAME",
        "the daemon's name, which takes the place of busd in the default of --socket (default: "
            + "$BUSD_DAEMON, else busd)")
    static let hostOption = Option(
        "host", argument: "HOST",
        "the daemon's machine, a host for ssh; --socket is a path there (default: $BUSD_HOST, "
            + "else this machine)")
    static let timeoutOption = Option(
        "timeout", "t", argument: "SECONDS",
        "time limit of the whole run; 0: no limit (default: 5; wait, watch, top, tap, and house on "
            + "a terminal: no limit; import and export: 30 for each answer; send -: 5 for each)")
    static let jsonOption = Option("json", "j", "JSON lines, on a terminal too")
    static let plainOption = Option("plain", "p", "text without colour, in a pipe too")

    static let options = [
        socketOption, daemonOption, hostOption, timeoutOption, jsonOption, plainOption,
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        socket = try arguments.path(Self.socketOption)
        daemon = try Self.daemon(arguments)
        try arguments.requireText(ofVariables: daemon.socketVariable)
        host = try Self.host(arguments)
        timeout = try arguments.seconds(Self.timeoutOption)
        if arguments.has(Self.jsonOption), arguments.has(Self.plainOption) {
            throw arguments.error("--json and --plain exclude each other")
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if arguments.has(Self.jsonOption) {
            form = .json
        } else if arguments.has(Self.plainOption) {
            form = .text(TextStyle(isColoured: false))
        } else {
            form =
                isTerminal
                ? .text(TextStyle(isColoured: TextStyle.allowsColours(getVariable))) : .json
        }
    }
}

extension Settings {
    private static func daemon(_ arguments: Arguments) throws(UsageError) -> DaemonName {
        if arguments.has(socketOption), arguments.has(daemonOption) {
            throw arguments.error("--socket and --daemon exclude each other")
        }
        let daemon = daemon(given: arguments[daemonOption])
        guard let problem = daemon.problem else { return daemon }
        let source = arguments.has(daemonOption) ? "--daemon" : "BUSD_DAEMON"
        throw arguments.error("\(source) '\(daemon)': \(problem)")
    }

    /// The given name, else that of `BUSD_DAEMON`, else busd. It may have a problem.
    static func daemon(given: String?) -> DaemonName {
        let variable = getVariable("BUSD_DAEMON").flatMap { $0.isEmpty ? nil : $0 }
        return (given ?? variable).map { DaemonName($0) } ?? .busd
    }

    /// `BUSD_HOST` is for clients. A relay ignores it, else it would start another relay.
    private static func host(_ arguments: Arguments) throws(UsageError) -> RemoteHost? {
        if arguments.verb == Relay.name {
            guard arguments.has(hostOption) else { return nil }
            throw arguments.error(
                "a relay connects to the daemon on this machine: leave out --host")
        }
        return try arguments.host(hostOption)
    }

    /// A connection that is not open yet.
    func newConnection(name: String?) throws(LoopFailure) -> BusConnection {
        BusConnection(loop: try ClientLoop(), to: daemon, path: socket, host: host, name: name)
    }

    /// A connection that is ready for `open`. With a host, connecting has already succeeded or
    /// failed.
    func connection(name: String? = nil) throws(LoopFailure) -> BusConnection {
        let connection = try newConnection(name: name)
        try connection.reach(as: "viewctl", within: timeout)
        return connection
    }

    /// - Parameter limit: the default of the verb.
    func session(
        name: String? = nil, _ patience: Session.Patience = .forReturn, else limit: Session.Limit
    ) throws -> Session {
        Session(
            try connection(name: name), patience, within: timeout.map { .total($0) } ?? limit)
    }
}

/// The form of the output.
enum OutputForm {
    /// One object per line.
    case json
    case text(TextStyle)
}

private func getVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
