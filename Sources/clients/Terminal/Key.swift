/// A key, a click or a paste.
public enum Key: Hashable, Sendable {
    /// Text, one code point at a time. A mark follows the character that it belongs to.
    case text(Unicode.Scalar)
    /// A letter with Ctrl. Tab, Enter and Backspace have cases of their own.
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
    /// Text from the clipboard. Its lines end with line feeds.
    case paste(String)

    /// The keys to type a text.
    public static func typing(_ text: String) -> [Key] {
        text.unicodeScalars.compactMap { KeyDecoder.key(character: $0.value) }
    }
}
