import CSystem
import Glibc
import Protocol

/// Gives memory back to the system.
///
/// What view models had that are asleep now is in small pieces all over the heap, and the allocator
/// by itself gives back only what is at its end. To look for all of it takes milliseconds, so that
/// is done in a minute in which little else is to do.
final class Tidying {
    private let clock: any Clock
    private var timer: Timer?
    private var moment = TidyMoment(worked: processorTime())

    init(_ clock: any Clock) {
        self.clock = clock
        wait()
    }

    private func wait() {
        timer = clock.schedule(after: .seconds(60)) { [weak self] in
            self?.tidy()
            self?.wait()
        }
    }

    private func tidy() {
        if moment.hasCome(worked: processorTime()) { malloc_trim(0) }
    }
}

/// Finds a quiet minute, once something has been done.
struct TidyMoment {
    /// The processor time up to the last minute, and up to the last time that was quiet.
    private var worked: Duration
    private var tidied: Duration

    init(worked: Duration) { (self.worked, tidied) = (worked, worked) }

    /// Asked once a minute.
    ///
    /// - Parameter worked: the processor time that the daemon has taken so far.
    mutating func hasCome(worked now: Duration) -> Bool {
        let isQuiet = now - worked < .milliseconds(600)
        worked = now
        guard isQuiet, now - tidied > .milliseconds(20) else { return false }
        tidied = now
        return true
    }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
