import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// `viewctl watch PATTERN...`
struct Watch: Command {
    static let name = "watch"
    static let verb = Verb(
        name,
        "print events as they happen, the present values first; after a loss of the connection it "
            + "connects again and goes on",
        options: [onlyOption, untilOption, countOption, sinceOption, asOption],
        operands: [Operand("PATTERN"), Operand("PATTERN", .any)])

    static let onlyOption = Option(
        "only", "o", argument: "NAMES", "only the events of these names, with commas between them",
        details: "A name that no event has is refused, with suggestions; so it is with --until.")
    static let untilOption = Option(
        "until", "u", argument: "EVENT",
        "end with this event: a name, or name.field=value such as finished.isFinished=true",
        details: "A value that the field cannot have, such as yes for true or false, is refused.")
    static let countOption = Option("count", "n", argument: "N", "end after N events")
    static let sinceOption = Option(
        "since", argument: "CURSOR",
        "only what came after this cursor of a live line, where busd still has it; one address only"
    )
    static let asOption = Option("as", argument: "NAME", "what bus/views calls this view")

    let patterns: [Pattern]
    let only: [String]?
    let until: Condition?
    let count: Int?
    let since: Cursor?
    let viewName: String?

    init(_ arguments: Arguments) throws(UsageError) {
        patterns = try arguments.operands.map { text throws(UsageError) in
            try arguments.pattern(text)
        }
        only = arguments[Self.onlyOption]?.split(separator: ",").map(String.init)
        until = try Self.condition(arguments)
        count = try arguments.integer(Self.countOption, in: 1...Int.max)
        since = try Self.cursor(arguments)
        viewName = arguments[Self.asOption]
        if let only, let until, !only.contains(until.name) {
            throw arguments.error("--until waits for \(until.name), which --only leaves out")
        }
        if since != nil, patterns.count != 1 || patterns[0].address == nil {
            throw arguments.error("--since goes with one address")
        }
    }

    private static func condition(_ arguments: Arguments) throws(UsageError) -> Condition? {
        guard let text = arguments[untilOption] else { return nil }
        if let condition = Condition(text) { return condition }
        throw arguments.error("--until wants a name, or name.field=value, not '\(text)'")
    }

    private static func cursor(_ arguments: Arguments) throws(UsageError) -> Cursor? {
        guard let text = arguments[sinceOption] else { return nil }
        if let cursor = Cursor(text) { return cursor }
        throw arguments.error("--since wants a cursor, as a live line has it, not '\(text)'")
    }

    func run(_ settings: Settings, _ paper: Paper) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection(name: "viewctl")
            return Watching(self, connection, paper, settings.form)
                .run(within: settings.timeout ?? .zero)
        } catch {
            paper.complain("viewctl: \(error)")
            return .noConnection
        }
    }
}
