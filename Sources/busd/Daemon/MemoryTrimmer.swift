import BusdProtocol
import CBusdSystem
import Glibc

/// Gives memory back to the system.
///
/// The memory of sleeping view models is in small pieces all over the heap, but the allocator by
/// itself gives back only the end of the heap. `malloc_trim` gives back all free pages. It takes
/// milliseconds, so it is called in quiet minutes, after the view models that were used last have
/// fallen asleep. If more than half of a large heap is free, it is called at once, although it
/// takes a tenth of a second per gigabyte.
final class MemoryTrimmer {
    private let clock: any Clock
    private let pack: () -> Bool
    private var timer: ScheduledAction?
    private let metrics: ProcessMetrics
    private var quietPeriod = QuietPeriod(worked: processorTime())

    /// - Parameter pack: encodes some of the things that were not used in the last minute; returns
    ///   whether these were the last.
    init(_ clock: any Clock, _ metrics: ProcessMetrics, pack: @escaping () -> Bool) {
        self.clock = clock
        self.metrics = metrics
        self.pack = pack
        // Else the allocator raises this threshold to the size of each large block that is freed,
        // and then keeps blocks up to this size.
        busd_give_back_from(1 << 17)
        wait()
    }

    private func wait() {
        timer = clock.schedule(after: .seconds(60)) { [weak self] in self?.packNext() }
    }

    private func packNext() {
        guard !pack() else {
            trim()
            return wait()
        }
        timer = clock.schedule(after: .milliseconds(20)) { [weak self] in self?.packNext() }
    }

    private func trim() {
        guard quietPeriod.hasPassed(worked: processorTime()) || hasMuchFreeMemory else { return }
        malloc_trim(0)
    }

    /// Counting the memory in use takes up to 50 ms per gigabyte, so only a large heap is counted.
    private var hasMuchFreeMemory: Bool {
        let resident = metrics.memory
        return resident >= Self.much && busd_memory_in_use() < resident / 2
    }

    private static let much = 1 << 29
}

/// Detects two quiet minutes in a row, after some work.
struct QuietPeriod {
    /// The processor time at the last call, and at the last call that returned true.
    private var worked: Duration
    private var trimmed: Duration
    private var quietMinutes = 0

    init(worked: Duration) { (self.worked, trimmed) = (worked, worked) }

    /// Call this once per minute.
    ///
    /// - Parameter worked: the processor time that the daemon has taken so far.
    mutating func hasPassed(worked now: Duration) -> Bool {
        quietMinutes = now - worked < .milliseconds(600) ? quietMinutes + 1 : 0
        worked = now
        guard quietMinutes >= 2, now - trimmed > .milliseconds(5) else { return false }
        trimmed = now
        return true
    }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
