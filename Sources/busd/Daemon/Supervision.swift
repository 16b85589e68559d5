import BusdEventLoop

/// Notifies systemd: ready, alive, stopping. Without systemd it does nothing.
final class Supervision {
    private let systemd: Systemd
    private let log: DaemonLog
    private var watchdog: LoopTimer?

    init(_ systemd: Systemd, loop: Loop, log: DaemonLog) {
        self.systemd = systemd
        self.log = log
        guard let interval = systemd.watchdogMicroseconds else { return }
        // The loop itself notifies, at half the interval: so a loop that hangs is not alive.
        watchdog = LoopTimer(loop: loop) { [weak self] in
            self?.notify("WATCHDOG=1")
            self?.watchdog?.arm(afterMicroseconds: interval / 2)
        }
        watchdog?.arm(afterMicroseconds: interval / 2)
        // A replay that goes back and back has no time for half an interval.
        notify("WATCHDOG=1")
    }

    func ready(_ status: String) { notify("READY=1\nSTATUS=\(status)") }
    func stopping() { notify("STOPPING=1") }

    private func notify(_ state: String) {
        do {
            try systemd.notify(state)
        } catch {
            log.warning("cannot notify systemd: \(error)")
        }
    }
}
