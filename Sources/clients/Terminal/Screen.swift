import BusdProtocol
import CBusdNcurses
import Glibc

// ncurses has one screen per process, in globals. This class is its only user. The programs handle
// signals in their loop instead of ncurses' handlers: on SIGWINCH call `resize()`, on SIGTSTP
// `suspend()`, on SIGCONT `resume()`, and on SIGINT, SIGTERM and SIGHUP release the screen.

/// The whole terminal, while this object exists. Afterwards the terminal is as before, even after a
/// crash. Only one can exist at a time.
public final class Screen {
    /// Limit of the size, because a terminal may report any size.
    private static let largest = Size(columns: 1000, rows: 400)

    private let handle: OpaquePointer
    private let terminalGuard: TerminalGuard
    var palette = Palette()
    /// The current paste; nil if there is none.
    var paste: BracketedPaste?

    /// - Throws: if standard input or output is not a terminal, or one that ncurses does not
    ///   support.
    public init() throws(ScreenError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw .noTerminal
        }
        _ = Locale.isUTF8
        Self.terminalSize.map(Self.announce)
        let terminalGuard = TerminalGuard()
        guard let handle = Self.open() else {
            terminalGuard.dismiss()
            throw .unusable(type: getenv("TERM").map { String(cString: $0) } ?? "")
        }
        self.handle = handle
        self.terminalGuard = terminalGuard
        terminalGuard.learnSequences()
        setUp()
    }

    /// Nil for an unknown terminal, and for one without cursor positioning.
    private static func open() -> OpaquePointer? {
        guard let handle = newTerminal() else { return nil }
        if !Capability("cup").bytes.isEmpty { return handle }
        endwin()
        delscreen(handle)
        return nil
    }

    /// ncurses ignores SIGTSTP while it draws, and a Ctrl-Z is lost, unless it finds another
    /// handler at its start.
    private static func newTerminal() -> OpaquePointer? {
        var former = sigaction()
        var handler = sigaction()
        handler.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGTSTP, &handler, &former)
        defer { sigaction(SIGTSTP, &former, nil) }
        return newterm(nil, busd_stdout(), busd_stdin())
    }

    deinit {
        BracketedPaste.turn(on: false)
        endwin()
        delscreen(handle)
        terminalGuard.dismiss()
    }

    private func setUp() {
        let window = busd_stdscr()
        cbreak()
        noecho()
        nonl()
        nodelay(window, true)
        keypad(window, true)
        set_escdelay(25)
        // All events, also those that are no `Key`. ncurses would skip an unwanted event by waiting
        // for the next one, which blocks the loop.
        mousemask(busd_ALL_MOUSE_EVENTS, nil)
        mouseinterval(0)
        BracketedPaste.define()
        BracketedPaste.turn(on: true)
        palette.start()
    }

    public var size: Size {
        Size(columns: Int(getmaxx(busd_stdscr())), rows: Int(getmaxy(busd_stdscr())))
    }

    /// Call this when the terminal has another size, and then `show` with a frame of that size.
    public func resize() {
        guard let size = Self.terminalSize else { return }
        Self.announce(size)
        resizeterm(Int32(size.rows), Int32(size.columns))
    }

    /// ncurses uses these variables instead of the size that the terminal reports, which may be
    /// anything. It reads them at the start, and again after the process was stopped.
    private static func announce(_ size: Size) {
        setenv("COLUMNS", "\(size.columns)", 1)
        setenv("LINES", "\(size.rows)", 1)
    }

    /// The size that the terminal reports, within `largest`; nil if it reports none.
    private static var terminalSize: Size? {
        var found = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &found) == 0, found.ws_row > 0,
            found.ws_col > 0
        else { return nil }
        return Size(
            columns: min(Int(found.ws_col), largest.columns),
            rows: min(Int(found.ws_row), largest.rows))
    }

    /// Restores the terminal and stops the process, as Ctrl-Z does. Returns when the process
    /// continues.
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

    /// Makes the next `show` draw everything, for example after another program has written to the
    /// terminal.
    public func repaint() { clearok(busd_stdscr(), true) }
}

/// Why there is no screen.
public enum ScreenError: Error, Equatable, CustomStringConvertible {
    case noTerminal
    /// `type` is the value of `TERM`.
    case unusable(type: String)

    public var description: String {
        switch self {
        case .noTerminal: "standard input and output are not a terminal"
        case .unusable(let type):
            "a screen cannot be shown on a terminal of type '\(type.printable)'"
        }
    }
}
