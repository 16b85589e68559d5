import BusdEventLoop

/// A stream's sign of life, due after 15 seconds without a line.
///
/// Without it, a page could not tell a quiet game from a lost connection.
final class Heartbeat {
    /// In microseconds.
    static let silence: Int64 = 15_000_000

    /// As busd itself writes it (docs/protocol.md).
    static let line = Array("{\"ping\":1}\n".utf8)

    private let loop: Loop
    private var lastLine: Int64
    private var timer: LoopTimer?
    private(set) var isDue = false

    /// - Parameter due: called when a sign of life is due.
    init(loop: Loop, due: @escaping () -> Void) {
        self.loop = loop
        lastLine = loop.now()
        timer = LoopTimer(loop: loop) { [weak self] in
            guard let self else { return }
            isDue = loop.now() - lastLine >= Self.silence
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
        timer?.arm(
            afterMicroseconds: silent < Self.silence ? Self.silence - silent : Self.silence)
    }
}
