import BusdTerminal

/// A text in lines of limited width. Lines are broken at spaces, and next to wide characters, whose
/// scripts have no spaces. A word that is longer than a line is broken at the end of the line.
package struct WrappedText {
    package private(set) var lines: [String] = []

    package init(_ text: String, columns: Int) {
        guard columns > 1 else { return }
        for paragraph in Self.paragraphs(of: text) {
            var rest = Glyph.glyphs(of: paragraph)[...]
            repeat { lines.append(Self.line(from: &rest, columns)) } while !rest.isEmpty
        }
    }

    /// A line feed, a return, or both end a paragraph. Only the beginning of a very long text is
    /// used.
    private static func paragraphs(of text: String) -> [String] {
        var paragraphs: [String] = []
        var paragraph = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars.prefix(Glyph.mostScalars) {
            let isSecondOfTwo = isAfterReturn && scalar == "\n"
            isAfterReturn = scalar == "\r"
            switch scalar {
            case "\n" where isSecondOfTwo: break
            case "\n", "\r":
                paragraphs.append(String(paragraph))
                paragraph = String.UnicodeScalarView()
            default: paragraph.append(scalar == "\t" ? " " : scalar)
            }
        }
        return paragraphs + [String(paragraph)]
    }

    /// Wraps the text into the same number of lines, but makes the lines about equally long.
    package static func balanced(_ text: String, columns: Int) -> WrappedText {
        let full = WrappedText(text, columns: columns)
        guard 2...20 ~= full.lines.count else { return full }
        var (tooFew, enough) = (1, columns)
        while enough - tooFew > 1 {
            let middle = (tooFew + enough) / 2
            let isEnough = WrappedText(text, columns: middle).lines.count == full.lines.count
            if isEnough { enough = middle } else { tooFew = middle }
        }
        return WrappedText(text, columns: enough)
    }

    /// The first `rows` lines. If lines are left out, the last one ends with `…`.
    package func cut(to rows: Int, columns: Int) -> [String] {
        guard rows > 0, lines.count > rows else { return Array(lines.prefix(max(0, rows))) }
        let last = lines[rows - 1] + " …"
        return lines.prefix(rows - 1) + [last.fitted(to: columns)]
    }

    private static func line(from rest: inout ArraySlice<Glyph>, _ columns: Int) -> String {
        var room = columns
        let fitting = rest.prefix { glyph in
            room -= glyph.columns
            return room >= 0
        }
        let whole = fitting.endIndex == rest.endIndex
        let end = whole ? fitting.endIndex : lastBreak(in: rest, upTo: fitting.endIndex)
        let line = rest[..<end]
        rest = rest[end...].drop(while: \.isSpace)
        return line.map(\.text).joined().droppingLastSpaces
    }

    /// The last possible break at or before `end`; else `end`.
    private static func lastBreak(in glyphs: ArraySlice<Glyph>, upTo end: Int) -> Int {
        for place in stride(from: end, to: glyphs.startIndex, by: -1) {
            let (before, after) = (glyphs[place - 1], glyphs[place])
            if before.isSpace || after.isSpace || before.columns + after.columns > 2 {
                return place
            }
        }
        return end
    }
}

extension Glyph {
    fileprivate var isSpace: Bool { text == " " }
}

extension String {
    package var droppingLastSpaces: String {
        String(decoding: utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed(), as: UTF8.self)
    }
}
