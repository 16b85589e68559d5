import BusdClient
import BusdOptions
import BusdProtocol

/// `viewctl ping`
struct Ping: Question {
    static let name = "ping"
    static let verb = Verb(name, "check that busd answers")

    let request = BusRequest.ping

    init(_ arguments: Arguments) throws(UsageError) {}

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        show(answer.value, form, console) { _ in [Self.text(answer.delay)] }
    }

    static func text(_ delay: Duration) -> String {
        let microseconds = delay.microseconds
        let tenths = (microseconds % 1000) / 100
        return "busd answered in \(microseconds / 1000).\(tenths) ms"
    }
}
