import Glibc

/// Turns signals that would end the process into errors of the call that caused them: writing to a
/// closed peer (SIGPIPE: `EPIPE`), and past the limit of a file's size (SIGXFSZ: `EFBIG`). Call it
/// first in a program.
package func ignoreSignalsOfFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
