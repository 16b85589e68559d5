import BusdClient
import BusdOptions
import BusdProtocol

/// `viewctl get ADDRESS`
struct Get: Question {
    static let name = "get"
    static let verb = Verb(
        name, "print the current values of a view model", options: [cursorOption],
        operands: [Operand("ADDRESS")])

    static let cursorOption = Option(
        "cursor", "c",
        "also print its cursor, for watch --since, and its done, for send --if-done",
        details: "In a pipe this is one more line, an object with these two keys.")

    let request: BusRequest
    let showsCursor: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        request = .get(try arguments.address(arguments.operands[0]))
        showsCursor = arguments.has(Self.cursorOption)
    }

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        let events = answer.value["events"].map { Array($0.elements) } ?? []
        if case .text(let style) = form {
            console.put(lines: Self.text(events, style))
        } else {
            for event in events { console.put(json: event.json) }
        }
        if showsCursor { showCursor(answer.value, form, console) }
    }

    private func showCursor(_ answer: JSONValue, _ form: Form, _ console: Console) {
        let members = ["cursor", "done"].compactMap { key in answer[key]?.text.map { (key, $0) } }
        if case .text(let style) = form {
            console.put(lines: members.map { style.dim("\($0) \($1.printable)") })
        } else {
            var out = JSONWriter()
            out.object { out in
                for (key, text) in members {
                    out.key(named: key)
                    out.value(text)
                }
            }
            console.put(json: out.bytes[...])
        }
    }

    static func text(_ events: [JSONValue], _ style: TextStyle) -> [String] {
        let texts = events.map(EventText.init)
        let width = texts.map(\.name.count).max() ?? 0
        return texts.map { $0.line(style, nameWidth: width) }
    }
}
