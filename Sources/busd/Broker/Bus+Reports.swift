import BusdProtocol

// The reports for `bus/views`, `bus/statistics`, `bus/connections` and `bus/tap`, which are view
// models like any other. The bus gives them a `BusReport` for each snapshot, and at intervals while
// they are watched. Bus+Monitor.swift has the last two.

/// Counters for the reports, and their view models.
struct Reports {
    static let viewsInterval: Duration = .milliseconds(100)
    /// The interval grows by `viewsInterval` whenever a report to all watchers has this many more
    /// bytes.
    static let viewsBytes = 1 << 24
    /// Most bytes of rows in a report.
    static let mostRowBytes = 1 << 19
    /// Of `bus/statistics` and `bus/connections`.
    static let interval: Duration = .seconds(1)

    /// View models with a deadline for their next report.
    fileprivate var due: Set<ModelID> = []
    /// Events published since the start.
    private(set) var events = 0
    /// Gaps sent since the start.
    private(set) var gaps = 0
    /// The view models; `nil`: this daemon does not have it.
    let views, statistics, connections, tap: ModelID?

    init(
        views: ModelID? = nil, statistics: ModelID? = nil, connections: ModelID? = nil,
        tap: ModelID? = nil
    ) {
        (self.views, self.statistics) = (views, statistics)
        (self.connections, self.tap) = (connections, tap)
    }

    mutating func countEvent() { events += 1 }

    mutating func countGap() { gaps += 1 }
}

extension Bus {
    /// The report for a snapshot of a view model, or at an interval.
    ///
    /// - Parameter tap: the events of `bus/tap`; `nil`: those of its snapshot.
    func report(to model: ModelID, tap events: [BusTap.ViewModelEvent]? = nil) -> BusReport {
        // Rows take long, so a report has only those of its view model.
        let (rows, omitted) = model == reports.views ? viewRows : ([], 0)
        return BusReport(
            views: rows, omittedViews: omitted, connections: connectionCount,
            viewModels: roster.modelCount, events: reports.events, deliveries: delivery.count,
            gaps: reports.gaps,
            traffic: model == reports.connections ? connectionsReport : nil,
            tap: model == reports.tap ? events ?? [tap.totals] : [])
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
                    missed: outlet.missed(slot),
                    since: Int(clamping: subscription.since.seconds))
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
        guard let model = watched(reports.views) else { return }
        let (length, views) = (
            roster.awake(model).shownLength, roster[model].watchers.count
        )
        let bytes = length * views  // fits: one memory holds both
        let interval = Reports.viewsInterval * (1 + bytes / Reports.viewsBytes)
        scheduleReport(to: model, at: now + interval)
    }

    /// Schedules the next report to a view model, unless one is scheduled.
    mutating func scheduleReport(to model: ModelID, at due: Instant) {
        if reports.due.insert(model).inserted { deadlines.set(.report(model), at: due) }
    }

    /// A view model of the bus was watched by a first client, or is not watched any more.
    mutating func watchersChanged(of model: ModelID) {
        switch model {
        case reports.tap: tap.turn(on: watched(model) != nil)
        case reports.connections: traffic.turn(on: watched(model) != nil, at: stopwatch())
        case reports.statistics: break
        default: return
        }
        scheduleNextReport(to: model)
    }

    /// Statistics and connections are reported once per second, and the tap if it has news.
    private mutating func scheduleNextReport(to model: ModelID) {
        switch watched(model) {
        case nil: break
        case reports.tap: scheduleTap()
        case reports.statistics, reports.connections:
            scheduleReport(to: model, at: now + Reports.interval)
        default: break
        }
    }

    /// The view model if it has watchers, else `nil`.
    func watched(_ model: ModelID?) -> ModelID? {
        guard let model, isHere(model), !roster[model].watchers.isEmpty else {
            return nil
        }
        return model
    }

    mutating func sendReport(to model: ModelID) {
        reports.due.remove(model)
        guard !roster[model].watchers.isEmpty else { return }
        let events = model == reports.tap ? tap.takeReport(at: now) : nil
        host.report(report(to: model, tap: events), to: model)
        if model == reports.connections { traffic.restart(at: stopwatch()) }
        let before = delivery.length
        drain()
        let length = delivery.length - before
        if length > 0 { roster.awake(model).noteShown(length: length) }
        scheduleNextReport(to: model)
    }
}

extension BusViews.Row {
    /// Upper bound for the bytes of the row.
    fileprivate var mostBytes: Int {
        141 + Self.mostBytes(name) + Self.mostBytes(self.as) + to.utf8.count
    }

    /// An escaped byte takes at most six bytes.
    private static func mostBytes(_ text: String?) -> Int {
        text?.utf8.reduce(0) { $0 + (Self.mayNeedEscape($1) ? 6 : 1) } ?? 0
    }

    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < .space || byte == .quote || byte == .backslash
    }
}
