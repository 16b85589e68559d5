import BusdProtocol

/// Whether the socket of each connection takes bytes, and how far the connection is behind. Its
/// lines are in `Delivery`.
///
/// A connection stands on two axes. Its socket is open or full, and a full one may have to drop
/// events. Independently, the connection may be behind (`CatchUps`), and then a catch-up may be put
/// off.
struct Outlet {
    private enum Socket {
        /// It is offered the lines of each turn.
        case open
        /// The bus awaits `writable`: the socket takes nothing more now, or more is written in the
        /// connection's next visit.
        case full
        /// The same, and events that are too old or too many are dropped before anything is
        /// written.
        case mustDrop
    }

    private struct Share {
        var socket = Socket.open
        /// `nil`: it is not behind, and no `unsubscribe` is in progress.
        var catchUps: CatchUps?
        /// Number of events that it missed because it was too slow.
        var missed = 0
    }

    /// By connection slot.
    private var shares: [Share] = []
    /// Connections with a catch-up that is put off, because too much is unread (Bus+PutOff.swift).
    private(set) var putOff: Set<ConnectionSlot> = []
    /// Connections with a `subscribe` to a pattern in progress.
    private(set) var joiners: Set<ConnectionSlot> = []

    mutating func admit(_ slot: ConnectionSlot) {
        if slot == shares.count { shares.append(Share()) }
    }

    mutating func remove(_ slot: ConnectionSlot) {
        shares[slot] = Share()
        putOff.remove(slot)
        joiners.remove(slot)
    }

    // MARK: The socket

    func isFull(_ slot: ConnectionSlot) -> Bool { shares[slot].socket != .open }

    /// The bus awaits `writable` from now on. Returns whether the socket was open.
    mutating func fill(_ slot: ConnectionSlot) -> Bool {
        guard shares[slot].socket == .open else { return false }
        shares[slot].socket = .full
        return true
    }

    /// Events have to be dropped from the backlog of a full socket.
    mutating func mustDrop(_ slot: ConnectionSlot) { shares[slot].socket = .mustDrop }

    func hasToDrop(_ slot: ConnectionSlot) -> Bool { shares[slot].socket == .mustDrop }

    /// The events are dropped now. Returns false if none had to be dropped.
    mutating func dropsNow(_ slot: ConnectionSlot) -> Bool {
        guard hasToDrop(slot) else { return false }
        shares[slot].socket = .full
        return true
    }

    /// The socket may take bytes again.
    mutating func open(_ slot: ConnectionSlot) { shares[slot].socket = .open }

    // MARK: Catching up

    func catchUps(of slot: ConnectionSlot) -> CatchUps? { shares[slot].catchUps }

    /// Whether the backlog has the place of a catch-up.
    func isBehind(_ slot: ConnectionSlot) -> Bool { shares[slot].catchUps?.isBehind ?? false }

    /// Whether the next request waits for a `list`, `subscribe` or `unsubscribe` in progress.
    func isRequestUnfinished(_ slot: ConnectionSlot) -> Bool {
        shares[slot].catchUps?.isRequestUnfinished ?? false
    }

    /// Keeps the object while it is needed.
    mutating func keep(_ catchUps: CatchUps, of slot: ConnectionSlot) {
        shares[slot].catchUps = catchUps.isEmpty ? nil : catchUps
        if catchUps.isEmpty { putOff.remove(slot) }
    }

    /// The catch-up at the front waits for room.
    mutating func putOff(_ slot: ConnectionSlot) {
        shares[slot].catchUps?.putOff()
        putOff.insert(slot)
    }

    /// A catch-up that was put off goes on.
    mutating func goOn(_ slot: ConnectionSlot) {
        putOff.remove(slot)
        shares[slot].catchUps?.goOn()
    }

    /// The next step of the catch-up takes no regard of the limit.
    mutating func mustGoOn(_ slot: ConnectionSlot) {
        putOff.remove(slot)
        shares[slot].catchUps?.mustGoOn()
    }

    mutating func beginJoin(_ slot: ConnectionSlot) { joiners.insert(slot) }

    mutating func endJoin(_ slot: ConnectionSlot) { joiners.remove(slot) }

    /// Events that the connection has missed, as its gaps report them.
    func missed(_ slot: ConnectionSlot) -> Int { shares[slot].missed }

    mutating func miss(_ events: Int, _ slot: ConnectionSlot) { shares[slot].missed += events }
}
