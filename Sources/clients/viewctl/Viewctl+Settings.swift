import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

extension Viewctl {
    private static let daemonOption = Option(
        "daemon", argument: "NAME",
        "the daemon's name, which takes the place of busd in the default of --socket (default: "
            + "$BUSD_DAEMON, else busd)")
    private static let timeoutOption = CommandSettings.timeoutOption(
        "5; wait, watch, top, tap, and house on a terminal: no limit; send -: 5 for each")

    static let options = [
        ClientSettings.socket, daemonOption, ClientSettings.host, timeoutOption,
        CommandSettings.jsonOption, CommandSettings.plainOption,
    ]

    /// A relay ignores `BUSD_HOST`, else it would start another relay.
    static func settings(_ arguments: Arguments) throws(UsageError) -> CommandSettings {
        let daemon = try daemon(arguments)
        try arguments.requireText(ofVariables: daemon.socketVariable)
        return try CommandSettings(
            of: "viewctl", arguments, daemon: daemon, timeout: timeoutOption,
            isLocal: arguments.verb == Relay.name)
    }

    private static func daemon(_ arguments: Arguments) throws(UsageError) -> DaemonName {
        if arguments.has(ClientSettings.socket), arguments.has(daemonOption) {
            throw arguments.error("--socket and --daemon exclude each other")
        }
        let daemon = daemon(given: arguments[daemonOption])
        guard let problem = daemon.problem else { return daemon }
        let source = arguments.has(daemonOption) ? "--daemon" : "BUSD_DAEMON"
        throw arguments.error("\(source) '\(daemon)': \(problem)")
    }

    /// The given name, else that of `BUSD_DAEMON`, else busd. It may have a problem.
    static func daemon(given: String?) -> DaemonName {
        let variable = getenv("BUSD_DAEMON").map { String(cString: $0) }
        return (given ?? variable.flatMap { $0.isEmpty ? nil : $0 }).map { DaemonName($0) } ?? .busd
    }
}
