import BusdClient
import BusdEventLoop
import BusdOptions
import BusdScreens
import Glibc

/// `viewctl relay`
struct Relay: Command {
    static let name = "relay"
    static let verb = Verb(
        name,
        "connect standard input and output to the daemon's socket; --host runs this on the other "
            + "machine",
        options: [trustedOption])

    static let trustedOption = Option(
        "trusted", nil,
        "refuse a daemon that runs as an untrusted user, as busd-login does")

    let trust: Trust

    init(_ arguments: Arguments) throws(UsageError) {
        if arguments.has(ClientSettings.host) {
            throw arguments.error(
                "a relay connects to the daemon on this machine: leave out --host")
        }
        trust = arguments.has(Self.trustedOption) ? .daemonOfTrustedUser : .anyUser
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let socket = try connectToDaemon(
            settings.daemon, path: settings.socket, trust: trust)
        let pump = Pump(input: STDIN_FILENO, output: console.output, socket)
        switch pump.run(within: settings.timeout ?? .zero) {
        case .done: return .done
        case .timedOut: throw Outcome.timedOut
        case .outputFailed(let error):
            throw Outcome(.outputFailed, "standard output: \(error.reason)")
        }
    }
}
