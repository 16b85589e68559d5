import BusdBroker
import BusdEventLoop
import BusdRedisLog

/// New connections wait here until the daemon has applied all entries that the log had when they
/// arrived, but for at most a second, and not while Redis is silent. So a client that moves to
/// another daemon sees at least the state that it saw before.
final class ConnectionGate {
    private struct Waiting {
        let number: Int
        let arrival: UnixListener.Arrival
        let access: Access
        let deadline: Int64
        /// The newest entry when the connection arrived; `nil` until Redis has answered.
        var entry: Int?
    }

    private let log: RedisLog
    private let loop: Loop
    private let timer: LoopTimer
    private var waiting: [Waiting] = []
    private var lastNumber = 0

    /// Microseconds.
    private static let longestWait: Int64 = 1_000_000
    private static let betweenLooks: Int64 = 100_000

    init(_ log: RedisLog, _ loop: Loop) {
        (self.log, self.loop) = (log, loop)
        timer = LoopTimer(loop: loop) {}
    }

    func hold(_ arrival: UnixListener.Arrival, _ access: Access) {
        lastNumber += 1
        let number = lastNumber
        waiting.append(
            Waiting(
                number: number, arrival: arrival, access: access,
                deadline: loop.now() + Self.longestWait))  // fits: times of a clock
        if !timer.isArmed { timer.arm(afterMicroseconds: Self.betweenLooks) }
        log.head { [weak self] entry in
            guard let place = self?.waiting.firstIndex(where: { $0.number == number }) else {
                return
            }
            self?.waiting[place].entry = entry
        }
    }

    /// Takes the next connection that need not wait any longer, in order of arrival.
    ///
    /// - Parameter applied: the newest entry that was applied.
    func next(applied: Int) -> (arrival: UnixListener.Arrival, access: Access)? {
        guard let first = waiting.first else { return nil }
        let hasCaughtUp = first.entry.map { $0 <= applied } ?? false
        guard hasCaughtUp || loop.now() >= first.deadline || !log.isResponsive else {
            if !timer.isArmed { timer.arm(afterMicroseconds: Self.betweenLooks) }
            return nil
        }
        waiting.removeFirst()
        return (first.arrival, first.access)
    }
}
