import BusdProtocol

/// A client, as the bus sees it.
struct Connection {
    enum Stage: Equatable {
        /// The slot is free.
        case vacant
        case open
        /// The peer has half-closed: no more requests follow, and its subscriptions go on.
        case inputEnded
        /// It is closed after its lines are written.
        case closing
    }

    // What each delivery looks at stands together, for the sake of the processor's cache: thousands
    // of connections are looked at one after the other. What is small fills the room beside it.
    var stage = Stage.open
    /// The socket takes nothing at the moment.
    var isBlocked = false
    /// The deadline of its oldest event is set.
    var isWatchedForAge = false
    /// Its events are too old or too many: they are dropped before anything is written.
    var hasToDrop = false
    /// Its catch-up waits, because too much is unread.
    var isCatchUpPutOff = false
    /// Its catch-up goes on although too much is unread.
    var isCatchUpDue = false
    /// It is half-closed, and gets a `ping` at intervals.
    var isPinged = false
    /// Counts from 1 and is never used again.
    let number: Int
    let peer: Peer
    var name: String?
    let access: Access

    // In
    /// The line at the front of `input` waits for the outcome of pending sends.
    var isWaiting = false
    var isReading = true
    var input = InputBuffer()
    /// Its last charge.
    var holding = Budget.Holding()
    /// Consecutive lines that were answered `parse`, `tooLong` or `unknownOp`.
    var badLines = 0
    /// Answers of this connection that wait for the log.
    var pendingCount = 0
    /// Of these, the sends that create, delete or move a thing.
    var pendingLibraryChanges = 0
    // Views
    var subscriptions: [Subscription] = []
    /// The view models that it watches, and its index among the watchers of each.
    var watches: [ModelID: Int] = [:]
    /// Its catch-ups; `nil`: it is up to date.
    var catchUps: CatchUps?
    var lastCatchUp = 0
    /// It gets no events any more, but is still a watcher of view models (`Roster.leavers`).
    var isLeaving = false
    /// Its own view models; some may have ended already.
    var own: [ModelID] = []
    /// Events that it missed because it was too slow.
    var missed = 0

    /// Frees the slot, except for watches that have not ended yet.
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
