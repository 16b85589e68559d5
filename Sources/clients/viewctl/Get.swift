import BusClient
import Options
import Protocol

/// `viewctl get ADDRESS`
struct Get: Question {
    static let name = "get"
    static let verb = Verb(
        name, "print the present values of a view model", operands: [Operand("ADDRESS")])

    let request: BusRequest

    init(_ arguments: Arguments) throws(UsageError) {
        request = .get(try arguments.address(arguments.operands[0]))
    }

    func show(_ answer: Answer, _ form: Form, _ paper: Paper) {
        let events = answer.value["events"].map { Array($0.elements) } ?? []
        if case .text(let ink) = form {
            paper.put(lines: Self.text(events, ink))
        } else {
            for event in events { paper.put(json: event.json) }
        }
    }

    static func text(_ events: [JSONValue], _ ink: Ink) -> [String] {
        let texts = events.map(EventText.init)
        let width = texts.map(\.name.count).max() ?? 0
        return texts.map { $0.line(ink, nameWidth: width) }
    }
}
