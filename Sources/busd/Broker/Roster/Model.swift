import BusdProtocol

/// A view model, as the bus sees it. It is little more than an address until it is first used, and
/// while it sleeps.
struct Model {
    let id: ModelID
    let address: Address
    /// Counts the incarnations of all view models, for the marks of cursors.
    let number: UInt32
    let kind: KindID
    let isOnDemand: Bool
    /// It belongs to the connection that created it; see Bus+Own.swift.
    let isPerConnection: Bool
    /// Only a connection that may manage the daemon finds it, and by its address alone.
    let isAdministrative: Bool
    /// False once it has ended.
    var isHere = true
    /// Sends that had an effect; see Bus+Done.swift. 32 bits, so it needs no extra memory.
    private var effects: UInt32 = 0
    private var life = Life.asleep(seq: 0)
    private let historyBytes: Account

    private enum Life {
        case asleep(seq: Int)
        case awake(Stream)
    }

    init(
        _ arrival: Outbox.Arrival, isPerConnection: Bool, isAdministrative: Bool, number: UInt32,
        _ historyBytes: Account
    ) {
        id = arrival.model
        address = arrival.address
        kind = arrival.kind
        isOnDemand = arrival.isOnDemand
        self.isPerConnection = isPerConnection
        self.isAdministrative = isAdministrative
        self.number = number
        self.historyBytes = historyBytes
    }

    func isMatched(by pattern: Pattern) -> Bool {
        pattern.matches(address) && (!isAdministrative || pattern.address != nil)
    }

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

    /// While it sleeps, its values may change without an event. So falling asleep takes a `seq`: an
    /// earlier `ifSeq` is stale, and a returning connection gets a gap.
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

    var seq: Int {
        switch life {
        case .asleep(let seq): seq
        case .awake(let stream): stream.lastSeq
        }
    }

    var watchers: [Watcher] { stream?.watchers ?? [] }
    /// How many connections hear it.
    var views: Int { stream?.watchers.count ?? 0 }
}
