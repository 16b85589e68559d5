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
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case click(Point)
    case scrollUp
    case scrollDown
}
