import BusdEventLoop
import Glibc

/// The signals that end the daemon, also while a replay goes back.
final class EndingSignals {
    private var signals: [SignalEvent] = []
    private var action: () -> Void = {}
    private var hasCome = false

    /// Calls the action for each signal from now on.
    func watch(_ loop: Loop, _ action: @escaping () -> Void) throws(SystemError) {
        self.action = action
        guard signals.isEmpty else { return }
        // nohup(1) ignores SIGHUP on purpose. SIGTERM and SIGINT always end the daemon.
        let ending = isIgnored(SIGHUP) ? [SIGTERM, SIGINT] : [SIGTERM, SIGINT, SIGHUP]
        signals = try ending.map { signal throws(SystemError) in
            try SignalEvent(loop: loop, signal: signal) { [weak self] in
                self?.hasCome = true
                self?.action()
            }
        }
    }

    /// Calls the action no more. Returns whether a signal has come.
    func take() -> Bool {
        action = {}
        return hasCome
    }
}
