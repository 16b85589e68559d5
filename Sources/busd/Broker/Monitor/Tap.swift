import BusdProtocol

/// The sends that `bus/tap` shows. Noted only while a client watches it.
///
/// A `send` is *open* from its request to its answer. Its row is complete when it is answered. In
/// each second the first `BusTap.mostRows` sends get a row, and the others are counted.
struct Tap {
    /// Rows are collected for this time.
    static let interval: Duration = .milliseconds(100)
    private static let second: Duration = .seconds(1)
    /// Most rows of an event.
    private static let mostOfEvent = 100

    private struct Open {
        var row: BusTap.Row
        /// The time of the stopwatch when the request was read.
        let start: Int64
    }

    private(set) var isOn = false
    /// The `send` in progress; `nil`: it gets no row.
    private var current: Open?
    private var slot = 0
    /// Whether the `send` in progress may get a row. Else its time is not needed.
    var isOpen: Bool { current != nil }
    /// Sends that wait for the log, by the numbers of their entries.
    private var pending: [Int: Open] = [:]
    /// Connections with a `send` at the front that waits for its turn, and when it was read.
    private var waiting: [ConnectionSlot: Int64] = [:]
    /// Complete rows that were not reported yet.
    private var rows: [BusTap.Row] = []
    private var secondEnd = Instant(microseconds: 0)
    private var rowsOfSecond = 0
    /// Since the start: reported rows, and sends without a row.
    private var (shown, others) = (0, 0)
    /// Something was counted since the last totals.
    private(set) var hasNews = false

    /// Begins to note sends, or ends it.
    mutating func turn(on isOn: Bool) {
        guard isOn != self.isOn else { return }
        // Nobody will see what has no answer or no report yet.
        let (shown, others) = (shown, others + rows.count + pending.count)
        self = Tap()
        (self.isOn, self.shown, self.others) = (isOn, shown, others)
    }

    // MARK: Sends

    /// Whether a `send` can get a row.
    mutating func hasRoom(at now: Instant) -> Bool {
        if secondEnd <= now { (secondEnd, rowsOfSecond) = (now + Self.second, 0) }
        return rowsOfSecond < BusTap.mostRows
    }

    /// A `send` begins. `outcome` and `microseconds` of its row are set later.
    ///
    /// - Parameter row: `nil`: there is no room for it.
    mutating func begin(_ row: BusTap.Row?, _ slot: ConnectionSlot, at time: Int64) {
        let first = waiting.isEmpty ? nil : waiting[slot]
        self.slot = slot
        current = row.map { Open(row: $0, start: first ?? time) }
    }

    /// A `send` at the front of the connection will be tried again.
    mutating func wait(_ slot: ConnectionSlot, since time: Int64) {
        if waiting[slot] == nil { waiting[slot] = current?.start ?? time }
        current = nil
    }

    /// The connection has closed.
    mutating func remove(_ slot: ConnectionSlot) { waiting[slot] = nil }

    /// The `send` in progress waits for the entry with this number.
    mutating func hold(_ number: Int) {
        if let current { pending[number] = current } else { countOther() }
        finish()
    }

    private mutating func finish() {
        current = nil
        if !waiting.isEmpty { waiting[slot] = nil }
    }

    /// The `send` in progress is answered.
    mutating func end(_ outcome: String, at now: Instant, _ time: Int64) {
        if let current { add(current, outcome, at: now, time) } else { countOther() }
        finish()
    }

    /// A `send` that waited for an entry is answered. It is unknown if it began before the tap.
    mutating func end(_ number: Int, _ outcome: String, at now: Instant, _ time: Int64) {
        guard let open = pending.removeValue(forKey: number) else { return }
        add(open, outcome, at: now, time)
    }

    private mutating func add(_ open: Open, _ outcome: String, at now: Instant, _ time: Int64) {
        guard hasRoom(at: now) else { return countOther() }
        var row = open.row
        row.outcome = outcome
        row.microseconds = Int(clamping: time &- open.start)
        rows.append(row)
        rowsOfSecond += 1
        hasNews = true
    }

    private mutating func countOther() {
        others += 1
        hasNews = true
    }

    // MARK: Reports

    /// When the news are reported at the latest.
    func nextReport(after now: Instant) -> Instant { min(secondEnd, now + Self.interval) }

    var totals: BusTap.ViewModelEvent { .totals(shown: shown, others: others) }

    /// Takes the new rows, and, at the end of a second, the totals.
    mutating func takeReport(at now: Instant) -> [BusTap.ViewModelEvent] {
        var events: [BusTap.ViewModelEvent] = []
        var rest = rows[...]
        while !rest.isEmpty {
            events.append(.sends(sends: Array(rest.prefix(Self.mostOfEvent))))
            rest = rest.dropFirst(Self.mostOfEvent)
        }
        shown += rows.count
        rows.removeAll()
        if secondEnd <= now {
            events.append(totals)
            hasNews = false
        }
        return events
    }
}
