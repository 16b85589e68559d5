import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `The budget` {
    private typealias Holding = Budget.Holding

    /// A budget with `total` bytes for input, for output and for histories.
    private func budget(_ total: Int, output: Int = 100, connections: Int = 1) -> Budget {
        var limits = Limits()
        limits.output = output
        limits.inputTotal = total
        limits.outputTotal = total
        limits.historyTotal = total
        return admitting(connections, to: limits)
    }

    private func admitting(_ connections: Int, to limits: Limits) -> Budget {
        var budget = Budget(limits)
        for slot in 0..<connections { budget.admit(slot) }
        return budget
    }

    @Test func `A charge replaces the last charge of the connection`() {
        var budget = budget(1_000, connections: 2)
        budget.charge(Holding(unfinished: 2, input: 2, events: 3), to: 0)
        budget.charge(Holding(events: 10, answers: 20), to: 1)
        budget.charge(Holding(input: 5), to: 0)
        #expect(budget.holding(of: 0) == Holding(input: 5))
        #expect(budget.holding(of: 1) == Holding(events: 10, answers: 20))
        #expect(budget.held.unfinishedInput == 0)
        #expect(budget.held.waitingInput == 5)
        #expect(budget.held.events == 10)
        #expect(budget.held.answers == 20)
        budget.charge(Holding(), to: 0)
        budget.charge(Holding(), to: 1)
        #expect(budget.held == Budget(Limits()).held)
    }

    @Test func `Shared bytes are unread for as long as they exist`() {
        var budget = budget(1_000)
        budget.charge(Holding(answers: 300), to: 0)
        var shared: [SharedBytes] = [SharedBytes([UInt8](repeating: 0, count: 500), budget.shared)]
        #expect(budget.unread == 800)
        #expect(budget.excess(for: .control) == -200)
        #expect(budget.excess(for: .view) == 300)
        shared.removeAll()
        #expect(budget.unread == 300)
    }

    @Test func `A connection that has read everything gets answers while too much is unread`() {
        var budget = budget(1_000)
        budget.charge(Holding(answers: 501), to: 0)
        #expect(budget.mayAnswer(0, .view))
        #expect(!budget.mayAnswer(1, .view))
        #expect(budget.mayAnswer(100, .control))
        #expect(!budget.mayAnswer(101, .control))
        budget.charge(Holding(answers: 1_001), to: 0)
        #expect(budget.mayAnswer(0, .control))
        #expect(!budget.mayAnswer(1, .control))
    }

    @Test func `A step of a catch-up is small while too much is unread`() {
        var budget = budget(1_000, output: 6_400)
        budget.charge(Holding(answers: 1_000), to: 0)
        #expect(budget.mostOfStep == 1_600)
        budget.charge(Holding(answers: 1_001), to: 0)
        #expect(budget.mostOfStep == 100)
    }

    @Test func `View clients may fill half of the waiting input, and little is always read`() {
        let little = Limits.littleInput
        var budget = budget(10 * little)
        budget.charge(Holding(input: 5 * little), to: 0)
        #expect(budget.mostToRead(.view) == Limits.turnBytes)
        budget.charge(Holding(input: 5 * little + 1), to: 0)
        #expect(budget.mostToRead(.view) == little)
        #expect(budget.mostToRead(.control) == Limits.turnBytes)
        budget.charge(Holding(input: 10 * little + 1), to: 0)
        #expect(budget.mostToRead(.control) == little)
    }

    @Test func `A connection is not read while lines of it wait`() {
        var budget = admitting(1, to: Limits())
        budget.charge(Holding(input: Limits.littleInput), to: 0)
        #expect(budget.mayRead(0))
        budget.charge(Holding(input: Limits.littleInput + 1), to: 0)
        #expect(!budget.mayRead(0))
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
        budget.charge(Holding(unfinished: 800, input: 800, events: 800), to: 0)
        let history = Charge(800, on: budget.history)
        for kind in [Budget.Kind.unfinishedInput, .history] {
            #expect(!budget.isOver(kind) && budget.isOverGoal(kind))
        }
        #expect(!budget.isOver(.events) && !budget.isOverGoal(.events))
        budget.charge(Holding(unfinished: 801, input: 801, events: 801), to: 0)
        history.change(to: 801)
        for kind in [Budget.Kind.unfinishedInput, .history, .events] {
            #expect(budget.isOver(kind) && budget.isOverGoal(kind))
        }
        budget.charge(Holding(unfinished: 700, input: 700), to: 0)
        history.change(to: 700)
        for kind in [Budget.Kind.unfinishedInput, .history] {
            #expect(!budget.isOverGoal(kind))
        }
    }
}
