import Glibc

/// Turns signals that would end the process into errors of the call that caused them: writing to a
/// peer that is gone (SIGPIPE: `EPIPE`), and past the limit of a file's size (SIGXFSZ: `EFBIG`).
/// The first thing that a program does.
package func ignoreSignalsOfFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
