import BusdProtocol

/// The connections, with their subscriptions and watches, and the view models (`ModelTable`).
///
/// Connections have slots that are reused. A slot is free once the shell has closed its socket and
/// no view model has the connection among its watchers any more.
struct Roster {
    private var connections: [Connection] = []
    private var vacantSlots: [ConnectionSlot] = []
    /// Slots of closed connections. The shell has not taken their `close` effect yet.
    private var retiredSlots: [ConnectionSlot] = []
    private var admission: Admission
    /// What a connection may do.
    private(set) var door: Door
    /// The number of the newest connection.
    private var lastConnection = 0
    /// The subscriptions to patterns, not to addresses, of all connections.
    private var patterns = PatternIndex()
    /// Connections that get no events any more, but are still watchers of view models, and these
    /// view models. Their slots stay taken.
    private var leavers: [(slot: ConnectionSlot, models: [ModelID])] = []
    /// The slots of `leavers`.
    private var leaving: Set<ConnectionSlot> = []
    private var models: ModelTable

    init(_ limits: Limits, _ door: Door, epoch: UInt32) {
        admission = Admission(limits)
        self.door = door
        models = ModelTable(epoch: epoch)
    }

    // MARK: Connections

    subscript(slot: ConnectionSlot) -> Connection {
        @inline(__always) _read { yield connections[slot] }
    }

    /// All slots of connections, also vacant ones.
    var slots: Range<ConnectionSlot> { connections.indices }

    var connectionCount: Int { admission.count }
    var viewConnectionCount: Int { admission.viewCount }

    func isHere(_ slot: ConnectionSlot) -> Bool {
        connections.indices.contains(slot) && connections[slot].stage != .vacant
    }

    /// Whether the slot still has the connection with this number.
    func isHere(_ slot: ConnectionSlot, _ number: Int) -> Bool {
        isHere(slot) && connections[slot].number == number
    }

    func isConnected(_ number: Int) -> Bool {
        connections.contains { $0.number == number && $0.stage != .vacant }
    }

    mutating func admit(
        _ access: Access, _ peer: Peer
    ) throws(AdmissionError) -> ConnectionSlot {
        try admission.admit(access, peer, isExempt: door.isAdministrator(peer.uid))
        lastConnection += 1
        let connection = Connection(number: lastConnection, access: access, peer: peer)
        let slot = vacantSlots.popLast() ?? connections.count
        if slot < connections.count {
            connections[slot] = connection
        } else {
            connections.append(connection)
        }
        door.admit(slot, peer)
        return slot
    }

    /// See `Door.adopt`.
    mutating func adopt(_ policy: Policy) { door.adopt(policy) }

    /// The rights of the connection now, and by the policy that was adopted.
    mutating func users(of slot: ConnectionSlot) -> Enforcement.Users {
        Enforcement.Users(
            before: door.rights(of: slot), after: door.rights(for: connections[slot].peer))
    }

    /// The connection has its rights by the policy that was adopted.
    mutating func renewRights(of slot: ConnectionSlot) { door.admit(slot, connections[slot].peer) }

    mutating func rename(_ slot: ConnectionSlot, _ name: String?) { connections[slot].name = name }

    /// No more requests are handled; the connection closes when its lines are written.
    mutating func startClosing(_ slot: ConnectionSlot) { connections[slot].stage = .closing }

    /// The connection is closed.
    mutating func remove(_ slot: ConnectionSlot) {
        admission.release(connections[slot].access, connections[slot].peer)
        connections[slot].vacate()
        if !leaving.contains(slot) { retiredSlots.append(slot) }
    }

    /// The shell has closed the sockets: their slots can be used again.
    mutating func reuseSlots() {
        vacantSlots.append(contentsOf: retiredSlots)
        retiredSlots.removeAll()
    }

    /// The connection owns a view model from now on.
    mutating func own(_ model: ModelID, _ slot: ConnectionSlot) {
        connections[slot].own.append(model)
    }

    /// Forgets owned view models that have ended. Returns the number of the others.
    mutating func countOwn(of slot: ConnectionSlot) -> Int {
        let own = connections[slot].own.filter(models.isHere)
        connections[slot].own = own
        return own.count
    }

    // MARK: Subscriptions

    /// - Parameter place: index of the subscription to the same pattern, which is replaced.
    mutating func keep(_ subscription: Subscription, at place: Int?, _ slot: ConnectionSlot) {
        if let place {
            connections[slot].subscriptions[place] = subscription
        } else {
            connections[slot].subscriptions.append(subscription)
        }
        if subscription.pattern.address == nil { patterns.insert(subscription, of: slot) }
    }

    mutating func removeSubscription(at place: Int, _ slot: ConnectionSlot) -> Subscription {
        let subscription = connections[slot].subscriptions.remove(at: place)
        if subscription.pattern.address == nil { patterns.remove(subscription.pattern, of: slot) }
        return subscription
    }

    /// A view model has ended. Returns whether the connection had a subscription to its address.
    mutating func removeSubscription(to address: Address, _ slot: ConnectionSlot) -> Bool {
        let place = connections[slot].subscriptions.firstIndex { $0.pattern.address == address }
        if let place { _ = removeSubscription(at: place, slot) }
        return place != nil
    }

    /// Number of lookups in `interests`.
    var patternShapeCount: Int { patterns.shapeCount }

