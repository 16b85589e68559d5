import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl list [PATTERN]`
struct List: Question {
    static let name = "list"
    static let verb = Verb(
        name, "list the view models, or those that match",
        operands: [Operand("PATTERN", .oneOrNone)])

    let request: BusRequest

    init(_ arguments: Arguments) throws(UsageError) {
        request = .list(
            try arguments.operands.first.map { text throws(UsageError) in
                try arguments.pattern(text)
            } ?? .everything)
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        let models = answer.value.list("viewModels")
        console.put(json: models.map(\.json), form) { Self.text(models, $0) }
    }

    static func text(_ models: [JSONValue], _ style: TextStyle) -> [String] {
        let keys = ["address", "kind", "views", "seq"]
        let rows = models.map { model in
            keys.map { key in
                model[key].map { $0.text ?? String(decoding: $0.json, as: UTF8.self) }?.printable
                    ?? ""
            }
        }
        return Table(head: keys.map { $0.uppercased() }, rows: rows, numbers: [2, 3]).lines(style)
    }
}
