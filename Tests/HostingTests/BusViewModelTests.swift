import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

private final class Vitals: HasProcessMetrics, HasClock {
    var memory = 4_096
    var loopLagMilliseconds = 0.25
    let timeline = Timeline()
    var clock: any Clock { timeline }
}

private struct Reporter {
    let host = Host()
    let id = ModelID(slot: 0, number: 1)
    var views: [BusViews.Row] = []
    var (events, deliveries, gaps) = (0, 0, 0)

    private var report: BusReport {
        BusReport(
            views: views, connections: 1, viewModels: 2, events: events, deliveries: deliveries,
            gaps: gaps)
    }

    /// Registers the kind of a view model of the bus, and makes its view model.
    func register<Model: HostedViewModel>(
        _ type: Model.Type, services: Model.Services
    ) throws {
        host.register(type, services: services)
        let (kind, address) = try #require(host.kinds.fixed.first)
        #expect(host.make(id, kind, at: address))
    }

    func shown() -> [String] {
        host.snapshot(of: id) { report }.events.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number of events that the view model emits for the report.
    func takeUpdates() -> Int {
        let before = host.outbox.count
        host.report(report, to: id)
        return host.outbox.count - before
    }
}

@Suite struct ViewsViewModelTests {
    @Test func `The view model of the views shows the present report, and emits changes`() throws {
        var reporter = Reporter()
        try reporter.register(BusViewsViewModel.self, services: ())
        #expect(reporter.shown() == [#"{"views":{"views":[]}}"#])
        #expect(reporter.takeUpdates() == 1)
        #expect(reporter.takeUpdates() == 0)
        reporter.views = [
            BusViews.Row(
                connection: 1, name: nil, as: "v", to: "**", access: "view", pid: 2, uid: 3,
                missed: 4, since: 5)
        ]
        let row =
            #"{"connection":1,"as":"v","to":"**","access":"view","pid":2,"uid":3,"missed":4,"#
            + #""since":5}"#
        #expect(reporter.shown() == [#"{"views":{"views":[\#(row)]}}"#])
        #expect(reporter.takeUpdates() == 1)
        #expect(reporter.takeUpdates() == 0)
    }

    @Test func `The views are emitted again if a snapshot has shown others`() throws {
        var reporter = Reporter()
        try reporter.register(BusViewsViewModel.self, services: ())
        let before = reporter.views
        _ = reporter.takeUpdates()
        reporter.views = [
            BusViews.Row(
                connection: 1, name: nil, as: nil, to: "a", access: "control", pid: 2, uid: 3,
                missed: 0)
        ]
        _ = reporter.shown()
        reporter.views = before
        #expect(reporter.takeUpdates() == 1)
        #expect(reporter.takeUpdates() == 0)
    }
}

@Suite struct StatisticsViewModelTests {
    @Test func `The statistics measure rates over at least a second`() throws {
        var reporter = Reporter()
        let vitals = Vitals()
        try reporter.register(BusStatisticsViewModel.self, services: vitals)
        func line(_ events: String, _ deliveries: String) -> [String] {
            [
                #"{"statistics":{"connections":1,"viewModels":2,"eventsPerSecond":\#(events),"#
                    + #""deliveriesPerSecond":\#(deliveries),"gaps":3,"memory":4096,"#
                    + #""loopLagMilliseconds":0.25}}"#
            ]
        }
        reporter.gaps = 3
        #expect(reporter.shown() == line("0.0", "0.0"))
        reporter.events = 25
        reporter.deliveries = 100
        vitals.timeline.advance(by: .milliseconds(999))
        #expect(reporter.shown() == line("0.0", "0.0"))
        vitals.timeline.advance(by: .milliseconds(1_001))
        #expect(reporter.shown() == line("12.5", "50.0"))
        reporter.events = 26
        vitals.timeline.advance(by: .milliseconds(500))
        #expect(reporter.shown() == line("12.5", "50.0"))
        vitals.timeline.advance(by: .milliseconds(2_500))
        #expect(reporter.shown() == line("0.3", "0.0"))
    }
}

@Suite struct ClockViewModelTests {
    private final class Time: Advancing {
        var spans: [Duration] = []
        func advance(by span: Duration) { spans.append(span) }
    }

    @Test func `The view model of the clock advances the time`() throws {
        let time = Time()
        let view = RecordingView(BusClockViewModel(at: BusClock.address, services: time))
        view.send(.advance(by: try #require(Seconds(1.5))))
        #expect(time.spans == [.milliseconds(1_500)])
        for event in [BusClock.ViewEvent.pause, .resume, .goTo(at: "3")] {
            view.send(event)
            view.expect(
                refusal: Refusal(.badEvent, "only a replay takes \(event.name); use advance"))
            view.model.handle(event: event)
        }
        #expect(time.spans == [.milliseconds(1_500)])
    }

    @Test func `The view model of the clock may outlive its service`() throws {
        let model = BusClockViewModel(at: BusClock.address, services: Time())
        model.handle(event: .advance(by: try #require(Seconds(1))))
    }
}
