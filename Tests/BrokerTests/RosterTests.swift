import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `The roster` {
    private var roster = Roster(Limits(), Door(owner: 1_000), epoch: 7)
    private let history = Account()
    private let peer = Peer(pid: 1, uid: 2_000)

    private mutating func admit(_ access: Access = .control) throws -> ConnectionSlot {
        try roster.admit(access, peer)
    }

    @discardableResult
    private mutating func add(_ text: String, isOnDemand: Bool = false) throws -> ModelID {
        let address = try #require(Address(text))
        return roster.add(
            Outbox.Arrival(KindID(index: 0), at: address, isOnDemand: isOnDemand), [], history)
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
        let game = ModelID(slot: 0, number: 1)
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
            let subscription = Subscription(
                pattern, as: nil, only: nil, since: UTCTime(seconds: 0), history)
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
        var ids: [ModelID] = []
        for text in ["login/a", "login/b"] {
            ids.append(try add(text, isOnDemand: true))
            roster.own(ids[ids.count - 1], slot)
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

    @Test mutating func `A view model is found at its address until it ends`() throws {
        let address = try #require(Address("echo/a"))
        let old = try add("echo/a")
        for _ in 0..<2 {
            let found = roster.find(address)
            #expect(found == old)
        }
        let cursor = roster.cursor(of: old)
        roster.remove(old)
        let gone = roster.find(address)
        #expect(gone == nil && !roster.isHere(old) && roster.modelCount == 0)
        let new = try add("echo/a")
        let found = roster.find(address)
        #expect(found == new && new.slot == old.slot && !roster.isHere(old))
        #expect(roster.cursor(of: new).mark != cursor.mark)
        #expect(roster.lastNumber == 2)
    }

    @Test mutating func `The address of a view model that has ended is known until the turn ends`()
        throws
    {
        let old = try add("echo/a")
        roster.remove(old)
        let new = try add("echo/b")
        #expect([old, new].map(roster.address).map(\.text) == ["echo/a", "echo/b"])
        roster.endTurn()
        #expect(roster.address(of: new).text == "echo/b")
    }

    @Test mutating func `The view models under an address are found, the deepest first`() throws {
        for text in ["a/b", "a", "ab", "a/b/c", "a-", "a/c"] { try add(text) }
        for (text, expected) in [
            ("a", ["a/c", "a/b/c", "a/b", "a"]), ("a/b", ["a/b/c", "a/b"]), ("b", []),
        ] {
            let found = roster.all(under: try #require(Address(text)))
            #expect(found.map { roster[$0].address.text } == expected)
        }
    }

    @Test mutating func `View models on demand are counted until they end`() throws {
        let id = try add("echo/a", isOnDemand: true)
        try add("bench")
        #expect(roster.onDemandCount == 1)
        roster.remove(id)
        #expect(roster.onDemandCount == 0 && roster.modelCount == 1)
    }

    @Test mutating func `Only view models that are awake have a stream`() throws {
        let id = try add("echo/a")
        try add("echo/b")
        #expect(roster.awake.isEmpty)
        _ = roster.awake(id)
        #expect(roster.awake.map(\.id) == [id])
        roster.fallAsleep(id)
        #expect(roster.awake.isEmpty)
        #expect(roster[id].seq == 1)
    }
}
