import CBusdSystem
import Glibc

/// Restores the terminal if the process ends, by `exit` or by a signal, before `dismiss`. There is
/// at most one guard at a time.
package struct TerminalGuard {
    /// The current modes of the terminal are those to restore.
    package init(_ terminal: Int32 = STDOUT_FILENO) { _ = busd_guard_terminal(terminal) }

    /// Call this after ncurses has identified the terminal. The sequences turn off mouse and
    /// colours, reset keys and cursor, and show the former screen.
    func learnSequences() {
        let hasMouse = !Capability("kmous").bytes.isEmpty
        let mouseOff = hasMouse ? Array("\u{1B}[?1000l\u{1B}[?1006l".utf8) : []
        let bytes =
            mouseOff + BracketedPaste.off
            + ["sgr0", "cnorm", "rmkx", "rmcup"].flatMap { Capability($0).bytes }
        busd_guard_terminal_with(bytes, bytes.count)
    }

    package func dismiss() { busd_unguard_terminal() }
}
