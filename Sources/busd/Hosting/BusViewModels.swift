import BusdBroker
package import BusdProtocol

/// A view model that shows the bus itself. It gets a report instead of keeping a state.
protocol ReportingViewModel: ViewModel {
    /// The current values, from a report.
    func present(_ report: BusReport) -> [ViewModelEvent]
    /// Sends the values that have changed.
    func handle(_ report: BusReport)
}

extension ReportingViewModel {
    /// The snapshot for a joining view. A value that differs from the last one sent is withdrawn
    /// from the output. So the next value is sent to all views even if it equals the last one sent:
    /// the joining view may have seen another value in between.
    func show(_ report: BusReport) -> [ViewModelEvent] {
        let values = present(report)
        for value in values where !output.current.contains(value) { output.withdraw(value.name) }
        return values
    }

    func handle(_ report: BusReport) {
        for event in present(report) { output.send(event) }
    }
}

/// `bus/views`: the attached views.
package final class BusViewsViewModel: HostedViewModel, ReportingViewModel {
    package typealias Kind = BusViews
    package static let placement = Placement.fixed(BusViews.address)

    package let output = Output<BusViews.ViewModelEvent>()

    package init(at address: Address, services: Void) {}

    package func handle(event: BusViews.ViewEvent) {}

    func present(_ report: BusReport) -> [BusViews.ViewModelEvent] {
        let omitted = report.omittedViews > 0 ? report.omittedViews : nil
        return [.views(views: report.views, omitted: omitted)]
    }
}

/// `bus/connections`: what each connection does now.
package final class BusConnectionsViewModel: HostedViewModel, ReportingViewModel {
    package typealias Kind = BusConnections
    package static let placement = Placement.fixed(BusConnections.address)

    package let output = Output<BusConnections.ViewModelEvent>()

    package init(at address: Address, services: Void) {}

    package func handle(event: BusConnections.ViewEvent) {}

    func present(_ report: BusReport) -> [BusConnections.ViewModelEvent] {
        report.traffic.map { [$0] } ?? []
    }

    /// Sends a report each second, even if nothing has changed.
    func handle(_ report: BusReport) {
        for event in present(report) {
            output.withdraw(event.name)
            output.send(event)
        }
    }
}

/// `bus/tap`: the sends of all clients.
package final class BusTapViewModel: HostedViewModel, AdministrativeViewModel, ReportingViewModel {
    package typealias Kind = BusTap
    package static let placement = Placement.fixed(BusTap.address)

    package let output = Output<BusTap.ViewModelEvent>()

    package init(at address: Address, services: Void) {}

    package func handle(event: BusTap.ViewEvent) {}

    func present(_ report: BusReport) -> [BusTap.ViewModelEvent] { report.tap }
}

/// Measurements of the process, which the bus itself cannot make.
package protocol HasProcessMetrics {
    /// Resident memory, in bytes.
    var memory: Int { get }
    /// The longest turn of the loop since the last call. It delays all other work.
    var loopLagMilliseconds: Double { get }
}

/// `bus/statistics`: counts, rates and measurements of the daemon.
package final class BusStatisticsViewModel: HostedViewModel, ReportingViewModel {
    package typealias Kind = BusStatistics
    package static let placement = Placement.fixed(BusStatistics.address)

    package let output = Output<BusStatistics.ViewModelEvent>()
    private let metrics: any HasProcessMetrics
    private let clock: any Clock
    private var last: Sample
    private var eventsPerSecond = 0.0
    private var deliveriesPerSecond = 0.0

    private struct Sample {
        let at: Instant
        let events: Int
        let deliveries: Int
    }

    package init(at address: Address, services: any HasProcessMetrics & HasClock) {
        metrics = services
        clock = services.clock
        last = Sample(at: clock.now, events: 0, deliveries: 0)
    }

    package func handle(event: BusStatistics.ViewEvent) {}

    func present(_ report: BusReport) -> [BusStatistics.ViewModelEvent] {
        measure(report)
        return [
            .statistics(
                connections: report.connections, viewModels: report.viewModels,
                eventsPerSecond: eventsPerSecond, deliveriesPerSecond: deliveriesPerSecond,
                gaps: report.gaps, memory: metrics.memory,
                loopLagMilliseconds: metrics.loopLagMilliseconds)
        ]
    }

    /// A rate covers at least a second; an earlier request gets the last rate.
    private func measure(_ report: BusReport) {
        let span = Double((clock.now - last.at).microseconds) / 1_000_000
        guard span >= 1 else { return }
        eventsPerSecond = rate(report.events - last.events, over: span)
        deliveriesPerSecond = rate(report.deliveries - last.deliveries, over: span)
        last = Sample(at: clock.now, events: report.events, deliveries: report.deliveries)
    }

    /// Rounded to a tenth.
    private func rate(_ count: Int, over span: Double) -> Double {
        (Double(count) / span * 10).rounded() / 10  // fits: a Double does
    }
}

/// Advances a clock that stands still by itself.
package protocol Advancing: AnyObject {
    /// Takes effect when the current event has been handled.
    func advance(by span: Duration)
}

/// `bus/clock`, with `--clock manual`.
package final class BusClockViewModel: HostedViewModel {
    package typealias Kind = BusClock
    package static let placement = Placement.fixed(BusClock.address)

    package let output = Output<BusClock.ViewModelEvent>()
    private let time: any Advancing

    package init(at address: Address, services: any Advancing) { time = services }

    package func handle(event: BusClock.ViewEvent) {
        if case .advance(let seconds) = event { time.advance(by: seconds.duration) }
    }

    package func refusal(of event: BusClock.ViewEvent) -> Refusal? {
        if case .advance = event { return nil }
        return Refusal(.badEvent, "only a replay takes \(event.name); use advance")
    }
}
