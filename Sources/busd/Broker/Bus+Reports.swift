import BusdProtocol

// The reports for `bus/views` and `bus/statistics`, which are view models like any other. The bus
// gives them a `BusReport` for each snapshot, and at intervals while they are watched.

/// Counters for the reports, and their deadlines.
struct Reports {
    static let viewsInterval: Duration = .milliseconds(100)
    /// The interval grows by `viewsInterval` whenever a report to all watchers has this many more
    /// bytes.
    static let viewsBytes = 1 << 24
    /// Most bytes of rows in a report.
    static let mostRowBytes = 1 << 19
    static let statisticsInterval: Duration = .seconds(1)

    /// The deadline of the next report to `bus/views` is set, or to `bus/statistics`.
    fileprivate var isViewsDue = false
    fileprivate var isStatisticsDue = false
    /// Events published since the start.
    private(set) var events = 0
    /// Gaps sent since the start.
    private(set) var gaps = 0
    /// `bus/statistics`; `nil`: it has not arrived yet.
    fileprivate var statistics: ModelID?

    mutating func countEvent() { events += 1 }

    mutating func countGap() { gaps += 1 }
}

extension Bus {
    /// The report for a view model. Only `bus/views` needs the rows of all views, which may be
    /// thousands.
    func report(to model: ModelID) -> BusReport {
        let isOfViews = roster[model].address == BusViews.address
        let (rows, omitted) = isOfViews ? viewRows : ([], 0)
        return BusReport(
            views: rows, omittedViews: omitted, connections: connectionCount,
            viewModels: roster.modelCount, events: reports.events, deliveries: delivery.count,
            gaps: reports.gaps)
    }

    /// A row for each view, in the order of connections, up to `mostRowBytes`. Other views are only
    /// counted.
    private var viewRows: (rows: [BusViews.Row], omitted: Int) {
        var rows: [BusViews.Row] = []
        var omitted = 0
        // A connection is large, so it is read in place.
        var present: [(number: Int, slot: ConnectionSlot)] = []
        for slot in roster.slots where !roster[slot].subscriptions.isEmpty {
            present.append((roster[slot].number, slot))
            omitted += roster[slot].subscriptions.count
        }
        present.sort { $0.number < $1.number }
        // Clients of the view socket fill at most half of the report.
        var (bytes, viewBytes) = (0, 0)
        for (number, slot) in present {
            for subscription in roster[slot].subscriptions {
                let row = BusViews.Row(
                    connection: number, name: roster[slot].name, as: subscription.name,
                    to: subscription.pattern.text, access: roster[slot].access.rawValue,
                    pid: roster[slot].peer.pid, uid: roster[slot].peer.uid,
                    missed: outlet.missed(slot))
                let isView = roster[slot].access == .view
                let more = row.mostBytes
                guard bytes + more <= Reports.mostRowBytes,
                    !isView || viewBytes + more <= Reports.mostRowBytes / 2
                else {
                    break
                }
                bytes += more
                if isView { viewBytes += more }
                rows.append(row)
                omitted -= 1
            }
        }
        return (rows, omitted)
    }

    /// A view was added, removed or renamed. Changes are collected for an interval, which is longer
    /// if many watchers get a long report.
    mutating func viewsChanged() {
        guard !reports.isViewsDue, let model = watched(model(at: BusViews.address)) else { return }
        reports.isViewsDue = true
        let (length, views) = (
            roster.awake(model).shownLength, roster[model].watchers.count
        )
        let bytes = length * views  // fits: one memory holds both
        let interval = Reports.viewsInterval * (1 + bytes / Reports.viewsBytes)
        deadlines.set(.report(model), at: now + interval)
    }

    /// Schedules a report of statistics after a second, if `bus/statistics` is watched.
    mutating func reportStatistics() {
        // Called in each turn, so the view model is looked up once.
        if reports.statistics == nil { reports.statistics = model(at: BusStatistics.address) }
        guard !reports.isStatisticsDue, let model = watched(reports.statistics) else { return }
        reports.isStatisticsDue = true
        deadlines.set(.report(model), at: now + Reports.statisticsInterval)
    }

    /// The view model if it has watchers, else `nil`.
    func watched(_ model: ModelID?) -> ModelID? {
        guard let model, isHere(model), !roster[model].watchers.isEmpty else {
            return nil
        }
        return model
    }

    mutating func sendReport(to model: ModelID) {
        if roster[model].address == BusViews.address {
            reports.isViewsDue = false
        } else {
            reports.isStatisticsDue = false
        }
        guard !roster[model].watchers.isEmpty else { return }
        host.report(report(to: model), to: model)
        let before = delivery.length
        drain()
        let length = delivery.length - before
        if length > 0 { roster.awake(model).noteShown(length: length) }
        reportStatistics()
    }
}

extension BusViews.Row {
    /// Upper bound for the bytes of the row.
    fileprivate var mostBytes: Int {
        120 + Self.mostBytes(name) + Self.mostBytes(self.as) + to.utf8.count
    }

    /// An escaped byte takes at most six bytes.
    private static func mostBytes(_ text: String?) -> Int {
        text?.utf8.reduce(0) { $0 + (Self.mayNeedEscape($1) ? 6 : 1) } ?? 0
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < .space || byte == .quote || byte == .backslash
    }
}
