import BusdEventLoop

/// A stream's sign of life, due after some time without a line.
///
/// Without it, a page could not tell a quiet game from a lost connection.
final class Heartbeat {
    /// In microseconds: 15 seconds. A page waits for twice as long.
    static let usualSilence: Int64 = 15_000_000

    /// As busd itself writes it (docs/protocol.md).
    static let line = Array("{\"ping\":1}\n".utf8)

    private let loop: Loop
    private let silence: Int64
    private var lastLine: Int64
    private var timer: LoopTimer?
    private(set) var isDue = false

    /// - Parameters:
    ///   - silence: in microseconds.
    ///   - due: called when a sign of life is due.
    init(loop: Loop, silence: Int64 = usualSilence, due: @escaping () -> Void) {
        (self.loop, self.silence) = (loop, silence)
        lastLine = loop.now()
        timer = LoopTimer(loop: loop) { [weak self] in
            guard let self else { return }
            isDue = loop.now() - lastLine >= silence
            arm()
            if isDue { due() }
        }
        arm()
    }

    /// A line, or the sign of life, was sent.
    func sent() {
        lastLine = loop.now()
        isDue = false
    }

    // The timer is not moved with each line: it looks at the time of the last one when it fires.
    private func arm() {
        let silent = loop.now() - lastLine
        timer?.arm(afterMicroseconds: silent < silence ? silence - silent : silence)
    }
}
