@testable import BusdBroker
import BusdProtocol
import Testing

@Suite struct `The budget` {
    private typealias Holding = Budget.Holding

    /// A budget with `total` bytes for input, for output and for histories.
    private func budget(_ total: Int, output: Int = 100) -> Budget {
        var limits = Limits()
        limits.output = output
        limits.inputTotal = total
        limits.outputTotal = total
        limits.historyTotal = total
        return Budget(limits)
    }

    @Test func `A charge replaces the last charge of the connection`() {
        var budget = budget(1_000)
        var (first, second) = (Holding(), Holding())
        budget.charge(Holding(unfinishedInput: 1, waitingInput: 2, events: 3), to: &first)
        budget.charge(Holding(events: 10, answers: 20), to: &second)
        budget.charge(Holding(waitingInput: 5), to: &first)
        #expect(first == Holding(waitingInput: 5))
        #expect(budget.held.unfinishedInput == 0)
        #expect(budget.held.waitingInput == 5)
        #expect(budget.held.events == 10)
        #expect(budget.held.answers == 20)
        budget.charge(Holding(), to: &first)
        budget.charge(Holding(), to: &second)
        #expect(budget.held == Budget(Limits()).held)
    }

    @Test func `Shared bytes are unread for as long as they exist`() {
        var budget = budget(1_000)
        var holding = Holding()
        budget.charge(Holding(answers: 300), to: &holding)
        var shared: [SharedBytes] = [SharedBytes([UInt8](repeating: 0, count: 500), budget.shared)]
        #expect(budget.unread == 800)
        #expect(budget.excess(for: .control) == -200)
        #expect(budget.excess(for: .view) == 300)
        shared.removeAll()
        #expect(budget.unread == 300)
    }

    @Test func `A connection that has read everything gets answers while too much is unread`() {
        var budget = budget(1_000)
        var holding = Holding()
        budget.charge(Holding(answers: 501), to: &holding)
        #expect(budget.mayAnswer(0, .view))
        #expect(!budget.mayAnswer(1, .view))
        #expect(budget.mayAnswer(100, .control))
        #expect(!budget.mayAnswer(101, .control))
        budget.charge(Holding(answers: 1_001), to: &holding)
        #expect(budget.mayAnswer(0, .control))
        #expect(!budget.mayAnswer(1, .control))
    }

    @Test func `A step of a catch-up is small while too much is unread`() {
        var budget = budget(1_000, output: 6_400)
        var holding = Holding()
        budget.charge(Holding(answers: 1_000), to: &holding)
        #expect(budget.mostOfStep == 1_600)
        budget.charge(Holding(answers: 1_001), to: &holding)
        #expect(budget.mostOfStep == 100)
    }

    @Test
    func `View clients may fill half of the waiting input, and little input is always read`() {
        let little = Limits.littleInput
        var budget = budget(10 * little)
        var holding = Holding()
        budget.charge(Holding(waitingInput: 5 * little), to: &holding)
        #expect(budget.mayRead(holding, 5 * little, .view))
        budget.charge(Holding(waitingInput: 5 * little + 1), to: &holding)
        #expect(!budget.mayRead(holding, 5 * little + 1, .view))
        #expect(budget.mayRead(holding, 5 * little + 1, .control))
        #expect(budget.mayRead(Holding(waitingInput: little), little, .view))
        #expect(budget.mostToRead == Limits.turnBytes)
        budget.charge(Holding(waitingInput: 10 * little + 1), to: &holding)
        #expect(!budget.mayRead(holding, 10 * little + 1, .control))
        #expect(budget.mostToRead == little)
    }

    @Test func `A connection is not read beyond a line and the input of a turn`() {
        let limits = Limits()
        let budget = Budget(limits)
        #expect(budget.mayRead(Holding(), limits.line + Limits.turnBytes, .control))
        #expect(!budget.mayRead(Holding(), limits.line + Limits.turnBytes + 1, .control))
    }

    @Test func `View clients may fill half of the memory for subscriptions`() {
        var limits = Limits()
        limits.subscriptionTotal = 10 * HeldMemory.membershipBytes
        var budget = Budget(limits)
        budget.countMemberships(4, .view)
        let charge = Charge(HeldMemory.membershipBytes, on: budget.subscriptions(of: .view))
        #expect(!budget.areSubscriptionsOver(with: 0, .view))
        #expect(budget.areSubscriptionsOver(with: 1, .view))
        #expect(!budget.areSubscriptionsOver(with: 5 * HeldMemory.membershipBytes, .control))
        #expect(budget.areSubscriptionsOver(with: 5 * HeldMemory.membershipBytes + 1, .control))
        budget.countMemberships(-4, .view)
        #expect(budget.held.memberships == 0)
        #expect(budget.held.subscriptions == charge.bytes)
        #expect(budget.held.controlSubscriptions == 0)
    }

    @Test func `Evictions free an eighth of input or histories, but only the excess of events`() {
        var budget = budget(800)
        var holding = Holding()
        budget.charge(Holding(unfinishedInput: 800, events: 800), to: &holding)
        let history = Charge(800, on: budget.history)
        for kind in [Budget.Kind.unfinishedInput, .history] {
            #expect(!budget.isOver(kind) && budget.isOverGoal(kind))
        }
        #expect(!budget.isOver(.events) && !budget.isOverGoal(.events))
        budget.charge(Holding(unfinishedInput: 801, events: 801), to: &holding)
        history.bytes = 801
        for kind in [Budget.Kind.unfinishedInput, .history, .events] {
            #expect(budget.isOver(kind) && budget.isOverGoal(kind))
        }
        budget.charge(Holding(unfinishedInput: 700), to: &holding)
        history.bytes = 700
        for kind in [Budget.Kind.unfinishedInput, .history] {
            #expect(!budget.isOverGoal(kind))
        }
    }
}
