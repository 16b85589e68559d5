import BusdOptions
import BusdScreens

/// `viewctl send`: one event, or those of standard input.
struct SendCommand: Command {
    static let name = Send.name
    static let verb = Send.verb

    private let command: any Command

    init(_ arguments: Arguments) throws(UsageError) {
        command =
            arguments.operands[0] == "-" ? try SendLines(arguments) : try Send(arguments)
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        try command.run(settings, console)
    }
}
