import CBusdNcurses
import Glibc

// A terminal with bracketed paste sends a mark before and after pasted text, so that a tab or a
// line end in it is not taken for a key. ncurses gets the marks defined as keys of their own. Other
// terminals send a paste as if it were typed.

/// A paste while it arrives.
struct BracketedPaste {
    private static let beginning: Int32 = 0o3000
    private static let ending: Int32 = 0o3001
    static let off = Array("\u{1B}[?2004l".utf8)
    private static let on = Array("\u{1B}[?2004h".utf8)
    /// Bytes beyond this are dropped. No field takes so many.
    private static let mostBytes = 1 << 20

    private var scalars = String.UnicodeScalarView()
    private var bytes = 0
    private var isAfterReturn = false

    /// Defines the marks as keys of ncurses.
    static func define() {
        define_key("\u{1B}[200~", beginning)
        define_key("\u{1B}[201~", ending)
    }

    static func turn(on isOn: Bool) {
        // A terminal without ECMA-48 sequences would show this one as text.
        guard Capability("cup").bytes.starts(with: "\u{1B}[".utf8) else { return }
        let bytes = isOn ? on : off
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    static func isBeginning(code: UInt32) -> Bool { code == beginning }

    static func isEnding(code: UInt32) -> Bool { code == ending }

    /// Adds a character of the paste. A return, a line feed, or both end a line, because terminals
    /// and clipboards differ. Other controls but tabs are dropped.
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
