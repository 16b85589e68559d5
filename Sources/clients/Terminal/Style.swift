/// How a cell looks.
public struct Style: Hashable, Sendable {
    /// What a colour is for. Which colour that is the terminal's palette decides, so that a picture
    /// says what it means; without colour nothing may be lost.
    public enum Ink: Int, Hashable, Sendable, CaseIterable {
        /// The terminal's own.
        case plain
        /// The two parties of whatever is shown.
        case primary
        case secondary
        case good
        case notice
        case bad
    }

    public var ink: Ink
    public var isBold: Bool
    public var isDim: Bool
    public var isReverse: Bool
    public var isUnderlined: Bool

    public init(
        _ ink: Ink = .plain, bold: Bool = false, dim: Bool = false, reverse: Bool = false,
        underlined: Bool = false
    ) {
        self.ink = ink
        isBold = bold
        isDim = dim
        isReverse = reverse
        isUnderlined = underlined
    }

    public static let plain = Style()
    public static let bold = Style(bold: true)
    public static let dim = Style(dim: true)
    public static let reverse = Style(reverse: true)
}
