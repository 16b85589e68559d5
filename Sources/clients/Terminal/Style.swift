/// How a cell looks.
public struct Style: Hashable, Sendable {
    /// The meaning of a colour; `Palette` chooses the colour. A picture must also be clear without
    /// colours.
    public enum Color: Int, Hashable, Sendable, CaseIterable {
        /// The terminal's default colour.
        case plain
        /// The first of two sides, such as the home team; `secondary` is the other side.
        case primary
        case secondary
        case good
        case notice
        case bad
    }

    public var color: Color
    public var isBold: Bool
    public var isDim: Bool
    public var isReverse: Bool
    public var isUnderlined: Bool

    public init(
        _ color: Color = .plain, bold: Bool = false, dim: Bool = false, reverse: Bool = false,
        underlined: Bool = false
    ) {
        self.color = color
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
