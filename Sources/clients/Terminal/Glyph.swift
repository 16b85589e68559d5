import CSystem
import Glibc

// Terminals agree on very little beyond wcwidth(3): a character takes one column or two, and marks
// that take none go on top of the one before. What joins several characters into one picture
// (families, flags of skin, the emoji form of a heart) some obey and others don't, and then
// everything to the right of it stands in the wrong column. So text is brought into a form that all
// show alike: joiners and their kin are left out, and what they had joined stands side by side. The
// same goes for marks that turn the direction of writing; and control characters never get through.

/// What goes into one place of the screen: a character of one column or two, with its marks.
public struct Glyph: Hashable, Sendable {
    public private(set) var text: String
    /// 1 or 2.
    public let columns: Int
    private var marks = 0

    /// ncurses keeps a character and four marks.
    private static let mostMarks = 4
    static let blank = Glyph(" ", columns: 1)
    static let unknown = Glyph("\u{FFFD}", columns: 1)

    private init(_ text: String, columns: Int) {
        self.text = text
        self.columns = columns
    }

    /// The text as a terminal shows it.
    public static func glyphs(of text: String) -> [Glyph] {
        var glyphs: [Glyph] = []
        for scalar in text.unicodeScalars {
            switch Self.kind(of: scalar) {
            case .base(let columns):
                if scalar.isSkinTone, glyphs.last?.columns == 2 { continue }
                glyphs.append(Glyph(String(scalar), columns: columns))
            case .mark:
                if glyphs.isEmpty { glyphs.append(.blank) }
                glyphs[glyphs.count - 1].add(scalar)
            case .unknown: glyphs.append(.unknown)
            case .dropped: break
            }
        }
        return glyphs
    }

    private mutating func add(_ mark: Unicode.Scalar) {
        guard marks < Self.mostMarks else { return }
        text.unicodeScalars.append(mark)
        marks += 1
    }

    private enum Kind {
        case base(columns: Int)
        case mark
        case unknown
        case dropped
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value ? .base(columns: 1) : .unknown }
        switch scalar.properties.generalCategory {
        case .format: return .dropped
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            return .unknown
        default: break
        }
        if scalar.properties.isVariationSelector { return .dropped }
        guard Locale.isUTF8 else { return .unknown }
        switch wcwidth(wchar_t(scalar.value)) {
        case 0: return .mark
        case 1: return .base(columns: 1)
        case 2: return .base(columns: 2)
        default: return .unknown
        }
    }
}

extension Unicode.Scalar {
    /// On an emoji before it, it would change its colour.
    fileprivate var isSkinTone: Bool { properties.isEmojiModifier }
}
