import CBusdNcurses
import Glibc

// A terminal that was asked to puts a mark before and after what is pasted, so that a tab or the
// end of a line in it is not taken for a key. ncurses is told of the marks as if they were keys of
// their own. A terminal that does not know of it sends the paste as if it were typed.

/// A paste while it comes.
struct BracketedPaste {
    private static let beginning: Int32 = 0o3000
    private static let ending: Int32 = 0o3001
    static let off = Array("\u{1B}[?2004l".utf8)
    private static let on = Array("\u{1B}[?2004h".utf8)
    /// What goes beyond is dropped: far more than any reader of it takes.
    private static let mostBytes = 1 << 20

    private var scalars = String.UnicodeScalarView()
    private var bytes = 0
    private var isAfterReturn = false

    /// Tells ncurses of the marks.
    static func define() {
        define_key("\u{1B}[200~", beginning)
        define_key("\u{1B}[201~", ending)
    }

    static func turn(on isOn: Bool) {
        // One that speaks another language would show it.
        guard Capability("cup").bytes.starts(with: "\u{1B}[".utf8) else { return }
        let bytes = isOn ? on : off
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    static func isBeginning(code: UInt32) -> Bool { code == beginning }

    static func isEnding(code: UInt32) -> Bool { code == ending }

    /// A character of the paste. Terminals send a return for the end of a line, and clipboards have
    /// all sorts. Other controls are no text.
    mutating func add(_ character: UInt32) {
        let isFeed = character == 10
        if isFeed, isAfterReturn {
            isAfterReturn = false
            return
        }
        isAfterReturn = character == 13
        guard let scalar = Unicode.Scalar(isAfterReturn ? 10 : character), bytes < Self.mostBytes,
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        else { return }
        bytes += Character(scalar).utf8.count
        scalars.append(scalar)
    }

    var text: String { String(scalars) }
}
