import BusdEventLoop
import BusdProtocol

/// A timeline that the loop advances to the real time whenever a timer is due.
final class LoopClock: Clock {
    private let loop: Loop
    private let timeline: Timeline
    private var alarm: LoopTimer?

    init(loop: Loop) {
        self.loop = loop
        timeline = Timeline(now: Instant(microseconds: loop.now()))
        alarm = LoopTimer(loop: loop) { [weak self] in self?.fire() }
    }

    var now: Instant { Instant(microseconds: loop.now()) }

    func schedule(at instant: Instant, _ action: @escaping () -> Void) -> ScheduledAction {
        defer { setAlarm() }
        return timeline.schedule(at: instant, action)
    }

    private func fire() {
        timeline.advance(to: now)
        setAlarm()
    }

    private func setAlarm() {
        guard let due = timeline.nextDue else { return }
        alarm?.arm(afterMicroseconds: (due - now).microseconds)
    }
}
