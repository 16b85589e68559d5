import Glibc
package import Options

/// What every program with a screen is told by its command line.
package struct ClientSettings: Equatable {
    package let socket: String?
    /// It prints lines.
    package let isPlain: Bool
    package let timeout: Duration

    package static let plain = Option(
        "plain", nil, "print a line an update, as without a terminal")
    package static let socket = Option(
        "socket", argument: "PATH",
        "the daemon's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock, else "
            + "/run/busd/busd.sock)")
    package static let timeout = Option(
        "timeout", argument: "SECONDS", "without a screen: wait so long for the daemon (default: 5)"
    )

    /// - Parameter needsNoScreen: whatever else was asked for is printed.
    package init(_ arguments: Arguments, needsNoScreen: Bool = false) throws(UsageError) {
        socket = try arguments.path(Self.socket)
        let hasScreen = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        isPlain = arguments.has(Self.plain) || needsNoScreen || !hasScreen
        timeout = try arguments.seconds(Self.timeout) ?? .seconds(5)
    }
}

/// What a program's command line asks for.
package protocol ProgramSettings {
    static var program: Program { get }

    var client: ClientSettings { get }

    init(_ arguments: Arguments) throws(UsageError)
}

/// What a command line comes to.
package enum Reading<Settings> {
    case run(Settings)
    /// The help or the version.
    case show(String)
}

extension ProgramSettings {
    /// - Parameter words: the command line without the program's name.
    package static func read(_ words: some Sequence<String>) throws(UsageError) -> Reading<Self> {
        switch try program.parse(words) {
        case .show(let text): .show(text)
        case .run(let arguments): .run(try Self(arguments))
        }
    }
}
