import BusdProtocol

/// A view model, as the bus sees it. One that nobody has looked at, or that sleeps, is little more
/// than an address.
struct Model {
    let id: ModelID
    let address: Address
    /// Counts the incarnations of all view models, from which the marks of cursors are made.
    let number: UInt32
    let kind: KindID
    let isOnDemand: Bool
    /// It belongs to the connection that made it; see Bus+Own.swift.
    let isPerConnection: Bool
    /// Only a connection that may manage the daemon finds it, and by its address alone.
    let isAdministrative: Bool
    /// False once it has ended.
    var isHere = true
    /// Sends that had an effect; see Bus+Done.swift. Narrow, so that it takes no room of its own.
    private var effects: UInt32 = 0
    private var life = Life.asleep(seq: 0)
    private let historyBytes: Total

    private enum Life {
        case asleep(seq: Int)
        case awake(Stream)
    }

    init(
        _ arrival: Outbox.Arrival, isPerConnection: Bool, isAdministrative: Bool, number: UInt32,
        _ historyBytes: Total
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

    /// What there is of a view model that somebody has looked at, or that has said something.
    mutating func awake() -> Stream {
        let new: Stream
        switch life {
        case .awake(let stream): return stream
        case .asleep(let seq): new = Stream(address, lastSeq: seq, historyBytes)
        }
        life = .awake(new)
        return new
    }

    /// What it shows may change while it sleeps, and it says nothing of it: so its sleep takes a
    /// number. Who knew it before has missed something, and `ifSeq` of before is stale.
    mutating func sleep() {
        guard case .awake(let stream) = life else { return }
        life = .asleep(seq: stream.lastSeq + 1)
    }

    mutating func end() {
        isHere = false
        life = .asleep(seq: 0)
    }

    var doneCount: Int { Int(effects) }  // fits: an Int has 64 bits

    mutating func noteDone() { effects &+= 1 }

    var seq: Int {
        switch life {
        case .asleep(let seq): seq
        case .awake(let stream): stream.lastSeq
        }
    }

    var members: [Member] { stream?.members ?? [] }
    /// How many connections hear it.
    var views: Int { stream?.members.count ?? 0 }
}

/// A numbered stream of events, and who hears it.
final class Stream {
    /// How the line of each event begins: `{"from":"scoreboard/1","seq":`.
    let lineStart: [UInt8]
    /// The `seq` of the newest event.
    private(set) var lastSeq: Int
    private var history = History()
    private var keys = KeyMemory()
    private let weight: Weight
    /// Bytes of both, as they have been counted.
    private var counted = 0
    /// A connection stands here once, however many of its subscriptions match. Read and replaced as
    /// a whole: then no look at them, of which each event needs two, is checked at run time.
    private(set) var members: [Member] = []
    /// Those that want to hear some events only, and hear them now. Replaced as a whole, too.
    private(set) var filtered: [FilteredMember] = []
    /// Subscriptions to this very address, of connections that use the view model.
    var exactMembers = 0
    /// The thing that it is a part of, once that has been looked for.
    var thing: ModelID?
    /// Bytes of what it showed last.
    var shownLength = 0
    var lastUsed = Instant(microseconds: 0)
    /// A deadline has been set for the moment when nobody has used it for long.
    var isWatchedForIdleness = false
    /// Its last event when the bus looked whether it can sleep.
    var seqAtLastLook = 0

    /// Nothing is known of what was up to `lastSeq`.
    init(_ address: Address, lastSeq: Int, _ historyBytes: Total) {
        weight = Weight(on: historyBytes)
        lineStart = Array(#"{"from":"\#(address.text)","seq":"#.utf8)
        self.lastSeq = lastSeq
    }

    func changeMembers<Result>(_ change: (inout [Member]) -> Result) -> Result {
        var members = members
        self.members = []
        defer { self.members = members }
        return change(&members)
    }

    func changeFiltered<Result>(_ change: (inout [FilteredMember]) -> Result) -> Result {
        var filtered = filtered
        self.filtered = []
        defer { self.filtered = filtered }
        return change(&filtered)
    }

    /// Keeps the line of the next event, and at most so many lines.
    func append(_ line: Span<UInt8>, moreAt: Int?, most: Int) {
        // Replaced as a whole, like the members.
        var history = history
        self.history = History()
        history.append(line, moreAt: moreAt, most: most)
        self.history = history
        lastSeq += 1
        count()
    }

    /// Whether the lines of all events after `seq` are still here.
    func reaches(back seq: Int) -> Bool { seq <= lastSeq && seq >= lastSeq - history.count }

    /// The lines after `seq`, oldest first.
    func lines(after seq: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
        history.lines(last: lastSeq - seq)
    }

    /// Bytes of the lines after `seq`.
    func length(after seq: Int) -> Int { lines(after: seq).reduce(0) { $0 + $1.line.count } }

    // MARK: Keys

    /// What the `send` with that key was answered; see `KeyMemory`.
    func answer(to key: String) -> Outcome? { keys.answer(to: key) }

    func remember(_ key: String, _ outcome: Outcome, most: Int) {
        keys.remember(key, outcome, most: most)
        countKeys()
    }

    // MARK: Memory

    /// Bytes of events, and of keys, about.
    var eventBytes: Int { history.size }
    private(set) var keyBytes = 0

    func forgetOlderEvents() {
        var history = history
        self.history = History()
        history.forgetOlderHalf()
        self.history = history
        count()
    }

    func forgetOlderKeys() {
        keys.forgetOlderHalf()
        countKeys()
    }

    private func countKeys() {
        keyBytes = keys.size
        count()
    }

    private func count() {
        let bytes = history.size + keyBytes
        guard bytes != counted else { return }
        counted = bytes
        weight.bytes = bytes
    }
}

/// A connection that hears a view model.
struct Member {
    let connection: ConnectionSlot
    /// It gets every event as it stands. Else `Connection.special` tells what is special.
    var isPlain = true
}

/// A connection that hears some events of a view model.
struct FilteredMember {
    let connection: ConnectionSlot
    var only: Filter
    /// The last `seq` that was put in line for it.
    var lastSeq: Int
}

/// What is special about a connection's view of one view model.
struct SpecialView {
    /// Only events with these names; `nil` is all.
    var only: Filter?
    /// Nothing is queued until a gap has been told: the number of the stall.
    var stall: Int?
    /// Where it stands in `Stream.filtered`, if `only` is set and nothing stalls it.
    var place: Int?
    /// Else the last `seq` that was put in line for the connection; kept only where `only` is set.
    var lastSeq = 0

    var isPlain: Bool { only == nil && stall == nil }
}
