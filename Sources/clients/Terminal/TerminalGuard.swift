import CBusdSystem
import Glibc

/// Restores the terminal where the process ends without letting go of the screen.
struct TerminalGuard {
    /// It takes the terminal's modes of this moment for the right ones.
    init() { _ = busd_guard_terminal(STDOUT_FILENO) }

    /// Once ncurses knows what kind of terminal it is: no mouse, no colours, keys and cursor as
    /// usual, and the screen that was there before.
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
