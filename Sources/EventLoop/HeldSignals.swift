import CBusdSystem
import Glibc

/// Holds back the signals that end a command, so that the command can remove its files first. A
/// signal that the process ignores is not held: a blocked signal would be pending even if it is
/// ignored, and `nohup busd backup` must continue after a hang-up. Nor is a signal of a bug held:
/// the kernel would end the process at once, without a report.
package struct HeldSignals {
    private let signals = (1...64).filter {
        busd_ends_process($0) == 1 && busd_reports_bug($0) == 0 && !isIgnored($0)
    }
    private var before = sigset_t()

    package init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in signals { sigaddset(&held, signal) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
    }

    /// Whether one of the signals has arrived.
    package var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return signals.contains { sigismember(&pending, $0) == 1 }
    }

    /// A pending signal takes effect now.
    package mutating func release() { pthread_sigmask(SIG_SETMASK, &before, nil) }
}
