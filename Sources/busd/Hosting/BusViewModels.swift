import BusdBroker
package import BusdProtocol

/// A view model that tells of the bus itself: it is handed a report instead of keeping a state.
protocol ReportingViewModel: ViewModel {
    /// The present values after a report, which a joining view is told.
    func present(_ report: BusReport) -> [ViewModelEvent]
    /// Time to say what has changed.
    func handle(_ report: BusReport)
}

extension ReportingViewModel {
    /// What a joining view is told. Where others have been told something else, all of them are
    /// told anew the next time, even if it is what they know: this view may know something newer
    /// that has passed.
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

/// How the process does: what only the shell around the bus can know.
package protocol HasVitals {
    /// Resident memory, in bytes.
    var memory: Int { get }
    /// How long the last turn of the loop kept others waiting.
    var loopLagMilliseconds: Double { get }
}

/// `bus/statistics`: how the daemon does.
package final class BusStatisticsViewModel: HostedViewModel, ReportingViewModel {
    package typealias Kind = BusStatistics
    package static let placement = Placement.fixed(BusStatistics.address)

    package let output = Output<BusStatistics.ViewModelEvent>()
    private let vitals: any HasVitals
    private let clock: any Clock
    private var last: Sample
    private var eventsPerSecond = 0.0
    private var deliveriesPerSecond = 0.0

    private struct Sample {
        let at: Instant
        let events: Int
        let deliveries: Int
    }

    package init(at address: Address, services: any HasVitals & HasClock) {
        vitals = services
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
                gaps: report.gaps, memory: vitals.memory,
                loopLagMilliseconds: vitals.loopLagMilliseconds)
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

    /// To a tenth.
    private func rate(_ count: Int, over span: Double) -> Double {
        (Double(count) / span * 10).rounded() / 10  // fits: a Double does
    }
}

/// Lets time go on, where it stands still by itself.
package protocol Advancing: AnyObject {
    /// As soon as the event that asks for it has been handled.
    func advance(by span: Duration)
}

/// `bus/clock`, with `--clock manual`.
package final class BusClockViewModel: HostedViewModel {
    package typealias Kind = BusClock
    package static let placement = Placement.fixed(BusClock.address)

    package let output = Output<BusClock.ViewModelEvent>()
    private weak var time: (any Advancing)?

    package init(at address: Address, services: any Advancing) { time = services }

    package func handle(event: BusClock.ViewEvent) { _ = changes(handling: event) }

    /// The clock emits nothing.
    package func changes(handling event: BusClock.ViewEvent) -> Bool {
        switch event {
        case .advance(let seconds):
            time?.advance(by: seconds.duration)
            return seconds.duration > .zero
        }
    }
}
