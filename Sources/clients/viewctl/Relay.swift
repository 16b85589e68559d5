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
        options: [trustedOption],
        details: """
            After the end of standard input, answers and events continue until busd closes the
            connection, or until the output is closed.
            """)

    static let trustedOption = Option(
        "trusted", nil,
        "refuse a daemon that runs as an untrusted user, as busd-login does")

    let trust: Trust

    init(_ arguments: Arguments) throws(UsageError) {
        trust = arguments.has(Self.trustedOption) ? .daemonOfTrustedUser : .anyUser
    }

    func run(_ settings: Settings, _ paper: Paper) -> ExitStatus {
        do throws(Loss) {
            let socket = try connectToDaemon(path: settings.socket, trust: trust)
            let pump = Pump(input: STDIN_FILENO, output: paper.output, socket)
            return tell(pump.run(within: settings.timeout ?? .zero), paper)
        } catch {
            paper.complain("viewctl: \(error)")
            return ExitStatus(error)
        }
    }

    private func tell(_ end: Pump.End, _ paper: Paper) -> ExitStatus {
        switch end {
        case .done: return .done
        case .timedOut:
            paper.complain("viewctl: timed out")
            return .timedOut
        case .outputFailed(let error):
            paper.complain("viewctl: standard output: \(error.reason)")
            return .outputFailed
        }
    }
}
