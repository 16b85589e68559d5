import Protocol

// What `bus/views` and `bus/statistics` tell. They are view models like any other; the bus hands
// them a report when they are asked for a snapshot, and from time to time while somebody looks.

/// When reports were made.
struct Reports {
    static let viewsInterval: Duration = .milliseconds(100)
    static let statisticsInterval: Duration = .seconds(1)

    /// The moment at which `bus/views` will be told has been set.
    var isViewsDue = false
    var isStatisticsDue = false
    /// `bus/statistics`, once it is known.
    var statistics: ModelID?
}

extension Bus {
    package func report() -> BusReport {
        BusReport(
            views: viewRows(), connections: connectionCount, viewModels: modelCount,
            events: events, deliveries: deliveries, gaps: gaps)
    }

    private func viewRows() -> [BusViews.Row] {
        // There may be thousands, and each is large: they are looked at where they stand.
        let connections = connections.span
        var rows: [BusViews.Row] = []
        for slot in connections.indices where connections[slot].stage != .vacant {
            for subscription in connections[slot].subscriptions {
                rows.append(
                    BusViews.Row(
                        connection: connections[slot].number, name: connections[slot].name,
                        as: subscription.name, to: subscription.pattern.text,
                        access: connections[slot].access.rawValue,
                        pid: connections[slot].peer.pid, uid: connections[slot].peer.uid,
                        missed: connections[slot].missed))
            }
        }
        // Those of one connection stay in their order.
        return rows.enumerated()
            .sorted { ($0.element.connection, $0.offset) < ($1.element.connection, $1.offset) }
            .map(\.element)
    }

    /// Somebody has come, gone or been renamed: changes are gathered for a moment.
    mutating func viewsChanged() {
        guard !reports.isViewsDue, let model = watched(model(at: BusViews.address)) else { return }
        reports.isViewsDue = true
        deadlines.set(.report(model), at: now + Reports.viewsInterval)
    }

    /// Statistics are made once a second while somebody looks.
    mutating func reportStatistics() {
        // Asked in each turn, so it is not looked for each time.
        if reports.statistics == nil { reports.statistics = model(at: BusStatistics.address) }
        guard !reports.isStatisticsDue, let model = watched(reports.statistics) else { return }
        reports.isStatisticsDue = true
        deadlines.set(.report(model), at: now + Reports.statisticsInterval)
    }

    func watched(_ model: ModelID?) -> ModelID? {
        guard let model, isHere(model), !models[model.slot].members.isEmpty else {
            return nil
        }
        return model
    }

    mutating func tellReport(to model: ModelID) {
        if models[model.slot].address == BusViews.address {
            reports.isViewsDue = false
        } else {
            reports.isStatisticsDue = false
        }
        guard !models[model.slot].members.isEmpty else { return }
        host.tell(model, report: report())
        drain()
        reportStatistics()
    }
}
