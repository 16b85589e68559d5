import CBusdNcurses
import Glibc

/// The colours on this terminal.
struct Palette {
    private var isColored = false

    /// Calm shades that are readable on black and on white; on a terminal with fewer than 256
    /// colours, one of the basic eight.
    private static func number(of color: Style.Color, among colors: Int32) -> Int16 {
        let isRich = colors >= 256
        return switch color {
        case .plain: -1
        case .primary: isRich ? 38 : 6
        case .secondary: isRich ? 208 : 3
        case .good: isRich ? 71 : 2
        case .notice: isRich ? 172 : 3
        case .bad: isRich ? 167 : 1
        }
    }

    /// Sets up the colours of ncurses, if the terminal has colours and the user wants them.
    mutating func start() {
        guard ColorChoice.isWanted, has_colors(), start_color() == OK else { return }
        let hasDefault = use_default_colors() == OK
        for color in Style.Color.allCases where color != .plain {
            let number = Self.number(of: color, among: busd_colors())
            init_pair(Int16(color.rawValue), number, hasDefault ? -1 : 0)
        }
        isColored = true
    }

    func pair(of style: Style) -> Int16 { isColored ? Int16(style.color.rawValue) : 0 }

    func attributes(of style: Style) -> attr_t {
        var attributes = busd_A_NORMAL
        if style.isBold { attributes |= busd_A_BOLD }
        if style.isDim { attributes |= busd_A_DIM }
        if style.isReverse { attributes |= busd_A_REVERSE }
        if style.isUnderlined { attributes |= busd_A_UNDERLINE }
        return attributes
    }
}

/// `NO_COLOR`: any value but an empty one turns colours off.
public enum ColorChoice {
    public static var isWanted: Bool {
        guard let value = getenv("NO_COLOR") else { return true }
        return value[0] == 0
    }
}
