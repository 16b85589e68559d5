package import BusdClient
package import BusdOptions
import Glibc

/// Settings that all programs with a screen share.
package struct ClientSettings: Equatable {
    package let socket: String?
    /// Nil: this machine.
    package let host: RemoteHost?
    /// The program prints lines, and shows no screen.
    package let isPlain: Bool
    /// Limit of the whole run. Nil: not set. Zero: no limit.
    package let timeout: Duration?
    /// The users of trusted daemons.
    package let trust: Trust

    package static let plain = Option(
        "plain", nil, "print one line per update, as without a terminal")
    package static let socket = Option(
        "socket", "s", argument: "PATH",
        "the daemon's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock, else "
            + "/run/busd/busd.sock)")
    package static let host = Option(
        "host", argument: "HOST",
        "the daemon's machine, a host for ssh; --socket is a path there (default: $BUSD_HOST, "
            + "else this machine)")
    package static let timeout = Option(
        "timeout", argument: "SECONDS",
        "time limit of a run without a screen; 0: no limit (default: 5 until the first values, "
            + "then no limit)")

    package static let environment = [
        (name: "BUSD_SOCKET", text: "the socket, if neither --socket nor a host is given"),
        (name: "BUSD_HOST", text: "the daemon's machine, if --host is not given"),
        (name: "XDG_RUNTIME_DIR", text: "where the default socket is"),
        (name: "NO_COLOR", text: "no colour, if it is not empty"),
    ]

    /// - Parameters:
    ///   - needsNoScreen: another option makes the program print lines.
    ///   - timeout: the program's `--timeout`.
    package init(
        _ arguments: Arguments, needsNoScreen: Bool = false, trust: Trust = .anyUser,
        timeout: Option = Self.timeout
    ) throws(UsageError) {
        self.trust = trust
        socket = try arguments.path(Self.socket)
        host = try arguments.host(Self.host)
        let hasScreen = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        isPlain = arguments.has(Self.plain) || needsNoScreen || !hasScreen
        self.timeout = try arguments.seconds(timeout)
    }
}

extension Arguments {
    /// The daemon's machine: the option's argument, else `BUSD_HOST`. Nil: this machine.
    package func host(_ option: Option) throws(UsageError) -> RemoteHost? {
        do throws(RemoteHost.Malformed) {
            return try RemoteHost.choice(given: self[option])
        } catch {
            throw self.error(error.message)
        }
    }
}

extension ClientSettings {
    /// A connection that is not open yet.
    func connection(_ loop: ClientLoop, name: String) -> BusConnection {
        BusConnection(loop: loop, path: socket, host: host, name: name, trust: trust)
    }
}

/// The settings of a program, from its command line.
package protocol ProgramSettings {
    static var program: Program { get }
    /// The verbs of the program.
    static var commands: [any Command.Type] { get }

    var client: ClientSettings { get }

    init(_ arguments: Arguments) throws(UsageError)
}

/// The result of reading a command line.
package enum Reading<Settings> {
    case run(Settings)
    /// A verb was given.
    case command((Console) throws -> ExitStatus)
    /// The help or the version.
    case show(String)
}

extension ProgramSettings {
    package static var commands: [any Command.Type] { [] }

    /// Reads the command line of this process.
    package static func readCommandLine() throws(UsageError) -> Reading<Self> {
        try read(program.parseCommandLine())
    }

    /// - Parameter words: the command line without the program's name.
    package static func read(_ words: some Sequence<String>) throws(UsageError) -> Reading<Self> {
        try read(program.parse(words))
    }

    private static func read(_ invocation: Invocation) throws(UsageError) -> Reading<Self> {
        switch invocation {
        case .show(let text): return .show(text)
        case .run(let arguments):
            try arguments.requireText(
                ofVariables: "BUSD_SOCKET", "BUSD_HOST", "XDG_RUNTIME_DIR")
            guard let command = commands.first(where: { $0.name == arguments.verb }) else {
                return .run(try Self(arguments))
            }
            let run = try command.init(arguments)
            let settings = try CommandSettings(of: program.name, arguments)
            return .command { try run.run(settings, $0) }
        }
    }
}
