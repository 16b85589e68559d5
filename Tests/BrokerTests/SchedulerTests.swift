import Testing

@testable import BusdBroker

@Suite struct `The scheduler` {
    /// A scheduler with connections 0 up to `count`, each with full credit.
    private func scheduler(_ count: Int, turn: Int = Cost.turn) -> Scheduler {
        var scheduler = Scheduler()
        scheduler.limitTurns(to: turn)
        for slot in 0..<count {
            scheduler.admit(slot)
            scheduler.ready(slot)
        }
        var spent = 0
        self.turn(&scheduler, at: &spent, cost: { _ in 0 })
        return scheduler
    }

    /// Serves one turn. A visit costs `cost`, and the connection stays ready if `goesOn` is true.
    @discardableResult
    private func turn(
        _ scheduler: inout Scheduler, at spent: inout Int, cost: (ConnectionSlot) -> Int,
        price: Int = 1, goesOn: (ConnectionSlot) -> Bool = { _ in false }
    ) -> [ConnectionSlot] {
        var served: [ConnectionSlot] = []
        scheduler.beginTurn(at: spent)
        while let slot = scheduler.next(at: spent) {
            scheduler.beginWork()
            if scheduler.affords(cost(slot)) {
                served.append(slot)
                spent += cost(slot)
                if goesOn(slot) { scheduler.ready(slot) }
            } else {
                scheduler.postpone()
            }
            scheduler.endVisit(at: spent, price: price)
        }
        scheduler.endTurn()
        return served
    }

    @Test func `Connections are served in the order in which they became ready`() {
        var scheduler = scheduler(4)
        var spent = 0
        for slot in [3, 1, 2, 1] { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: { _ in 100 }) == [3, 1, 2])
        #expect(scheduler.isEmpty)
    }

    @Test func `A connection of this turn is served before a crowd of an earlier turn`() {
        var scheduler = scheduler(11, turn: 300)
        var spent = 0
        for slot in 0..<10 { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: { _ in 100 }) == [0, 1, 2])
        scheduler.ready(10)
        #expect(turn(&scheduler, at: &spent, cost: { _ in 100 }) == [10, 3, 4])
        #expect(!scheduler.isEmpty)
    }

    @Test func `A long step is taken only in a visit from the old list`() {
        var scheduler = scheduler(3)
        var spent = 0
        for slot in 0..<3 { scheduler.ready(slot) }
        let costs = [Cost.unknown, 100, Cost.unknown]
        #expect(turn(&scheduler, at: &spent, cost: { costs[$0] }) == [1, 0, 2])
    }

    @Test func `A quarter of each turn is kept for the old list`() {
        var scheduler = scheduler(301, turn: 40_000)
        var spent = 0
        scheduler.ready(300)
        let cost = { $0 == 300 ? 10_000 : 1_000 }
        turn(&scheduler, at: &spent, cost: cost) { $0 == 300 }
        for _ in 0..<3 {
            for slot in 0..<300 { scheduler.ready(slot) }
            let served = turn(&scheduler, at: &spent, cost: cost) { $0 == 300 }
            #expect(served.count { $0 == 300 } == 1)
            #expect(served.count == 31)
        }
    }

    @Test func `A connection that costs half as much is served twice as often`() {
        var scheduler = scheduler(3, turn: 1_000)
        var spent = 0
        for slot in 1...2 { scheduler.ready(slot) }
        var served: [ConnectionSlot] = []
        for _ in 0..<300 {
            served += turn(
                &scheduler, at: &spent, cost: { $0 * Scheduler.mostCredit }, goesOn: { _ in true })
        }
        let (cheap, dear) = (served.count { $0 == 1 }, served.count { $0 == 2 })
        #expect(abs(cheap - 2 * dear) <= 4)
        #expect(served.count == cheap + dear)
    }

    @Test func `A connection is charged its price`() {
        var scheduler = scheduler(3)
        var spent = 0
        for slot in 0..<3 { scheduler.ready(slot) }
        var served: [ConnectionSlot] = []
        scheduler.limitTurns(to: 2 * Scheduler.quantum)
        for _ in 0..<4_000 {
            scheduler.beginTurn(at: spent)
            while let slot = scheduler.next(at: spent) {
                served.append(slot)
                scheduler.beginWork()
                scheduler.ready(slot)
                spent += Scheduler.quantum
                scheduler.endVisit(at: spent, price: slot == 0 ? 64 : 1)
            }
            scheduler.endTurn()
        }
        let visits = (0..<3).map { slot in served.count { $0 == slot } }
        #expect((visits[1] / 70...visits[1] / 58).contains(visits[0]))
        #expect(abs(visits[1] - visits[2]) <= 10)
    }

    @Test func `A connection without credit waits, unless the scheduler has been idle`() {
        var scheduler = scheduler(3, turn: 2 * Cost.unknown)
        var spent = 0
        // Connection 0 uses much more than its credit while connection 1 has more to do.
        for slot in 0..<2 { scheduler.ready(slot) }
        let cost = { $0 == 0 ? 2 * Scheduler.mostCredit : Cost.unknown }
        turn(&scheduler, at: &spent, cost: cost) { $0 == 1 }
        scheduler.ready(0)
        scheduler.ready(2)
        let served = turn(&scheduler, at: &spent, cost: cost) { $0 == 1 }
        #expect(Set(served) == [1, 2])
        // Connection 1 has nothing more to do.
        while !scheduler.isEmpty { turn(&scheduler, at: &spent, cost: { _ in 1 }) }
        for slot in [0, 2] { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: { _ in 1 }) == [0, 2])
    }

    @Test func `A new connection gets one quantum`() {
        var scheduler = scheduler(3)
        var spent = 0
        scheduler.ready(0)
        let goesOn: (ConnectionSlot) -> Bool = { $0 == 0 }
        turn(&scheduler, at: &spent, cost: { _ in 8_000 }, goesOn: goesOn)
        for slot in [1, 3] { scheduler.admit(slot) }
        for slot in 1...3 { scheduler.ready(slot) }
        let cost = { $0 == 1 ? Scheduler.quantum : 8_000 }
        #expect(turn(&scheduler, at: &spent, cost: cost, price: 3, goesOn: goesOn) == [2, 1, 3, 0])
        for slot in 1...2 { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: cost, price: 3, goesOn: goesOn) == [2, 0, 1])
    }

    @Test func `A new connection is served after all others of its first turn`() {
        var scheduler = scheduler(2)
        var spent = 0
        scheduler.admit(2)
        for slot in [2, 0, 1] { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: { _ in 1 }) == [0, 1, 2])
        for slot in [2, 0, 1] { scheduler.ready(slot) }
        #expect(turn(&scheduler, at: &spent, cost: { _ in 1 }) == [2, 0, 1])
    }

    @Test func `A removed connection is forgotten`() {
        var scheduler = scheduler(2)
        var spent = 0
        for slot in 0..<2 { scheduler.ready(slot) }
        scheduler.remove(0)
        #expect(turn(&scheduler, at: &spent, cost: { _ in 1 }) == [1])
        scheduler.ready(0)
        scheduler.remove(0)
        #expect(turn(&scheduler, at: &spent, cost: { _ in 1 }) == [])
        #expect(scheduler.isEmpty)
    }
}
