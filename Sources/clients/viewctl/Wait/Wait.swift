import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

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

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        try run(
            settings.session(
                name: "viewctl", isOnce ? .none : .forStartIfPermitted,
                else: .total(isOnce ? .seconds(5) : .zero)), console)
    }

    func run(_ session: Session, _ console: Console) throws -> ExitStatus {
        session.lost = { console.note("\($0); waiting for it") }
        let follower = Follower(
            address, conditions, as: Self.name, in: session,
            unfit: { console.misfit(Self.name, $0) }
        ) { event in
            switch event {
            case .state(let state):
                session.isAway = false
                // Without conditions it waits for the end.
                let holds = conditions.allSatisfy { $0.holds(for: state.value(at: $0.path)) }
                if holds, !conditions.isEmpty { return session.end(Outcome.done) }
            case .missing where conditions.isEmpty, .gone where conditions.isEmpty:
                return session.end(Outcome.done)
            case .missing:
                if !isOnce { console.note("there is no \(address) yet; waiting for it") }
            case .gone: return session.end(Outcome(.gone, "\(address) is gone"))
            }
            if isOnce { session.end(Outcome(.timedOut)) }
        }
        defer { withExtendedLifetime(follower) {} }
        do {
            return try session.wait { nil }
        } catch RequestFailure.timedOut {
            guard let loss = session.connection.loss else { throw Outcome.timedOut }
            throw Outcome(isOnce ? ExitStatus(loss) : .timedOut, "timed out: \(loss)")
        }
    }
}
