import CBusdSystem
import Glibc

/// Restores the terminal if the process ends without releasing the screen.
struct TerminalGuard {
    /// The current modes of the terminal are those to restore.
    init() { _ = busd_guard_terminal(STDOUT_FILENO) }

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

    func dismiss() { busd_unguard_terminal() }
}
