import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl watch PATTERN...`
struct Watch: Command {
    static let name = "watch"
    static let verb = Verb(
        name,
        "print the current values, then events as they happen; after a lost connection, connect "
            + "again and resume",
        options: [
            onlyOption, untilOption, countOption, sinceOption, resumeOption, execOption, asOption,
        ] + Format.options,
        operands: [Operand("PATTERN"), Operand("PATTERN", .any)])

    static let onlyOption = Option(
        "only", "o", argument: "NAMES", "print only events with these names, separated by commas")
    static let untilOption = Option(
        "until", "u", argument: "CONDITION",
        "end after an event for which this holds: its name, or a condition as for wait, such as "
            + "finished.isFinished=true")
    static let countOption = Option(
        "count", "n", argument: "N", "end after N events, or N lines of a format")
    static let sinceOption = Option(
        "since", argument: "CURSOR",
        "print only events after this cursor from a live line, if the daemon still has them; for one "
            + "address only"
    )
    static let resumeOption = Option(
        "resume", "r", argument: "FILE",
        "go on behind the last event of the run before, whose cursor is in this file; for one "
            + "address only")
    static let execOption = Option(
        "exec", "x", argument: "PROGRAM",
        "run a program for each event, one at a time, instead of printing")
    static let asOption = Option("as", argument: "NAME", "the name of this view in bus/views")

    let patterns: [Pattern]
    let only: [String]?
    let until: Condition?
    let count: Int?
    let since: Cursor?
    let resume: ResumeFile?
    let program: EventProgram?
    let format: Format?
    let viewName: String?

    init(_ arguments: Arguments) throws(UsageError) {
        patterns = try arguments.operands.map { text throws(UsageError) in
            try arguments.pattern(text)
        }
        only = arguments[Self.onlyOption]?.split(separator: ",").map(String.init)
        until = try arguments.value(Self.untilOption, "a name or a condition", Condition.init)
        count = try arguments.integer(Self.countOption, in: 1...Int.max)
        since = try arguments.value(Self.sinceOption, "a cursor from a live line", Cursor.init)
        resume = try arguments.path(Self.resumeOption).map(ResumeFile.init)
        program = try arguments.path(Self.execOption).map(EventProgram.init)
        viewName = arguments[Self.asOption]
        format = try Format(arguments)
        if format != nil {
            for option in [
                Self.onlyOption, Self.untilOption, Self.sinceOption, Self.resumeOption,
                Self.execOption,
            ] where arguments.has(option) {
                throw arguments.error("--\(option.name) and a format exclude each other")
            }
        }
        if let only, let until, !until.isGone, !only.contains(until.path.event) {
            throw arguments.error("--until waits for \(until.path.event), which --only leaves out")
        }
        if let problem = program?.problem { throw arguments.error("--exec: \(problem)") }
        let isOneAddress = patterns.count == 1 && patterns[0].address != nil
        for option in [
            Self.sinceOption, Self.resumeOption, Format.formatOption, Format.memberOption,
        ] where arguments.has(option) && !isOneAddress {
            throw arguments.error("--\(option.name) needs exactly one address")
        }
        if since != nil, resume != nil {
            throw arguments.error("--since and --resume exclude each other")
        }
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let session = try settings.session(
            name: "viewctl", format == nil ? .forReturn : .forStartIfPermitted,
            else: .total(.zero))
        if let format { return try Formatting(self, format, session, console).run() }
        let watching = Watching(self, session, console, settings.form)
        return try watching.run()
    }
}
