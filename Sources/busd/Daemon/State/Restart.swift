import BusdEventLoop
import BusdProtocol

/// Calls a function once after a start, and waits until the log has the entries that the function
/// proposed. If the log refuses them, the function is called again every 100 ms, for at most ten
/// seconds. Then the daemon serves all the same, and the function is called again every 5 s.
final class Restart {
    private static let interval: Int64 = 5_000_000
    private static let shortInterval: Int64 = 100_000
    private static let longestWait: Int64 = 10_000_000

    private let libraries: Libraries
    private let action: () -> Void
    private var timer: LoopTimer?

    init(_ loop: Loop, _ libraries: Libraries, _ action: @escaping () -> Void) {
        (self.libraries, self.action) = (libraries, action)
        timer = LoopTimer(loop: loop) { [weak self] in self?.act() }
        let end = LoopTimer(loop: loop) {}
        end.arm(afterMicroseconds: Self.longestWait)
        while end.isArmed {
            action()
            if isSettled(loop, before: end) { return }
            let pause = LoopTimer(loop: loop) {}
            pause.arm(afterMicroseconds: Self.shortInterval)
            while pause.isArmed { loop.turn(block: true) }
        }
        timer?.arm(afterMicroseconds: Self.interval)
    }

    /// Waits for the outcomes. Returns false if an entry was refused, or after the time limit.
    private func isSettled(_ loop: Loop, before end: LoopTimer) -> Bool {
        libraries.commit()
        var isSettled = true
        while libraries.hasPending, end.isArmed {
            if let (_, outcome) = libraries.applyNext() {
                if outcome == .refused { isSettled = false }
            } else {
                loop.turn(block: true)
            }
        }
        return isSettled && !libraries.hasPending
    }

    /// The function does not propose again what was applied.
    private func act() {
        action()
        if libraries.hasPending { timer?.arm(afterMicroseconds: Self.interval) }
    }
}
