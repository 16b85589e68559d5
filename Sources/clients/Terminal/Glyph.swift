import BusdProtocol
import CBusdSystem
import Glibc

// Terminals agree on little beyond wcwidth(3): a character takes one column or two, and marks that
// take none go on top of the character before. Some terminals obey joiners and variation selectors
// (families, flags, skin tones), others do not, and then everything to the right is in the wrong
// column. So joiners and variation selectors are left out, and the joined characters stand side by
// side. A character that a terminal would obey or hide becomes U+FFFD; see Printable.swift.

/// What goes into one place of the screen: a character of one column or two, with its marks.
public struct Glyph: Hashable, Sendable {
    public private(set) var text: String
    /// 1 or 2.
    public let columns: Int
    private var marks = 0

    /// ncurses keeps a character and four marks.
    private static let mostMarks = 4
    /// Code points of a text that are looked at: more than a field, a list or a card can show. So a
    /// long text costs a picture no more time or memory than a short one.
    package static let mostScalars = 65_536
    static let blank = Glyph(" ", columns: 1)
    static let unknown = Glyph("\u{FFFD}", columns: 1)

    private init(_ text: String, columns: Int) {
        self.text = text
        self.columns = columns
    }

    /// The text as a terminal shows it: of a very long one the beginning.
    public static func glyphs(of text: String) -> [Glyph] {
        var glyphs: [Glyph] = []
        for scalar in text.unicodeScalars.prefix(mostScalars) {
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
        if scalar.isUnprintable { return .unknown }
        switch scalar.properties.generalCategory {
        // Joiners, and signs whose width terminals do not agree on.
        case .format: return .dropped
        case .privateUse, .unassigned: return .unknown
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
