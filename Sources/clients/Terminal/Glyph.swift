import BusdProtocol
import CBusdSystem
import Glibc

// Terminals agree on little more than wcwidth(3): a character takes one or two columns, and a mark
// takes none and goes on top of the character before it. Some terminals obey joiners and variation
// selectors (families, flags, skin tones). With others, everything to the right would be in the
// wrong column. So joiners and variation selectors are left out, and the joined characters are side
// by side. A character that a terminal would obey or hide becomes U+FFFD; see Printable.swift.

/// A character of one or two columns, with its marks.
public struct Glyph: Hashable, Sendable {
    public private(set) var text: String
    /// 1 or 2.
    public let columns: Int
    private var marks = 0

    /// ncurses keeps four marks per character.
    private static let mostMarks = 4
    /// Code points of a text that are examined: more than a field, a list or a card can show. So
    /// even a very long text takes limited time and memory.
    package static let mostScalars = 65_536
    static let blank = Glyph(" ", columns: 1)
    static let unknown = Glyph("\u{FFFD}", columns: 1)

    private init(_ text: String, columns: Int) {
        self.text = text
        self.columns = columns
    }

    /// The text as a terminal shows it; for a very long text, its beginning.
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
        // Joiners, and characters with different widths on different terminals.
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
    /// True if it would change the colour of the emoji before it.
    fileprivate var isSkinTone: Bool { properties.isEmojiModifier }
}
