import BusdEventLoop

/// Calls its action in every turn of the loop, until it is released. The action may release it.
final class EveryTurn {
    private var timer: LoopTimer?

    init(_ loop: Loop, _ action: @escaping () -> Void) {
        timer = LoopTimer(loop: loop) { [weak self] in
            action()
            self?.timer?.arm(afterMicroseconds: 0)
        }
        timer?.arm(afterMicroseconds: 0)
    }
}
