import BusdProtocol
import CBusdSystem
import Glibc

/// Gives memory back to the system.
///
/// What view models had that are asleep now is in small pieces all over the heap, and the allocator
/// by itself gives back only what is at its end. To look for all of it takes milliseconds, so that
/// is done when little else is to do, and those that were used last have fallen asleep. When a
/// crowd has left much behind, it takes a tenth of a second for each gigabyte, and is done all the
/// same.
final class Tidying {
    private let clock: any Clock
    private let pack: () -> Bool
    private var timer: ScheduledAction?
    private let vitals: Vitals
    private var moment = TidyMoment(worked: processorTime())

    /// - Parameter pack: encodes some of the things that were not used in the last minute; returns
    ///   whether these were the last.
    init(_ clock: any Clock, _ vitals: Vitals, pack: @escaping () -> Bool) {
        self.clock = clock
        self.vitals = vitals
        self.pack = pack
        // Else the allocator keeps what is as long as anything that it has given back.
        busd_give_back_from(1 << 17)
        wait()
    }

    private func wait() {
        timer = clock.schedule(after: .seconds(60)) { [weak self] in self?.packNext() }
    }

    private func packNext() {
        guard !pack() else {
            tidy()
            return wait()
        }
        timer = clock.schedule(after: .milliseconds(20)) { [weak self] in self?.packNext() }
    }

    private func tidy() {
        guard moment.hasCome(worked: processorTime()) || isWasteful else { return }
        malloc_trim(0)
    }

    /// To count what is in use takes up to 50 ms for each gigabyte: only where there is much.
    private var isWasteful: Bool {
        let resident = vitals.memory
        return resident >= Self.much && busd_memory_in_use() < resident / 2
    }

    private static let much = 1 << 29
}

/// Finds two quiet minutes, once something has been done.
struct TidyMoment {
    /// The processor time up to the last minute, and up to the last such moment.
    private var worked: Duration
    private var tidied: Duration
    private var quietMinutes = 0

    init(worked: Duration) { (self.worked, tidied) = (worked, worked) }

    /// Asked once a minute.
    ///
    /// - Parameter worked: the processor time that the daemon has taken so far.
    mutating func hasCome(worked now: Duration) -> Bool {
        quietMinutes = now - worked < .milliseconds(600) ? quietMinutes + 1 : 0
        worked = now
        guard quietMinutes >= 2, now - tidied > .milliseconds(5) else { return false }
        tidied = now
        return true
    }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
