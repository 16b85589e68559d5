import BusdClient
import BusdEventLoop
import BusdOptions
import Glibc

/// `viewctl relay`
struct Relay: Command {
    static let name = "relay"
    static let verb = Verb(
        name,
        "connect standard input and output to busd's socket; --host runs this on the other "
            + "machine",
        options: [trustedOption])

    static let trustedOption = Option(
        "trusted", nil,
        "refuse a daemon that runs as an untrusted user, as busd-login does")

    let trust: Trust

    init(_ arguments: Arguments) throws(UsageError) {
        trust = arguments.has(Self.trustedOption) ? .daemonOfTrustedUser : .anyUser
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(Loss) {
            let socket = try connectToDaemon(path: settings.socket, trust: trust)
            let pump = Pump(input: STDIN_FILENO, output: console.output, socket)
            return report(pump.run(within: settings.timeout ?? .zero), console)
        } catch {
            console.writeError("viewctl: \(error)")
            return ExitStatus(error)
        }
    }

    private func report(_ end: Pump.End, _ console: Console) -> ExitStatus {
        switch end {
        case .done: return .done
        case .timedOut:
            console.writeError("viewctl: timed out")
            return .timedOut
        case .outputFailed(let error):
            console.writeError("viewctl: standard output: \(error.reason)")
            return .outputFailed
        }
    }
}
