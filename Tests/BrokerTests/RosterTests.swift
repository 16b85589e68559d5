@testable import BusdBroker
import BusdProtocol
import Testing

@Suite struct `The roster` {
    private var roster = Roster(Limits(), owner: 1_000, epoch: 7)
    private let history = Account()
    private let peer = Peer(pid: 1, uid: 2_000)

    private mutating func admit(_ access: Access = .control) throws -> ConnectionSlot {
        try roster.admit(access, peer)
    }

    private mutating func add(_ id: ModelID, _ address: String, isOnDemand: Bool = false) throws {
        let address = try #require(Address(address))
        roster.add(
            Outbox.Arrival(
                model: id, address: address, kind: KindID(index: 0), isOnDemand: isOnDemand),
            [], history)
    }

    // MARK: Connections

    @Test mutating func `A slot is used again after the shell has closed its socket`() throws {
        let first = try admit()
        let second = try admit(.view)
        #expect([first, second] == [0, 1])
        #expect(roster.connectionCount == 2 && roster.viewConnectionCount == 1)
        roster.remove(first)
        #expect(!roster.isHere(first) && roster.isHere(second))
        #expect(roster.connectionCount == 1)
        let third = try admit()
        #expect(third == 2)
        roster.reuseSlots()
        let fourth = try admit()
        #expect(fourth == first)
        #expect(roster[fourth].number == 4)
        #expect(roster.isHere(first, 4) && !roster.isHere(first, 1))
        #expect(roster.isConnected(4) && !roster.isConnected(1))
    }

    @Test mutating func `A slot is kept until its connection has left all view models`() throws {
        let slot = try admit()
        let game = ModelID(slot: 0, generation: 1)
        roster.watch(slot, game, at: 0)
        roster.startLeaving(slot)
        roster.remove(slot)
        roster.reuseSlots()
        let second = try admit()
        #expect(second == 1)
        #expect(roster.leaver == slot && !roster.hasLeftAll)
        let next = (0..<2).map { _ in roster.nextToLeave() }
        #expect(next == [game, nil] && roster.hasLeftAll)
        let index = roster.unwatch(slot, game)
        #expect(index == 0)
        roster.hasLeft()
        #expect(roster.leaver == nil)
        roster.reuseSlots()
        let third = try admit()
        #expect(third == slot)
        #expect(roster[slot].number == 3 && roster[slot].watches.isEmpty)
    }

    @Test mutating func `A subscription to a pattern finds arrivals until it is removed`() throws {
        let slot = try admit()
        let address = try #require(Address("echo/a"))
        for text in ["echo/*", "echo/a"] {
            let pattern = try #require(Pattern(text))
            let subscription = Subscription(pattern, as: nil, only: nil, history)
            roster.keep(subscription, at: nil, slot)
        }
        #expect(roster.interests(for: address).map(\.slot) == [slot])
        let wereThere = (0..<2).map { _ in roster.removeSubscription(to: address, slot) }
        #expect(wereThere == [true, false])
        let last = roster.removeSubscription(at: 0, slot)
        #expect(last.pattern.text == "echo/*")
        #expect(roster.interests(for: address).isEmpty && roster.patternShapeCount == 0)
        #expect(roster[slot].subscriptions.isEmpty)
    }

    @Test mutating func `Owned view models are counted until they end`() throws {
        let slot = try admit()
        let ids = (0..<2).map { ModelID(slot: $0, generation: 1) }
        for id in ids {
            try add(id, "login/\(id.slot)", isOnDemand: true)
            roster.own(id, slot)
        }
        let before = roster.countOwn(of: slot)
        roster.remove(ids[0])
        let after = roster.countOwn(of: slot)
        #expect((before, after) == (2, 1))
        #expect(roster[slot].own == [ids[1]])
    }

    @Test mutating func `Only control connections of root and the owner may manage the daemon`()
        throws
    {
        let users = [(0, Access.control, true), (1_000, .control, true), (2_000, .control, false)]
        for (uid, access, expected) in users + [(0, .view, false), (1_000, .view, false)] {
            let slot = try roster.admit(access, Peer(pid: 1, uid: uid))
            let answer = roster.may(.find, .administrative, at: nil, slot)
            #expect(answer.isAllowed == expected, "\(uid) \(access)")
            #expect(roster.maySeeStore(slot) == expected, "\(uid) \(access)")
        }
    }

    // MARK: View models

    @Test mutating func `A view model that has ended is not found by its identifier`() throws {
        let old = ModelID(slot: 3, generation: 1)
        let new = ModelID(slot: 3, generation: 2)
        try add(old, "echo/a")
        #expect(roster.isHere(old) && !roster.isHere(new))
        #expect(roster.modelCount == 1)
        let cursor = roster.cursor(of: old)
        roster.remove(old)
        #expect(!roster.isHere(old) && roster.modelCount == 0)
        try add(new, "echo/a")
        #expect(!roster.isHere(old) && roster.isHere(new))
        #expect(roster[new].address.text == "echo/a")
        #expect(roster.cursor(of: new).mark != cursor.mark)
        #expect(roster.lastMark == 2)
    }

    @Test mutating func `The slots before a view model are free`() throws {
        let id = ModelID(slot: 2, generation: 1)
        try add(id, "echo/a")
        for slot in 0..<2 { #expect(!roster.isHere(ModelID(slot: slot, generation: 1))) }
        #expect(!roster.isHere(ModelID(slot: 3, generation: 1)))
        #expect(roster.modelCount == 1)
    }

    @Test mutating func `View models on demand are counted until they end`() throws {
        let id = ModelID(slot: 0, generation: 1)
        try add(id, "echo/a", isOnDemand: true)
        try add(ModelID(slot: 1, generation: 1), "bench")
        #expect(roster.onDemandCount == 1)
        roster.remove(id)
        #expect(roster.onDemandCount == 0 && roster.modelCount == 1)
    }

    @Test mutating func `Only view models that are awake have a stream`() throws {
        let id = ModelID(slot: 0, generation: 1)
        try add(id, "echo/a")
        try add(ModelID(slot: 1, generation: 1), "echo/b")
        #expect(roster.awake.isEmpty)
        _ = roster.awake(id)
        #expect(roster.awake.map(\.id) == [id])
        roster.fallAsleep(id)
        #expect(roster.awake.isEmpty)
        #expect(roster[id].seq == 1)
    }
}
