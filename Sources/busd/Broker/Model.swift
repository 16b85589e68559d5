import Protocol

/// A view model, as the bus sees it: a numbered stream of events, and who hears it.
struct Model {
    let id: ModelID
    let address: Address
    let kind: KindID
    let isOnDemand: Bool
    /// Tells this incarnation from others at the same address.
    let mark: String
    /// False once it has ended.
    var isHere = true

    var history = History()
    var keys = KeyMemory()
    /// The keys that were kept on disk are among the `keys`.
    var hasRecalledKeys = false
    /// Of a durable view model the values that are on disk.
    var present: Present?
    /// A connection stands here once, however many of its subscriptions match.
    var members: [Member] = []
    /// How many connections are subscribed to this very address.
    var exactMembers = 0
    var lastUsed: Instant
    /// A deadline has been set for the moment when nobody has used it for long.
    var isWatchedForIdleness = false

    var seq: Int { history.lastSeq }
    var cursor: Cursor { Cursor(mark: mark, seq: seq) }
}

/// A connection that hears a view model.
struct Member {
    let connection: ConnectionSlot
    /// It gets every event as it stands. Else `Connection.views` tells what is special.
    var isPlain = true
}

/// What is special about a connection's view of one view model.
struct SpecialView {
    /// Only events with these names; `nil` is all.
    var only: Set<String>?
    /// Nothing is queued until a gap has been told.
    var isStalled = false
    /// The last `seq` that was put in line for the connection; kept only where `only` is set.
    var lastSeq = 0

    var isPlain: Bool { only == nil && !isStalled }
}
