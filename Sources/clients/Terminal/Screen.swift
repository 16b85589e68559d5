import CNcurses
import Glibc

// ncurses has one screen a process, in globals; this class is its only user. The programs hear
// signals in their loop, so ncurses' own handlers are not used: on SIGWINCH call `resize()`, on
// SIGTSTP `suspend()`, on SIGCONT `resume()`, and on SIGINT, SIGTERM and SIGHUP let go of the
// screen.

/// The whole terminal, for as long as this lives: then it is as it was before, also after a crash.
/// There is one at a time.
public final class Screen {
    /// More than that is not used, whatever the terminal says of itself.
    private static let largest = Size(columns: 1000, rows: 400)

    private let handle: OpaquePointer
    private let guardian: TerminalGuard
    var palette = Palette()

    /// - Throws: where standard input or output is no terminal, or one that ncurses cannot drive.
    public init() throws(ScreenError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .noTerminal
        }
        _ = Locale.isUTF8
        // The true size is asked for below, within reason.
        use_env(false)
        guard let handle = newterm(nil, busd_stdout(), busd_stdin()) else {
            throw .unusable(type: getenv("TERM").map { String(cString: $0) } ?? "")
        }
        self.handle = handle
        guardian = TerminalGuard()
        setUp()
        resize()
    }

    deinit {
        endwin()
        delscreen(handle)
        guardian.dismiss()
    }

    private func setUp() {
        let window = busd_stdscr()
        cbreak()
        noecho()
        nonl()
        nodelay(window, true)
        keypad(window, true)
        set_escdelay(25)
        mousemask(KeyDecoder.click | KeyDecoder.wheelUp | KeyDecoder.wheelDown, nil)
        mouseinterval(0)
        palette.start()
    }

    public var size: Size {
        Size(columns: Int(getmaxx(busd_stdscr())), rows: Int(getmaxy(busd_stdscr())))
    }

    /// The terminal has another size: call `show` with a frame for it.
    public func resize() {
        var found = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &found) == 0, found.ws_row > 0,
            found.ws_col > 0
        else { return }
        let rows = min(Int(found.ws_row), Self.largest.rows)
        let columns = min(Int(found.ws_col), Self.largest.columns)
        resizeterm(Int32(rows), Int32(columns))
    }

    /// Gives the terminal back and stops the process, as Ctrl-Z does; returns when it goes on.
    public func suspend() {
        endwin()
        var former = sigaction()
        var standard = sigaction()
        standard.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &standard, &former)
        kill(getpid(), SIGTSTP)
        sigaction(SIGTSTP, &former, nil)
    }

    /// Takes the terminal again after a stop, whoever stopped the process.
    public func resume() {
        reset_prog_mode()
        resize()
        clearok(busd_curscr(), true)
    }

    /// Draws everything again with the next `show`, whatever somebody else has written to the
    /// terminal.
    public func repaint() { clearok(busd_stdscr(), true) }
}

/// Why there is no screen.
public enum ScreenError: Error, Equatable, CustomStringConvertible {
    case noTerminal
    /// `type` is what `TERM` says.
    case unusable(type: String)

    public var description: String {
        switch self {
        case .noTerminal: "standard input and output are no terminal"
        case .unusable(let type):
            "a screen cannot be shown on a terminal of type '\(type.printable)'"
        }
    }
}
