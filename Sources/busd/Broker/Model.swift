import Protocol

/// A view model, as the bus sees it. One that nobody has looked at is little more than an address.
struct Model {
    let id: ModelID
    let address: Address
    let kind: KindID
    /// Counts the incarnations of all view models, from which the marks of cursors are made.
    let number: UInt32
    let isOnDemand: Bool
    /// False once it has ended.
    var isHere = true
    private(set) var stream: Stream?

    init(_ arrival: Outbox.Arrival, number: UInt32) {
        id = arrival.model
        address = arrival.address
        kind = arrival.kind
        isOnDemand = arrival.isOnDemand
        self.number = number
    }

    /// What there is of a view model that somebody has looked at, or that has said something.
    mutating func awake() -> Stream {
        if let stream { return stream }
        let new = Stream()
        stream = new
        return new
    }

    mutating func end() {
        isHere = false
        stream = nil
    }

    var seq: Int { stream?.history.lastSeq ?? 0 }
    var members: [Member] { stream?.members ?? [] }
}

/// A numbered stream of events, and who hears it.
final class Stream {
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
    var lastUsed = Instant(microseconds: 0)
    /// A deadline has been set for the moment when nobody has used it for long.
    var isWatchedForIdleness = false
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
    /// Nothing is queued until a gap has been told: the number of the stall.
    var stall: Int?
    /// The last `seq` that was put in line for the connection; kept only where `only` is set.
    var lastSeq = 0

    var isPlain: Bool { only == nil && stall == nil }
}
