import BusdProtocol

/// A client, as the bus sees it.
struct Connection {
    enum Stage: Equatable {
        /// Nobody has this slot.
        case vacant
        case open
        /// The peer has nothing more to ask (it half-closed); its subscriptions go on.
        case inputEnded
        /// What is in line is written, then the connection is closed.
        case closing
    }

    // What each delivery looks at stands together, for the sake of the processor's cache: thousands
    // of connections are looked at one after the other. What is small fills the room beside it.
    var stage = Stage.open
    /// The socket takes nothing at the moment.
    var isBlocked = false
    /// The bus looks at it when its oldest event will have waited too long.
    var isWatchedForAge = false
    /// Events may have waited too long, or be too many: nothing is written before they are dropped.
    var hasToDrop = false
    /// Its catch-up waits, because too much is unread.
    var isCatchUpPutOff = false
    /// Its catch-up goes on, however much is unread.
    var isCatchUpDue = false
    /// It is half-closed, and gets a sign of life from time to time.
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
    /// What it holds, as it was last charged.
    var holding = Budget.Holding()
    /// Lines running that were answered `parse`, `tooLong` or `unknownOp`.
    var badLines = 0
    /// Answers of this connection that wait for the log.
    var pendingCount = 0
    /// Of these, the sends that create, delete or move a thing.
    var pendingLibraryChanges = 0
    // Views
    var subscriptions: [Subscription] = []
    /// The view models that it hears, and its index among the watchers of each.
    var watches: [ModelID: Int] = [:]
    /// What it has still to be shown; `nil` while it keeps up.
    var catchUps: CatchUps?
    var lastCatchUp = 0
    /// It hears nothing any more, and its memberships have not all ended (`Bus.leavers`).
    var isLeaving = false
    /// View models that belong to it; some may have ended already.
    var own: [ModelID] = []
    /// Events that it was too slow for.
    var missed = 0

    /// Empties the slot, but for the memberships that have not ended yet.
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

    /// Makes room to hear this many more view models.
    mutating func reserve(_ more: Int) {
        let count = watches.count + more
        if watches.capacity < count { watches.reserveCapacity(count) }
    }

    var isBehind: Bool { catchUps?.isBehind ?? false }
    var hasRequest: Bool { catchUps?.hasRequest ?? false }
    var isBeingAnswered: Bool { catchUps?.isBeingAnswered ?? false }
}
