import BusdProtocol
import BusdTestKit
import Testing
import Timer
import TimerViewModels

struct TimerViewModelTests {
    private let services = TestServices()
    private let view: RecordingView<TimerViewModel>

    init() {
        view = RecordingView(TimerViewModel(at: .literal("timer/tea"), services: services))
        view.expect(
            .time(text: "3:00", seconds: 180), .running(isRunning: false), .laps(laps: []))
    }

    @Test func `A timer counts down and rings at the end`() {
        view.send(.lengthChanged(seconds: 2))
        view.expect(.time(text: "0:02", seconds: 2))
        view.send(.start)
        view.expect(.running(isRunning: true))
        services.timeline.advance(by: .seconds(1))
        view.expect(.time(text: "0:01", seconds: 1))
        #expect(services.bell.rings == [])
        services.timeline.advance(by: .seconds(60))
        view.expect(.rang, .time(text: "0:00", seconds: 0), .running(isRunning: false))
        #expect(services.bell.rings == ["timer/tea"])
    }
}

/// The services in a test: the test moves the time, and the bell records each ring.
private struct TestServices: HasClock, HasChime {
    let timeline = Timeline()
    let bell = RecordingChime()

    var clock: any Clock { timeline }
    var chime: any Chime { bell }
}

private final class RecordingChime: Chime {
    private(set) var rings: [String] = []

    func ring(for timer: Address) { rings.append(timer.text) }
}
