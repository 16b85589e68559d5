import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// `viewctl watch PATTERN...`
struct Watch: Command {
    static let name = "watch"
    static let verb = Verb(
        name,
        "print the current values, then events as they happen; after a lost connection, connect "
            + "again and resume",
        options: [onlyOption, untilOption, countOption, sinceOption, asOption],
        operands: [Operand("PATTERN"), Operand("PATTERN", .any)])

    static let onlyOption = Option(
        "only", "o", argument: "NAMES", "print only events with these names, separated by commas",
        details: "Unknown names are refused, with suggestions. So are unknown names in --until.")
    static let untilOption = Option(
        "until", "u", argument: "EVENT",
        "end after this event: a name, or name.field=value such as finished.isFinished=true",
        details: "A value that the field cannot have, such as yes for true or false, is refused.")
    static let countOption = Option("count", "n", argument: "N", "end after N events")
    static let sinceOption = Option(
        "since", argument: "CURSOR",
        "print only events after this cursor from a live line, if busd still has them; for one "
            + "address only"
    )
    static let asOption = Option("as", argument: "NAME", "the name of this view in bus/views")

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
            throw arguments.error("--since needs exactly one address")
        }
    }

    private static func condition(_ arguments: Arguments) throws(UsageError) -> Condition? {
        guard let text = arguments[untilOption] else { return nil }
        if let condition = Condition(text) { return condition }
        throw arguments.error("--until needs a name, or name.field=value, not '\(text)'")
    }

    private static func cursor(_ arguments: Arguments) throws(UsageError) -> Cursor? {
        guard let text = arguments[sinceOption] else { return nil }
        if let cursor = Cursor(text) { return cursor }
        throw arguments.error("--since needs a cursor from a live line, not '\(text)'")
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection(name: "viewctl")
            return Watching(self, connection, console, settings.form)
                .run(within: settings.timeout ?? .zero)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }
}
