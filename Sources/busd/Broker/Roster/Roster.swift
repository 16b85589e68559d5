import BusdProtocol

/// The connections, the view models, and the subscriptions to patterns.
///
/// Connections and view models have slots that are reused. A connection's slot is free once the
/// shell has closed its socket and no view model has it among its watchers any more.
struct Roster {
    private(set) var connections: [Connection] = []
    private var vacantSlots: [ConnectionSlot] = []
    /// Slots of closed connections. The shell has not taken their `close` effect yet.
    private var retiredSlots: [ConnectionSlot] = []
    private var admission: Admission
    /// The number of the newest connection.
    private var lastConnection = 0

    private var models: [Model] = []
    private(set) var modelCount = 0
    /// View models that count for `limits.onDemand`.
    private(set) var onDemandCount = 0
    /// The number of the newest view model (`Model.number`).
    private(set) var lastMark: UInt32 = 0
    /// Distinguishes cursors of this daemon from those of the daemons before it.
    private let epoch: UInt32

    /// The subscriptions to patterns, not to addresses, of all connections.
    var patterns = PatternIndex()
    /// Connections with a `subscribe` to a pattern in progress.
    var joiners: Set<ConnectionSlot> = []
    /// Connections that get no events any more, but are still watchers of view models.
    var leavers: [Leaver] = []
    /// Connections with a catch-up that is put off, because too much is unread.
    var putOff: Set<ConnectionSlot> = []

    init(_ limits: Limits, owner: Int?, epoch: UInt32) {
        admission = Admission(limits, owner: owner)
        self.epoch = epoch
    }

    // MARK: Connections

    subscript(slot: ConnectionSlot) -> Connection {
        @inline(__always) _read { yield connections[slot] }
        @inline(__always) _modify { yield &connections[slot] }
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

    /// Whether it is a control connection of root or of the daemon's own user.
    func mayManage(_ slot: ConnectionSlot) -> Bool {
        connections[slot].access == .control && admission.mayManage(connections[slot].peer.uid)
    }

    mutating func admit(
        _ access: Access, _ peer: Peer
    ) throws(AdmissionError) -> ConnectionSlot {
        try admission.admit(access, peer)
        lastConnection += 1
        let connection = Connection(number: lastConnection, access: access, peer: peer)
        if let slot = vacantSlots.popLast() {
            connections[slot] = connection
            return slot
        }
        connections.append(connection)
        return connections.count - 1
    }

    /// The connection is closed.
    mutating func remove(_ slot: ConnectionSlot) {
        joiners.remove(slot)
        putOff.remove(slot)
        admission.release(connections[slot].access, connections[slot].peer)
        connections[slot].vacate()
        if !connections[slot].isLeaving { retiredSlots.append(slot) }
    }

    /// The connection is a watcher of no view model any more.
    mutating func hasLeft(_ slot: ConnectionSlot) {
        connections[slot].isLeaving = false
        if connections[slot].stage == .vacant { retiredSlots.append(slot) }
    }

    /// The shell has closed the sockets: their slots can be used again.
    mutating func reuseSlots() {
        vacantSlots.append(contentsOf: retiredSlots)
        retiredSlots.removeAll()
    }

    // MARK: View models

    /// The view model that has the slot of `id`; see `isHere`.
    subscript(id: ModelID) -> Model {
        @inline(__always) _read { yield models[id.slot] }
        @inline(__always) _modify { yield &models[id.slot] }
    }

    @inline(__always)
    func isHere(_ id: ModelID) -> Bool {
        models.indices.contains(id.slot) && models[id.slot].id == id && models[id.slot].isHere
    }

    /// The view models that are awake.
    var awake: [(id: ModelID, stream: Stream)] {
        models.compactMap { model in model.stream.map { (model.id, $0) } }
    }

    func cursor(of id: ModelID) -> Cursor {
        let number = UInt64(truncatingIfNeeded: models[id.slot].number)
        let mark = UInt64(truncatingIfNeeded: epoch) << 32 | number
        return Cursor(mark: String(mark, radix: 36), seq: models[id.slot].seq)
    }

    /// - Parameter history: the account for its kept events and keys.
    mutating func add(
        _ arrival: Outbox.Arrival, _ traits: KindTraits, _ history: Account
    ) {
        lastMark &+= 1
        let model = Model(arrival, traits, number: lastMark, history)
        // The host may have used slots for view models that ended before they arrived.
        var unused = model
        unused.end()
        while models.count <= arrival.model.slot { models.append(unused) }
        models[arrival.model.slot] = model
        modelCount += 1
        if model.countsOnDemand { onDemandCount += 1 }
    }

    mutating func remove(_ id: ModelID) {
        models[id.slot].end()
        modelCount -= 1
        if models[id.slot].countsOnDemand { onDemandCount -= 1 }
    }
}
