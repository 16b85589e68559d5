import BusdEventLoop
import BusdProtocol

/// Acts once after a start, and waits until the entries that the action proposed are in the log. If
/// the log refuses them, it acts again every tenth of a second, for ten seconds at most. Then the
/// daemon serves all the same, and it acts again every few seconds.
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

    /// Waits for the outcomes. Returns false if an entry was refused, or if the time is over.
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

    /// What was applied is not proposed again.
    private func act() {
        action()
        if libraries.hasPending { timer?.arm(afterMicroseconds: Self.interval) }
    }
}
