import BusdProtocol
import CBusdNcurses
import Glibc

// ncurses has one screen a process, in globals; this class is its only user. The programs hear
// signals in their loop, in place of ncurses' own handlers: on SIGWINCH call `resize()`, on SIGTSTP
// `suspend()`, on SIGCONT `resume()`, and on SIGINT, SIGTERM and SIGHUP let go of the screen.

/// The whole terminal, for as long as this lives: then it is as it was before, also after a crash.
/// There is one at a time.
public final class Screen {
    /// More than that is not used, whatever the terminal says of itself.
    private static let largest = Size(columns: 1000, rows: 400)

    private let handle: OpaquePointer
    private let guardian: TerminalGuard
    var palette = Palette()
    /// The paste that is under way.
    var paste: BracketedPaste?

    /// - Throws: where standard input or output is no terminal, or one that ncurses cannot drive.
    public init() throws(ScreenError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .noTerminal
        }
        _ = Locale.isUTF8
        // ncurses believes these before it asks the terminal, which may claim any size.
        if let size = Self.terminalSize {
            setenv("COLUMNS", "\(size.columns)", 1)
            setenv("LINES", "\(size.rows)", 1)
        }
        let guardian = TerminalGuard()
        guard let handle = Self.open() else {
            guardian.dismiss()
            throw .unusable(type: getenv("TERM").map { String(cString: $0) } ?? "")
        }
        self.handle = handle
        self.guardian = guardian
        guardian.learnSequences()
        setUp()
    }

    /// Nil for a terminal that nobody knows, and for one on which nothing can be placed.
    private static func open() -> OpaquePointer? {
        guard let handle = newterm(nil, busd_stdout(), busd_stdin()) else { return nil }
        if !Capability("cup").bytes.isEmpty { return handle }
        endwin()
        delscreen(handle)
        return nil
    }

    deinit {
        BracketedPaste.turn(on: false)
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
        // All of them, also those that are no key of ours: ncurses would leave one out by waiting
        // for the next, and hold up the loop.
        mousemask(busd_ALL_MOUSE_EVENTS, nil)
        mouseinterval(0)
        BracketedPaste.define()
        BracketedPaste.turn(on: true)
        palette.start()
    }

    public var size: Size {
        Size(columns: Int(getmaxx(busd_stdscr())), rows: Int(getmaxy(busd_stdscr())))
    }

    /// The terminal has another size: call `show` with a frame for it.
    public func resize() {
        guard let size = Self.terminalSize else { return }
        resizeterm(Int32(size.rows), Int32(size.columns))
    }

    /// What the terminal says, within reason; nil where it does not know.
    private static var terminalSize: Size? {
        var found = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &found) == 0, found.ws_row > 0,
            found.ws_col > 0
        else { return nil }
        return Size(
            columns: min(Int(found.ws_col), largest.columns),
            rows: min(Int(found.ws_row), largest.rows))
    }

    /// Gives the terminal back and stops the process, as Ctrl-Z does; returns when it goes on.
    public func suspend() {
        BracketedPaste.turn(on: false)
        endwin()
        var former = sigaction()
        var standard = sigaction()
        standard.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &standard, &former)
        kill(getpid(), SIGTSTP)
        sigaction(SIGTSTP, &former, nil)
    }

    /// Takes the terminal again after the process was stopped.
    public func resume() {
        reset_prog_mode()
        BracketedPaste.turn(on: true)
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
