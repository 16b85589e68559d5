import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl describe [ADDRESS-OR-KIND]`
struct Describe: Question {
    static let name = "describe"
    static let verb = Verb(
        name, "show the events that a kind of view model, or each kind, takes and emits",
        options: [schemaOption], operands: [Operand("ADDRESS-OR-KIND", .oneOrNone)])

    static let schemaOption = Option(
        "schema", nil, "print a JSON Schema (draft 2020-12) of all events of one kind")

    let request: BusRequest
    let showsSchema: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        request = .describe(arguments.operands.first)
        showsSchema = arguments.has(Self.schemaOption)
        if showsSchema, arguments.operands.isEmpty {
            throw arguments.error("--schema needs a kind, such as scoreboard, or an address")
        }
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        if showsSchema { return console.put(json: Schema(answer.value).json[...]) }
        let kinds = answer.value["kinds"].map { Array($0.elements) } ?? [answer.value]
        for (place, kind) in kinds.enumerated() {
            if case .text = form, place > 0 { console.put(lines: [""]) }
            console.put(kind, form) { Self.text(kind, $0) }
        }
    }

    static func text(_ description: JSONValue, _ style: TextStyle) -> [String] {
        let taken = events(description["viewEvents"])
        let emitted = events(description["viewModelEvents"])
        let width = (taken + emitted).map(\.name.count).max() ?? 0
        var lines = [style.bold((description["kind"]?.text ?? "?").printable)]
        lines += section("takes", taken.map { $0.lines(style, width) })
        lines += section("emits", emitted.map { $0.lines(style, width) })
        let limits = limits(description["limits"])
        return limits.isEmpty ? lines : lines + ["", "at most"] + limits
    }

    private static func limits(_ limits: JSONValue?) -> [String] {
        limits?.members.map { name, most in
            "  \((name.text ?? "?").printable) \(most.integer ?? 0)"
        } ?? []
    }

    private static func section(_ title: String, _ events: [[String]]) -> [String] {
        events.isEmpty ? ["", title + " nothing"] : ["", title] + events.joined()
    }

    private static func events(_ list: JSONValue?) -> [DescribedEvent] {
        list?.elements.map(DescribedEvent.init) ?? []
    }
}

/// One event of a description.
private struct DescribedEvent {
    let name: String
    private let delivery: String?
    private let fields: String
    private let payload: String?

    init(_ event: JSONValue) {
        name = (event["name"]?.text ?? "?").printable
        delivery = event["delivery"]?.text.map(\.printable)
        fields =
            EventDescription(described: event)?.fields.map(Self.text).joined(separator: ", ")
            .printable ?? ""
        var example = event["example"]?.members
        payload = (example?.next()?.value.json)
            .map { String(decoding: printable(json: $0), as: UTF8.self) }
    }

    /// `text text`, `seconds integer?`, `side home|away`
    private static func text(_ field: ValueType.Member) -> String {
        let mark = field.isOptional ? "?" : ""
        guard case .choice(let words) = field.type else {
            return "\(field.name) \(field.type.name)\(mark)"
        }
        let choice = words.joined(separator: "|")
        return "\(field.name) " + (field.isOptional ? "(\(choice))?" : choice)
    }

    /// The event, and below it an example of its payload for copying.
    func lines(_ style: TextStyle, _ width: Int) -> [String] {
        var cells = ["  " + style.bold(name) + name.padded(to: width).dropFirst(name.count)]
        if let delivery { cells.append(style.dim(delivery.padded(to: 6))) }
        if fields.isEmpty { return [cells.joined(separator: "  ").droppingLastSpaces] }
        cells.append(fields)
        let first = cells.joined(separator: "  ")
        guard let payload else { return [first] }
        return [first, String(repeating: " ", count: width + 4) + style.dim(payload)]
    }
}
