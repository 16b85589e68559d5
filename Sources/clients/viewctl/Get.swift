import BusdClient
import BusdOptions
import BusdProtocol

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

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        guard !paths.isEmpty else { return ask(settings, console) }
        do throws(LoopFailure) {
            return run(on: try settings.connection(), settings.timeout ?? .seconds(5), console)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    /// Prints the values at the paths.
    func run(
        on connection: BusConnection, _ timeout: Duration, _ console: Console
    ) -> ExitStatus {
        do throws(NoAnswer) {
            let kind = try SingleRequest(connection, .describe(address.text), within: timeout)
                .run().get().value
            let described = DescribedKinds([kind])
            for path in paths {
                if let problem = described.problem(of: [Condition(path)], ofState: true) {
                    console.writeError("viewctl get: \(problem)")
                    return .usage
                }
            }
            let answer = try SingleRequest(connection, request, within: timeout).run().get().value
            let events = answer["events"].map { Array($0.elements) } ?? []
            console.put(
                lines: paths.map { path in
                    let payload = events.compactMap { $0[path.event] }.first
                    return payload?.value(at: path.fields[...])?.oneLine ?? ""
                })
            return .done
        } catch {
            return error.report(console)
        }
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
