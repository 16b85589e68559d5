import EventLoop
import Options
import Protocol
import Storage

/// What the command line and the environment say; see busd(8).
struct Settings {
    var socket: String
    var viewSocket: String
    var state: StateFolder
    var durability: Durability
    var isClockManual: Bool
    var limits = Limits()
    var logLevel: LogLevel

    static let socketOption = Option(
        "socket", argument: "PATH",
        "the control socket (default: $XDG_RUNTIME_DIR/busd/busd.sock, else /run/busd/busd.sock)")
    static let viewSocketOption = Option(
        "view-socket", argument: "PATH",
        "the view socket, which reads but does not send (default: view.sock beside the other)")
    static let stateOption = Option(
        "state", argument: "DIR",
        "the folder of everything durable, or :memory: (default: $STATE_DIRECTORY, else "
            + "$XDG_STATE_HOME/busd, else ~/.local/state/busd)")
    static let durabilityOption = Option(
        "durability", argument: "KIND",
        "full: what is answered survives a power cut; normal: faster, and a power cut may cost "
            + "the last moments (default: full)")
    static let clockOption = Option(
        "clock", argument: "KIND",
        "auto, or manual: time stands still until bus/clock advances it (default: auto)")
    static let connectionsOption = Option(
        "connections", argument: "NUMBER",
        "how many clients may be attached at once (default: \(Limits().connections))")
    static let connectionsPerUserOption = Option(
        "connections-per-user", argument: "NUMBER",
        "how many of them one user may have; root and the daemon's own user may have all "
            + "(default: a quarter of --connections)")
    static let logLevelOption = Option(
        "log-level", argument: "LEVEL", "error, warning, info or debug (default: info)")

    static let options = [
        socketOption, viewSocketOption, stateOption, durabilityOption, clockOption,
        connectionsOption, connectionsPerUserOption, logLevelOption,
    ]

    init(_ arguments: Arguments, _ environment: Environment = .process) throws(UsageError) {
        let socket =
            try arguments.path(Self.socketOption) ?? Self.defaultSocket(environment)
        self.socket = socket
        viewSocket = try arguments.path(Self.viewSocketOption) ?? Self.beside(socket, "view.sock")
        guard let state = try arguments.path(Self.stateOption) ?? Self.defaultState(environment)
        else {
            throw arguments.error(
                "name a folder with --state: $HOME is unset or not an absolute path")
        }
        self.state = StateFolder(state)
        let durability = try arguments.choice(Self.durabilityOption, of: ["full", "normal"])
        self.durability = durability == "normal" ? .normal : .full
        isClockManual =
            try arguments.choice(Self.clockOption, of: ["auto", "manual"]) == "manual"
        if let connections = try arguments.integer(Self.connectionsOption, in: 1...1_000_000) {
            limits.connections = connections
        }
        if let most = try arguments.integer(Self.connectionsPerUserOption, in: 1...1_000_000) {
            limits.connectionsPerUser = most
        }
        let level = try arguments.choice(
            Self.logLevelOption, of: ["error", "warning", "info", "debug"])
        logLevel =
            switch level {
            case "error": .error
            case "warning": .warning
            case "debug": .debug
            default: .info
            }
    }

    private static func defaultSocket(_ environment: Environment) -> String {
        environment["XDG_RUNTIME_DIR"].map { "\($0)/busd/busd.sock" } ?? "/run/busd/busd.sock"
    }

    private static func defaultState(_ environment: Environment) -> String? {
        // A relative path would depend on the working folder; the XDG specification ignores it.
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        // systemd may name several folders; the first is ours.
        if let folders = folder("STATE_DIRECTORY")?.utf8,
            let first = folders.split(separator: UInt8(ascii: ":")).first
        {
            return String(Substring(first))
        }
        if let states = folder("XDG_STATE_HOME") { return "\(states)/busd" }
        return folder("HOME").map { "\($0)/.local/state/busd" }
    }

    private static func beside(_ path: String, _ name: String) -> String {
        let last = lastName(of: path).utf8.count
        return String(Substring(path.utf8.dropLast(last))) + name
    }
}

/// The folder of everything durable.
struct StateFolder: Equatable {
    /// `nil`: nothing is kept.
    let path: String?

    init(_ text: String) { path = text == ":memory:" ? nil : text }
}
