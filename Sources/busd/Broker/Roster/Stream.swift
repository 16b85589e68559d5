import BusdProtocol

/// The part of a view model that exists only while it is in use: its last events with their
/// numbers, the keys of its last sends, and its watchers.
final class Stream {
    /// How the line of each event begins: `{"from":"scoreboard/1","seq":`.
    let lineStart: [UInt8]
    /// The `seq` of the newest event.
    private(set) var lastSeq: Int
    private var history = History()
    private var keys = KeyMemory()
    private let charge: Charge
    /// Bytes of `history` and `keys` that are charged.
    private var counted = 0
    /// The connections that watch the view model, each once. The array is taken out and put back as
    /// a whole, which avoids exclusivity checks at run time.
    private(set) var watchers: [Watcher] = []
    /// The filters of the watchers, at the same indices; empty if no watcher has one. Taken out and
    /// put back as a whole, too.
    private(set) var filters: [WatchFilter?] = []
    /// Number of subscriptions to its address, not to a pattern, that keep an on-demand view model
    /// alive.
    private(set) var exactWatchers = 0
    /// The view model that counts `done` for it, after the first lookup (`Bus.thing`).
    private(set) var thing: ModelID?
    /// Bytes of its last snapshot, or of its last report.
    private(set) var shownLength = 0
    /// When an on-demand view model was used last.
    private(set) var lastUsed = Instant(microseconds: 0)
    /// The deadline `idle` is set, for an on-demand view model to end or a durable one to sleep.
    private(set) var isWatchedForIdleness = false
    /// `seq` when that deadline was set.
    private var seqAtLastLook = 0

    /// - Parameter lastSeq: position of the view model. Earlier events are not kept.
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

    /// Removes a watcher. The last watcher moves to its index; returns the connection that moved.
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

    /// The connection is at the newest event. Only a watcher with a filter stores its position: all
    /// others are there anyway.
    func advance(at index: Int) {
        guard !filters.isEmpty else { return }
        let seq = lastSeq
        change(&filters) { $0[index]?.lastSeq = seq }
    }

    /// Visits the watchers with a filter that gets the newest event.
    ///
    /// - Parameter body: gets the filter before it advances. Returns whether it advances: the
    ///   connection gets the event.
    func advanceFilters(
        wanting number: EventNumber, _ body: (ConnectionSlot, WatchFilter) -> Bool
    ) {
        let (seq, watchers) = (lastSeq, watchers)
        change(&filters) { filters in
            for index in watchers.indices where watchers[index].state == .filtered {
                guard let filter = filters[index], filter.only.wants(number) else { continue }
                if body(watchers[index].connection, filter) { filters[index]?.lastSeq = seq }
            }
        }
    }

    private func change<Element, Result>(
        _ array: inout [Element], _ body: (inout [Element]) -> Result
    ) -> Result {
        var taken: [Element] = []
        swap(&taken, &array)
        defer { swap(&taken, &array) }
        return body(&taken)
    }

    // MARK: Use

    /// A subscription to its address keeps it alive.
    func retain() { exactWatchers += 1 }

    /// Such a subscription has ended.
    func release() { exactWatchers -= 1 }

    func countDone(at thing: ModelID) { self.thing = thing }

    func noteShown(length: Int) { shownLength = length }

    func noteUsed(at now: Instant) { lastUsed = now }

    /// The deadline `idle` is set now.
    func watchForIdleness() {
        isWatchedForIdleness = true
        seqAtLastLook = lastSeq
    }

    /// The deadline `idle` was due. Returns whether there was no event since it was set.
    func lookAtIdleness() -> Bool {
        isWatchedForIdleness = false
        return lastSeq == seqAtLastLook
    }

    /// It has no watcher, and no subscription to its address.
    var isUnwatched: Bool { watchers.isEmpty && exactWatchers == 0 }

    // MARK: Events

    /// Keeps the line of the next event, and forgets the oldest beyond `most` lines.
    func append(_ line: Span<UInt8>, _ more: More?, _ event: EventNumber, most: Int) {
        history.append(line, more, event, most: most)
        lastSeq += 1
        count()
    }

    /// Whether the lines of all events after `seq` are kept.
    func reaches(back seq: Int) -> Bool { seq <= lastSeq && seq >= lastSeq - history.count }

    /// The lines after `seq`, oldest first.
    func lines(after seq: Int) -> [History.Line] {
        history.lines(last: lastSeq - seq)
    }

    /// Bytes of the lines after `seq`.
    func length(after seq: Int) -> Int { lines(after: seq).reduce(0) { $0 + $1.text.count } }

    // MARK: Keys

    /// The outcome of the `send` with that key; see `KeyMemory`.
    func answer(to key: String) -> SendReport? { keys.answer(to: key) }

    func remember(_ key: String, _ outcome: SendReport, most: Int) {
        keys.remember(key, outcome, most: most)
        countKeys()
    }

    // MARK: Memory

    /// Memory of kept events, in bytes.
    var eventBytes: Int { history.size }
    /// Estimated memory of kept keys, in bytes.
    private(set) var keyBytes = 0

    func forgetOlderEvents() {
        history.forgetOlderHalf()
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
        charge.change(to: bytes)
    }
}

/// A connection that watches a view model.
struct Watcher {
    enum State: UInt8 {
        /// It gets every event.
        case live
        /// It gets the events that `Stream.filters` lets through.
        case filtered
        /// It gets no event until its catch-up has shown the view model (`CatchUps`).
        case behind
    }

    private let number: Int32
    fileprivate(set) var state = State.live

    init(_ slot: ConnectionSlot) { number = Int32(clamping: slot) }

    var connection: ConnectionSlot { Int(truncatingIfNeeded: number) }
    var isLive: Bool { state == .live }
}

/// The filter of one watcher.
struct WatchFilter {
    let only: Filter
    /// The `seq` of the last event queued for the connection.
    fileprivate(set) var lastSeq: Int

    init(only: Filter, lastSeq: Int) {
        self.only = only
        self.lastSeq = lastSeq
    }
}
