import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// `viewctl wait ADDRESS CONDITION...`
struct Wait: Command {
    static let name = "wait"
    static let verb = Verb(
        name, "wait until conditions hold for a view model, all at the same time",
        options: [nowOption],
        operands: [Operand("ADDRESS"), Operand("CONDITION"), Operand("CONDITION", .any)],
        details: """
            A condition is the name of an event, a dot, and a field, such as finished.winner;
            more fields, or places in lists from 0, may follow, such as games.games.0.status.
            Alone, it holds if the value is there and is not false.
            With =, !=, <, <=, > or >= and a value, it compares: numbers as numbers, texts by their
            bytes.
            The only condition
            .B gone
            holds if there is no such address.
            .PP
            What holds already ends the wait at once.
            Else it waits, also for the daemon, and for an address that does not exist yet.
            A kind that the daemon does not have is an error.
            .PP
            Exit status 0: the conditions hold; 3: timed out, or they do not hold now; 4: the view
            model has ended.
            """)

    static let nowOption = Option(
        "now", nil, "look once: status 3 if the conditions do not hold, 1 without a daemon")

    let address: Address
    /// Empty: the view model must be gone.
    let conditions: [Condition]
    let isOnce: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        address = try arguments.address(arguments.operands[0])
        isOnce = arguments.has(Self.nowOption)
        let texts = arguments.operands.dropFirst()
        if texts.contains("gone") {
            guard texts.count == 1 else {
                throw arguments.error("gone is the only condition, or none")
            }
            conditions = []
            return
        }
        conditions = try texts.map { text throws(UsageError) in
            if let condition = Condition(text), !condition.path.fields.isEmpty { return condition }
            throw arguments.error(
                "'\(text)' is no condition: give one such as score.home>=11, or gone")
        }
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection(name: "viewctl")
            return Waiting(self, connection, console).run(
                within: settings.timeout ?? (isOnce ? .seconds(5) : .zero))
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }
}
