import BusdProtocol

/// A view model, as the bus sees it. It is little more than an address before its first use, and
/// while it sleeps.
struct Model {
    let id: ModelID
    let address: Address
    let kind: KindID
    /// A request made it, and it ends without use.
    let isOnDemand: Bool
    let traits: KindTraits
    /// False once it has ended.
    private(set) var isHere = true
    /// Number of sends that had an effect; see Bus+Done.swift. 32 bits need no extra memory here.
    private var effects: UInt32 = 0
    private var life = Life.asleep(seq: 0)
    /// The account for the memory of its stream.
    private let historyBytes: Account

    private enum Life {
        /// It has no stream. `seq` is its position.
        case asleep(seq: Int)
        case awake(Stream)
    }

    init(_ id: ModelID, _ arrival: Outbox.Arrival, _ traits: KindTraits, _ historyBytes: Account) {
        self.id = id
        address = arrival.address
        kind = arrival.kind
        isOnDemand = arrival.isOnDemand
        self.traits = traits
        self.historyBytes = historyBytes
    }

    /// See `ModelID`.
    var number: UInt32 { id.number }

    /// It belongs to the connection that made it; see Bus+Own.swift. One that a `Directory` added
    /// belongs to none.
    var isPerConnection: Bool { isOnDemand && traits.contains(.perConnection) }

    /// `nil` while it sleeps.
    var stream: Stream? { if case .awake(let stream) = life { stream } else { nil } }

    /// The stream, which is created when it is first needed.
    mutating func awake() -> Stream {
        let new: Stream
        switch life {
        case .awake(let stream): return stream
        case .asleep(let seq): new = Stream(address, lastSeq: seq, historyBytes)
        }
        life = .awake(new)
        return new
    }

    /// While it sleeps, its values may change without an event. So falling asleep takes a `seq`:
    /// then an earlier `ifSeq` is stale, and a connection that resumes gets the snapshot.
    mutating func fallAsleep() {
        guard case .awake(let stream) = life else { return }
        life = .asleep(seq: stream.lastSeq + 1)
    }

    mutating func end() {
        isHere = false
        life = .asleep(seq: 0)
    }

    var doneCount: Int { Int(widening: effects) }

    mutating func noteDone() { effects &+= 1 }

    /// The `seq` of the newest event.
    var seq: Int {
        switch life {
        case .asleep(let seq): seq
        case .awake(let stream): stream.lastSeq
        }
    }

    var watchers: [Watcher] { stream?.watchers ?? [] }
    /// Number of connections that watch it.
    var views: Int { stream?.watchers.count ?? 0 }
}
