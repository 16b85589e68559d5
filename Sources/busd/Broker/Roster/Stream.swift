import BusdProtocol

/// A numbered stream of events, and its watchers.
final class Stream {
    /// How the line of each event begins: `{"from":"scoreboard/1","seq":`.
    let lineStart: [UInt8]
    /// The `seq` of the newest event.
    private(set) var lastSeq: Int
    private var history = History()
    private var keys = KeyMemory()
    private let charge: Charge
    /// Bytes of both, as they have been counted.
    private var counted = 0
    /// The connections that watch the view model, each once. Read and replaced as a whole, which
    /// avoids exclusivity checks at run time.
    private(set) var watchers: [Watcher] = []
    /// Filters at the same indices; empty if there are none. Replaced as a whole, too.
    private(set) var filters: [WatchFilter?] = []
    /// Subscriptions to this very address, of connections that use the view model.
    var exactWatchers = 0
    /// Its thing, after the first lookup.
    var thing: ModelID?
    /// Bytes of its last snapshot.
    var shownLength = 0
    var lastUsed = Instant(microseconds: 0)
    /// The deadline for falling asleep is set.
    var isWatchedForIdleness = false
    /// `seq` when the bus last checked whether it can sleep.
    var seqAtLastLook = 0

    /// - Parameter lastSeq: earlier events are not kept.
    init(_ address: Address, lastSeq: Int, _ historyBytes: Account) {
        charge = Charge(on: historyBytes)
        lineStart = Array(#"{"from":"\#(address.text)","seq":"#.utf8)
        self.lastSeq = lastSeq
    }

    /// Returns the index of the new watcher.
    func addWatcher(_ slot: ConnectionSlot) -> Int {
        change(&watchers) { $0.append(Watcher(slot)) }
        if !filters.isEmpty { change(&filters) { $0.append(nil) } }
        return watchers.count - 1
    }

    /// The last watcher takes the index that becomes free. Returns its connection.
    func removeWatcher(at index: Int) -> ConnectionSlot? {
        let last = watchers.count - 1
        change(&watchers) { watchers in
            watchers.swapAt(index, last)
            watchers.removeLast()
        }
        if !filters.isEmpty {
            change(&filters) { filters in
                filters.swapAt(index, last)
                filters.removeLast()
            }
        }
        if watchers.isEmpty { filters = [] }
        return index < last ? watchers[index].connection : nil
    }

    func setState(_ state: Watcher.State, at index: Int) {
        change(&watchers) { $0[index].state = state }
    }

    func filter(at index: Int) -> WatchFilter? { filters.isEmpty ? nil : filters[index] }

    func setFilter(_ filter: WatchFilter?, at index: Int) {
        guard filter != nil || !filters.isEmpty else { return }
        let count = watchers.count
        change(&filters) { filters in
            if filters.isEmpty { filters = Array(repeating: nil, count: count) }
            filters[index] = filter
        }
    }

    func changeFilters(_ body: (inout [WatchFilter?]) -> Void) { change(&filters, body) }

    private func change<Element, Result>(
        _ array: inout [Element], _ body: (inout [Element]) -> Result
    ) -> Result {
        var taken: [Element] = []
        swap(&taken, &array)
        defer { swap(&taken, &array) }
        return body(&taken)
    }

    /// Keeps the line of the next event, and at most `most` lines.
    func append(_ line: Span<UInt8>, moreAt: Int?, most: Int) {
        // Replaced as a whole, like the watchers.
        var history = history
        self.history = History()
        history.append(line, moreAt: moreAt, most: most)
        self.history = history
        lastSeq += 1
        count()
    }

    /// Whether the lines of all events after `seq` are kept.
    func reaches(back seq: Int) -> Bool { seq <= lastSeq && seq >= lastSeq - history.count }

    /// The lines after `seq`, oldest first.
    func lines(after seq: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
        history.lines(last: lastSeq - seq)
    }

    /// Bytes of the lines after `seq`.
    func length(after seq: Int) -> Int { lines(after: seq).reduce(0) { $0 + $1.line.count } }

    // MARK: Keys

    /// The outcome of the `send` with that key; see `KeyMemory`.
    func answer(to key: String) -> SendReport? { keys.answer(to: key) }

    func remember(_ key: String, _ outcome: SendReport, most: Int) {
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
        charge.bytes = bytes
    }
}

/// A connection that watches a view model.
struct Watcher {
    enum State: UInt8 {
        /// It gets every event.
        case live
        /// It gets the events that `Stream.filters` lets through.
        case filtered
        /// It gets nothing before its catch-up has shown the view model (`CatchUps`).
        case behind
    }

    private let number: Int32
    var state = State.live

    init(_ slot: ConnectionSlot) { number = Int32(clamping: slot) }

    var connection: ConnectionSlot { Int(truncatingIfNeeded: number) }
    var isLive: Bool { state == .live }
}

/// The filter of one watcher.
struct WatchFilter {
    var only: Filter
    /// The last `seq` in line for the connection.
    var lastSeq: Int
}
