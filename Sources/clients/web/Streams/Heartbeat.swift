import BusdEventLoop

/// Asks for a stream's sign of life after some time without a line.
///
/// Without it, a page could not tell a quiet view model from a lost connection. busd itself must
/// have given it: if busd hangs, the page shall know.
final class Heartbeat {
    /// In microseconds: 15 seconds. A page waits for twice as long.
    static let usualSilence: Int64 = 15_000_000

    private let loop: Loop
    private let silence: Int64
    private var lastLine: Int64
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - silence: in microseconds.
    ///   - due: called after each such time without a line.
    init(loop: Loop, silence: Int64 = usualSilence, due: @escaping () -> Void) {
        (self.loop, self.silence) = (loop, silence)
        lastLine = loop.now()
        timer = LoopTimer(loop: loop) { [weak self] in
            guard let self else { return }
            let isDue = loop.now() - lastLine >= silence
            arm()
            if isDue { due() }
        }
        arm()
    }

    /// A line has come.
    func heard() { lastLine = loop.now() }

    // The timer is not moved with each line: it looks at the time of the last one when it fires.
    private func arm() {
        let silent = loop.now() - lastLine
        timer?.arm(afterMicroseconds: silent < silence ? silence - silent : silence)
    }
}
