import BusdClient
import BusdTerminal
import Glibc

// getpass(3) is not used: it turns off the signals of the keyboard, so Ctrl-C would be a character
// of the password, and another signal would leave the terminal without echo.

/// Waits for a line at a terminal, without echo.
struct HiddenLine {
    private let terminal: Int32
    private let loop: ClientLoop

    init(terminal: Int32 = STDIN_FILENO, _ loop: ClientLoop) {
        self.terminal = terminal
        self.loop = loop
    }

    /// Prompts, waits until a line can be read, and calls `read` before it restores the echo.
    /// - Returns: a signal that arrived instead of a line; else nil.
    func await(_ prompt: String, _ read: () -> Void) throws(LoopFailure) -> Int32? {
        var former = termios()
        guard tcgetattr(terminal, &former) == 0 else {
            read()
            return nil
        }
        var hidden = former
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        let terminalGuard = TerminalGuard(terminal)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &former)
            terminalGuard.dismiss()
        }

        var signal: Int32?
        var watches: [ClientLoop.Watch] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let stop = { [loop] in
                signal = number
                loop.stop()
            }
            watches.append(try loop.whenSignalled(number, stop))
        }
        watches.append(try loop.whenReadable(terminal) { [loop] in loop.stop() })
        let bytes = Array(prompt.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        withExtendedLifetime(watches) { loop.run() }
        if signal == nil { read() } else { _ = write(STDERR_FILENO, "\n", 1) }
        return signal
    }
}
