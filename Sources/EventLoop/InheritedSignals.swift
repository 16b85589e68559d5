import CBusdSystem
import Glibc

/// Unblocks all signals: a process inherits the mask of its parent, and a blocked SIGTERM would
/// never reach it. Call it first in a program, before any thread starts.
package func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
}

/// True if the process ignores the signal, for example SIGHUP under nohup(1).
package func isIgnored(_ signal: Int32) -> Bool { busd_is_ignored(signal) == 1 }
