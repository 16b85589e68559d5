import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal
import Glibc

/// `viewctl house`
struct HouseTable: Question {
    static let name = "house"
    static let verb = Verb(
        name, "show the daemons of the house (several machines, one log) that this busd is in",
        details: """
            On a terminal the table is live, until q or Ctrl-C. In a pipe, and with --plain or
            --json, it is printed once.
            POSITION is the newest entry of the log that a daemon has.
            SEEN is the time since the last message of a daemon, or now.
            """)

    let request = BusRequest.get(BusHouse.address)
    private let isPrinted: Bool

    init(_ arguments: Arguments) {
        isPrinted = arguments.has(Settings.plainOption) || arguments.has(Settings.jsonOption)
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        if isPrinted || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 {
            return ask(settings, console)
        }
        do {
            return try showLive(settings, console)
        } catch let error as ScreenError {
            console.writeError("viewctl: \(error); printing the table once")
            return ask(settings, console)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    private func showLive(_ settings: Settings, _ console: Console) throws -> ExitStatus {
        let connection = BusConnection(
            loop: try ClientLoop(), path: settings.socket, host: settings.host, name: "viewctl")
        // ssh may ask for a password, before the screen takes the terminal.
        if let loss = try connection.reach(as: "viewctl", within: settings.timeout) {
            console.writeError("viewctl: \(loss.advice)")
            return ExitStatus(loss)
        }
        let outcome = try HouseRouter(connection).run(within: settings.timeout ?? .zero)
        if let message = outcome.message { console.writeError("viewctl: \(message)") }
        // Only a signal gives a status that is not an `ExitStatus`.
        guard let status = ExitStatus(rawValue: outcome.status) else { exit(outcome.status) }
        return status
    }

    func explain(_ error: WireError) -> String {
        error.code == .unknownViewModel ? "viewctl: \(Self.noHouse)" : refusal(error)
    }

    static let noHouse =
        "this busd is not in a house: start it with --house and --log, as busd(8) explains"

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        guard let event = answer.value["events"]?.elements.first(where: { _ in true }),
            let house = event["house"]
        else { return }
        show(house, form, console) { style in
            let known = try? event.decode(BusHouse.ViewModelEvent.self, at: "event")
            return known.map { HouseState($0).lines(style) } ?? []
        }
    }
}