    /// The connections with a pattern that matches the address; see `PatternIndex`.
    func interests(for address: Address) -> [(slot: ConnectionSlot, interest: Interest)] {
        patterns.interests(for: address)
    }

    // MARK: Watches

    /// - Parameter index: of the connection among the watchers of the view model.
    mutating func watch(_ slot: ConnectionSlot, _ model: ModelID, at index: Int) {
        connections[slot].watches[model] = index
    }

    /// Returns the index that the connection had; `nil`: it was no watcher.
    mutating func unwatch(_ slot: ConnectionSlot, _ model: ModelID) -> Int? {
        connections[slot].watches.removeValue(forKey: model)
    }

    /// Reserves memory for this many more watches.
    mutating func reserve(_ more: Int, _ slot: ConnectionSlot) {
        let count = connections[slot].watches.count + more
        if connections[slot].watches.capacity < count {
            connections[slot].watches.reserveCapacity(count)
        }
    }

    /// Frees memory for watches that have ended.
    mutating func giveBackRoom(_ slot: ConnectionSlot) {
        connections[slot].watches.giveBackRoom()
    }

    /// The connection leaves all view models that it watches.
    mutating func startLeaving(_ slot: ConnectionSlot) {
        leaving.insert(slot)
        leavers.append((slot, Array(connections[slot].watches.keys)))
    }

    /// A connection that is leaving.
    var leaver: ConnectionSlot? { leavers.last?.slot }

    /// The next view model that `leaver` has to leave; `nil`: it has left all.
    mutating func nextToLeave() -> ModelID? {
        leavers.isEmpty ? nil : leavers[leavers.count - 1].models.popLast()
    }

    /// Whether `leaver` has left all.
    var hasLeftAll: Bool { leavers.last?.models.isEmpty ?? true }

    /// `leaver` is a watcher of no view model any more.
    mutating func hasLeft() {
        guard let slot = leavers.popLast()?.slot else { return }
        leaving.remove(slot)
        if connections[slot].stage == .vacant { retiredSlots.append(slot) }
    }

    // MARK: View models

    var modelCount: Int { models.count }
    var onDemandCount: Int { models.onDemandCount }
    /// The number of the newest view model.
    var lastNumber: UInt32 { models.lastNumber }
    var awake: [(id: ModelID, stream: Stream)] { models.awake }

    subscript(id: ModelID) -> Model {
        @inline(__always) _read { yield models[id] }
    }

    @inline(__always)
    func isHere(_ id: ModelID) -> Bool { models.isHere(id) }

    /// Slots of view models, also vacant ones.
    var modelSlotCount: Int { models.slotCount }

    /// The view models in some slots.
    func models(in slots: Range<Int>) -> [ModelID] { models.inSlots(slots) }

    func cursor(of id: ModelID) -> Cursor { models.cursor(of: id) }

    @inline(__always)
    mutating func find(_ address: Address) -> ModelID? { models.find(address) }

    func count(from start: String, to end: String) -> Int { models.count(from: start, to: end) }

    func beside(
        _ text: String, most: Int, where isWanted: (ModelID) -> Bool
    ) -> [ModelID] {
        models.beside(text, most: most, where: isWanted)
    }

    mutating func all(under address: Address) -> [ModelID] { models.all(under: address) }

    func forEach(from start: String, to end: String, _ body: (ModelID) -> Bool) {
        models.forEach(from: start, to: end, body)
    }

    mutating func add(
        _ arrival: Outbox.Arrival, _ traits: KindTraits, _ history: Account
    ) -> ModelID {
        models.add(arrival, traits, history)
    }

    mutating func remove(_ id: ModelID) { models.remove(id) }

    /// The address of a view model that is here, or has ended in this turn.
    func address(of id: ModelID) -> Address { models.address(of: id) }

    mutating func endTurn() { models.endTurn() }

    @inline(__always)
    mutating func awake(_ id: ModelID) -> Stream { models.awake(id) }

    mutating func fallAsleep(_ id: ModelID) { models.fallAsleep(id) }

    mutating func noteDone(_ id: ModelID) { models.noteDone(id) }
}

/// The identity of a connection, and its subscriptions and watches. Other parts of the bus have
/// their own state of a connection, by slot.
struct Connection {
    enum Stage: Equatable {
        /// The slot is free.
        case vacant
        /// Requests are handled, until the peer has half-closed (`Intake.hasEnded`).
        case open
        /// The connection is closed when its lines are written.
        case closing
    }

    /// Numbers connections from 1. A number is never reused.
    let number: Int
    let peer: Peer
    let access: Access
    /// As in `hello`.
    fileprivate(set) var name: String?
    fileprivate(set) var stage = Stage.open
    fileprivate(set) var subscriptions: [Subscription] = []
    /// The view models that it watches, and its index among the watchers of each.
    fileprivate(set) var watches: [ModelID: Int] = [:]
    /// The view models that it owns (Bus+Own.swift). Some may have ended already.
    fileprivate(set) var own: [ModelID] = []

    fileprivate init(number: Int, access: Access, peer: Peer) {
        self.number = number
        self.access = access
        self.peer = peer
    }

    /// The connection is closed. Only watches that have not ended yet stay.
    fileprivate mutating func vacate() {
        var vacant = Connection(number: 0, access: access, peer: Peer(pid: 0, uid: 0))
        vacant.stage = .vacant
        swap(&vacant.watches, &watches)
        self = vacant
    }
}
