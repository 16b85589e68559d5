import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl get ADDRESS [VALUE...]`
struct Get: Question {
    static let name = "get"
    static let verb = Verb(
        name, "print the current values of a view model", options: [cursorOption],
        operands: [Operand("ADDRESS"), Operand("VALUE", .any)])

    static let cursorOption = Option(
        "cursor", "c",
        "also print its cursor, for watch --since, and its done, for send --if-done")

    let request: BusRequest
    let showsCursor: Bool
    let address: Address
    let paths: [ValuePath]

    init(_ arguments: Arguments) throws(UsageError) {
        address = try arguments.address(arguments.operands[0])
        request = .get(address)
        showsCursor = arguments.has(Self.cursorOption)
        paths = try arguments.operands.dropFirst().map { text throws(UsageError) in
            if let path = ValuePath(text) { return path }
            throw arguments.error("'\(text)' is no value: give one such as score.home")
        }
        if showsCursor, !paths.isEmpty {
            throw arguments.error("--cursor and values exclude each other")
        }
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let timeout = settings.timeout ?? .seconds(5)
        let limit = paths.isEmpty ? Session.Limit.total(timeout) : .perAnswer(timeout)
        let session = Session(try settings.connection(), within: limit)
        return paths.isEmpty
            ? try ask(session, settings.form, console) : try printValues(session, console)
    }

    /// Prints the values at the paths.
    func printValues(_ session: Session, _ console: Console) throws -> ExitStatus {
        let described = DescribedKinds([try session.answer(to: .describe(address.text))])
        for path in paths {
            if let problem = described.problem(of: [Condition(path)], ofState: true) {
                throw console.misfit(Self.name, problem)
            }
        }
        let events = try session.answer(to: request).list("events")
        console.put(
            lines: paths.map { path in
                let payload = events.compactMap { $0[path.event] }.first
                return payload?.value(at: path.fields[...])?.oneLine ?? ""
            })
        return .done
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        let events = answer.value.list("events")
        console.put(json: events.map(\.json), form) { Self.text(events, $0) }
        if showsCursor { showCursor(answer.value, form, console) }
    }

    private func showCursor(_ answer: JSONValue, _ form: OutputForm, _ console: Console) {
        let members = ["cursor", "done"].compactMap { key in answer[key]?.text.map { (key, $0) } }
        var out = JSONWriter()
        out.object { out in
            for (key, text) in members {
                out.key(named: key)
                out.value(text)
            }
        }
        console.put(json: [out.bytes[...]], form) { style in
            members.map { style.dim("\($0) \($1.printable)") }
        }
    }

    static func text(_ events: [JSONValue], _ style: TextStyle) -> [String] {
        let texts = events.map(EventText.init)
        let width = texts.map(\.name.count).max() ?? 0
        return texts.map { $0.line(style, nameWidth: width) }
    }
}
