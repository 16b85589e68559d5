/// What a person did at the terminal.
public enum Key: Hashable, Sendable {
    /// Text, one code point at a time: a mark comes after the character it belongs to.
    case text(Unicode.Scalar)
    /// A letter with Ctrl; Tab, Enter and Backspace have names of their own.
    case control(Unicode.Scalar)
    case enter
    case tab
    case backTab
    case escape
    case backspace
    case delete
    case up
    case down
    /// With Shift.
    case shiftUp
    case shiftDown
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case click(Point)
    case scrollUp
    case scrollDown
    /// Text that came from the clipboard and not from the keys, its lines ended by line feeds.
    case paste(String)

    /// The keys that type a text.
    public static func typing(_ text: String) -> [Key] {
        text.unicodeScalars.compactMap { KeyDecoder.key(character: $0.value) }
    }
}
