import Glibc

/// Holds the signals back that a person ends a command with, so that the command can remove an
/// unfinished file first.
struct HeldSignals {
    private static let signals = [SIGHUP, SIGINT, SIGTERM]
    private var before = sigset_t()

    init() {
        var held = sigset_t()
        sigemptyset(&held)
        for signal in Self.signals { sigaddset(&held, signal) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
    }

    /// One of them has come.
    var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return Self.signals.contains { sigismember(&pending, $0) == 1 }
    }

    /// A signal that has come takes effect now.
    mutating func release() { pthread_sigmask(SIG_SETMASK, &before, nil) }
}
