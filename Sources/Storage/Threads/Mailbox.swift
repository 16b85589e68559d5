import BusdProtocol
import Synchronization

/// Jobs for a thread, in order.
final class Mailbox<Job: Sendable>: Sendable {
    private struct Content {
        var jobs = Queue<Job>()
        /// The thread waits for the wakeup.
        var isAsleep = false
    }

    private let content = Mutex(Content())
    private let wakeup: WakeupPipe

    init() throws(StoreError) { wakeup = try WakeupPipe() }

    func post(_ job: Job) {
        let wasAsleep = content.withLock { content in
            content.jobs.append(job)
            defer { content.isAsleep = false }
            return content.isAsleep
        }
        if wasAsleep { wakeup.wake() }
    }

    // MARK: For the thread

    /// Waits for the next job; `nil` after this many milliseconds; -1 waits forever.
    func next(within milliseconds: Int32, _ spin: inout SpinWait) -> Job? {
        while true {
            let spins = milliseconds != 0 && spin.looksAgain()
            let job = content.withLock { content in
                content.isAsleep = content.jobs.isEmpty && !spins
                return content.jobs.takeFirst()
            }
            if let job {
                spin.end()
                return job
            }
            if spins { continue }
            guard wakeup.wait(milliseconds: milliseconds) else { return nil }
        }
    }

    func wait() -> Job {
        var spin = SpinWait()
        while true { if let job = next(within: -1, &spin) { return job } }
    }

    /// Takes the first jobs, up to the first job for which `select` returns `nil`.
    func nextJobs<Value: Sendable>(_ select: (Job) -> Value?) -> [Value] {
        content.withLock { content in
            let values = content.jobs.prefix { select($0) != nil }.compactMap(select)
            for _ in values { _ = content.jobs.takeFirst() }
            return values
        }
    }

    func has(_ isWanted: (Job) -> Bool) -> Bool {
        content.withLock { $0.jobs.contains(where: isWanted) }
    }
}
