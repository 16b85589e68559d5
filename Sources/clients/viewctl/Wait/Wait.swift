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
        operands: [Operand("ADDRESS"), Operand("CONDITION"), Operand("CONDITION", .any)])

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
