import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl ping`
struct Ping: Question {
    static let name = "ping"
    static let verb = Verb(name, "check that the daemon answers", options: [waitOption])

    static let waitOption = Option(
        "wait", "w", argument: "SECONDS", "wait at most this long for a daemon; 0: no limit")

    let request = BusRequest.ping
    /// Nil: there must be a daemon already.
    let wait: Duration?

    init(_ arguments: Arguments) throws(UsageError) {
        wait = try arguments.seconds(Self.waitOption)
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let session = try wait.map { wait in
            Session(try settings.connection(), .forStart, within: .total(wait))
        }
        return try ask(
            session ?? settings.session(else: .total(.seconds(5))), settings.form, console)
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        console.put(answer.value, form) { _ in [Self.text(answer.delay)] }
    }

    static func text(_ delay: Duration) -> String {
        let microseconds = delay.microseconds
        let tenths = (microseconds % 1000) / 100
        return "the daemon answered in \(microseconds / 1000).\(tenths) ms"
    }
}
