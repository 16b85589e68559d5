import BusdEventLoop
import BusdFiles
import BusdOptions
import BusdProtocol
import BusdStorage
import Glibc

/// The settings from the command line and the environment; see busd(8).
struct Settings {
    let daemon: DaemonName
    /// The kinds of things that the daemon has.
    var kinds: [KindCheck] = []
    var storeDaemon: StoreDaemon { StoreDaemon(daemon, kinds) }
    var socket: String
    var viewSocket: String
    /// The folder, or why the command line has to name one. A verb can get the folder from a
    /// running daemon instead.
    private var stateChoice: Result<StateFolder, UsageError>
    /// `--state` was given. Else `state` is the default folder.
    let namesState: Bool
    /// The sockets where the verbs look for the running daemon, in this order.
    let clientSockets: [String]
    /// The user has named a socket, so the default sockets are not tried.
    let namesSocket: Bool
    var durability: Durability
    /// Bytes that log.sqlite may have.
    let mostLogBytes: Int
    var isClockManual: Bool
    var limits = Limits()
    var logLevel: LogLevel
    let policy: PolicyFile?
    let house: HouseSettings?
    var replay: ReplaySettings?

    init(
        _ arguments: Arguments, of daemon: DaemonName = .busd, _ environment: Environment = .process
    ) throws(UsageError) {
        self.daemon = daemon
        let options = DaemonOptions(of: daemon)
        let givenSocket = try arguments.path(options.socket)
        let socket = givenSocket ?? Self.defaultSocket(of: daemon, environment)
        self.socket = socket
        clientSockets = daemon.sockets(given: givenSocket) { environment[$0] }
        namesSocket = givenSocket != nil || environment[daemon.socketVariable] != nil
        viewSocket = try arguments.path(options.viewSocket) ?? Self.beside(socket, "view.sock")
        let givenState = try arguments.path(options.state)
        namesState = givenState != nil
        isClockManual = try arguments.choice(options.clock) == "manual"
        replay = try ReplaySettings(arguments, options, isClockManual: isClockManual)
        let state = (givenState ?? Self.defaultState(of: daemon, environment)).map {
            StateFolder($0)
        }
        stateChoice =
            replay != nil
            ? .success(.memory)
            : state.map { .success($0) }
                ?? .failure(
                    arguments.error(
                        "name a folder with --state: $HOME is unset or not an absolute path"))
        let durability = try arguments.choice(options.durability)
        self.durability = durability == "normal" ? .normal : .full
        mostLogBytes =
            try arguments.bytes(options.historySize, least: 16 << 20) ?? Store.mostLogBytes
        policy = try arguments.path(options.policy).map { PolicyFile(path: $0) }
        guard policy == nil || replay == nil else {
            throw arguments.error("--policy cannot be combined with --replay")
        }
        house = try HouseSettings(arguments, options)
        if house != nil, isClockManual {
            throw arguments.error("--clock manual cannot be combined with --house")
        }
        if house != nil, let state, state.path == nil {
            throw arguments.error("--house needs a folder: name one with --state")
        }
        if let connections = try arguments.integer(options.connections, in: 1...1_000_000) {
            limits.connections = connections
        }
        if let most = try arguments.integer(options.connectionsPerUser, in: 1...1_000_000) {
            limits.connectionsPerUser = most
        }
        let level = try arguments.choice(options.logLevel)
        logLevel =
            switch level {
            case "error": .error
            case "warning": .warning
            case "debug": .debug
            default: .info
            }
    }

    var state: StateFolder {
        get throws(UsageError) { try stateChoice.get() }
    }

    /// The store of the machine's daemon, for root, unless root has a store of its own; `nil` if
    /// there is none.
    var systemState: String? {
        let folder = "/var/lib/\(daemon)"
        func hasStore(_ folder: String) -> Bool { access("\(folder)/log.sqlite", F_OK) == 0 }
        let own = (try? stateChoice.get())?.path
        return geteuid() == 0 && own.map(hasStore) != true && hasStore(folder) ? folder : nil
    }

    /// There is a default folder, or `--state` was given.
    var hasState: Bool { (try? stateChoice.get()) != nil }

    private static func defaultSocket(
        of daemon: DaemonName, _ environment: Environment
    ) -> String {
        environment["XDG_RUNTIME_DIR"].map { daemon.socket(in: $0) } ?? daemon.systemSocket
    }

    private static func defaultState(
        of daemon: DaemonName, _ environment: Environment
    ) -> String? {
        stateFolder(of: daemon.text) { environment[$0] }
    }

    private static func beside(_ path: String, _ name: String) -> String {
        let last = lastName(of: path).utf8.count
        return String(Substring(path.utf8.dropLast(last))) + name
    }
}

/// The folder of everything durable.
struct StateFolder: Equatable {
    /// `nil`: there is no store.
    let path: String?

    init(_ text: String) { path = text == ":memory:" ? nil : text }

    static let memory = Self(":memory:")
}
