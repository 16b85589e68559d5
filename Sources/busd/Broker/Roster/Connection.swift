import BusdProtocol

/// A connection, as the bus sees it. Its output is in `Outgoing`.
struct Connection {
    enum Stage: Equatable {
        /// The slot is free.
        case vacant
        /// Requests are handled, until the peer has half-closed (`Intake.hasEnded`).
        case open
        /// The connection is closed when its lines are written.
        case closing
    }

    var stage = Stage.open
    /// The bus awaits `writable`: the socket is full, or more is written in the connection's next
    /// visit.
    var isBlocked = false
    /// The deadline for its oldest waiting event is set.
    var isWatchedForAge = false
    /// Its waiting events are too old or too many, and are dropped before anything more is written.
    var hasToDrop = false
    /// Its catch-up waits because too much is unread (Bus+PutOff.swift).
    var isCatchUpPutOff = false
    /// Its catch-up continues although too much is unread, once.
    var isCatchUpDue = false
    /// It is half-closed, and gets a `ping` at intervals.
    var isPinged = false
    /// Numbers connections from 1. A number is never reused.
    let number: Int
    let peer: Peer
    /// As in `hello`.
    var name: String?
    let access: Access

    var subscriptions: [Subscription] = []
    /// The view models that it watches, and its index among the watchers of each.
    var watches: [ModelID: Int] = [:]
    /// Its catch-ups, and its `unsubscribe` in progress; `nil`: there are none.
    var catchUps: CatchUps?
    /// The number of its last catch-up.
    var lastCatchUp = 0
    /// It gets no events any more, but is still a watcher of view models (`Roster.leavers`). Its
    /// slot stays taken.
    var isLeaving = false
    /// The view models that it owns (Bus+Own.swift). Some may have ended already.
    var own: [ModelID] = []
    /// Number of events that it missed because it was too slow.
    var missed = 0

    /// The connection is closed. Only watches that have not ended yet stay.
    mutating func vacate() {
        var vacant = Connection(number: 0, access: access, peer: Peer(pid: 0, uid: 0))
        vacant.stage = .vacant
        swap(&vacant.watches, &watches)
        vacant.isLeaving = isLeaving
        self = vacant
    }

    init(number: Int, access: Access, peer: Peer) {
        self.number = number
        self.access = access
        self.peer = peer
    }

    /// Reserves memory for this many more watches.
    mutating func reserve(_ more: Int) {
        let count = watches.count + more
        if watches.capacity < count { watches.reserveCapacity(count) }
    }

    var isBehind: Bool { catchUps?.isBehind ?? false }
    var isRequestUnfinished: Bool { catchUps?.isRequestUnfinished ?? false }
    var isBeingAnswered: Bool { catchUps?.isBeingAnswered ?? false }
}
