import TestSupport
import Testing

@testable import BusdTerminal

@Suite struct TextAreaTests {
    private func area(_ text: String = "", _ keys: Key...) -> TextArea {
        var area = TextArea(text)
        for key in keys {
            let isTaken = area.edit(key)
            #expect(isTaken)
        }
        return area
    }

    @Test func `Enter and Tab are text, and a paste may have many lines`() {
        let area = area("ab", .left, .enter, .tab, .paste("x\n\ny"))
        #expect(area.lines == ["a", "\tx", "", "yb"])
        #expect(area.text == "a\n\tx\n\nyb")
        #expect(area.row == 3)
        #expect(area.current.before == "y")
    }

    @Test func `CR and LF together end a line, and an empty text is one line`() {
        #expect(TextArea("a\r\nb").lines.count == 2)
        #expect(TextArea("").lines == [""])
        #expect(TextArea("").isEmpty)
        #expect(!TextArea("\n").isEmpty)
    }

    @Test func `Deleting the end of a line joins two lines`() {
        #expect(area("ab\ncd", .home, .backspace).text == "abcd")
        #expect(area("ab\ncd", .home, .backspace).current.before == "ab")
        #expect(area("ab\ncd", .up, .delete).text == "abcd")
        #expect(area("ab", .home, .backspace, .end, .delete).text == "ab")
    }

    @Test func `The cursor goes from line to line, and keeps its column where it can`() {
        let up = area("abc\n\nxyz", .left, .up)
        #expect(up.row == 1)
        #expect(up.current.before == "")
        #expect(area("abc\nx", .up, .end, .down).current.before == "x")
        #expect(area("abc\nxyz", .left, .up).current.before == "ab")
        #expect(area("ab\ncd", .home, .left, .text("!")).text == "ab!\ncd")
        #expect(area("ab\ncd", .up, .end, .right, .text("!")).text == "ab\n!cd")
        #expect(area("a\nb", .pageUp, .pageUp, .up).row == 0)
        #expect(area("a\nb", .pageUp, .pageDown, .down).row == 1)
    }

    @Test func `The keys of a field edit the line with the cursor`() {
        #expect(area("ab\ncd", .control("u")).text == "ab\n")
        #expect(area("ab\ncd", .up, .home, .control("k")).text == "\ncd")
        var area = TextArea("a")
        let takes = [area.edit(.escape), area.edit(.control("d"))]
        #expect(takes == [false, false])
    }

    @Test func `Random keys have the same effect as on a plain text`() {
        for seed in 0..<200 { compare(seed: UInt64(seed)) }
    }

    /// Compares the area with a plain text and the place of its cursor.
    private func compare(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var area = TextArea()
        var (text, place) = ([Character](), 0)
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                _ = area.edit(.enter)
                text.insert("\n", at: place)
                place += 1
            case 1:
                _ = area.edit(.paste("a\nb\tc"))
                text.insert(contentsOf: "a\nb\tc", at: place)
                place += 5
            case 2:
                _ = area.edit(.backspace)
                if place > 0 { text.remove(at: place - 1) }
                place = max(0, place - 1)
            case 3:
                _ = area.edit(.delete)
                if place < text.count { text.remove(at: place) }
            case 4:
                _ = area.edit(.left)
                place = max(0, place - 1)
            default:
                _ = area.edit(.right)
                place = min(text.count, place + 1)
            }
            #expect(area.text == String(text), "seed \(seed)")
            let before = (area.lines.prefix(area.row) + [area.current.before]).joined(
                separator: "\n")
            #expect(before == String(text.prefix(place)), "seed \(seed)")
        }
    }
}

/// The picture of a text of several lines.
@Suite struct TextAreaPictureTests {
    private func drawn(_ area: TextArea, _ columns: Int, _ rows: Int) -> Frame {
        var frame = Frame(Size(columns: columns, rows: rows))
        area.draw(in: &frame, Area(frame.size), isFocused: true)
        return frame
    }

    @Test func `A long line takes as many rows as it needs`() {
        let frame = drawn(TextArea("abcdef\n水火木 x\n"), 5, 6)
        #expect(frame.text == "abcde\nf\n水火\n木 x\n")
        #expect(frame.cursor == Point(column: 0, row: 4))
    }

    @Test func `The cursor is behind the last letter, or at the start of the next row`() {
        #expect(drawn(TextArea("abcd"), 5, 2).cursor == Point(column: 4, row: 0))
        #expect(drawn(TextArea("abcde"), 5, 2).cursor == Point(column: 0, row: 1))
        var area = TextArea("abcdefg")
        for _ in 0..<3 { _ = area.edit(.left) }
        #expect(drawn(area, 5, 2).cursor == Point(column: 4, row: 0))
        #expect(drawn(area, 5, 2).text == "abcde\nfg\n")
    }

    @Test func `A text with more rows than its area shows those around the cursor`() {
        var area = TextArea((1...9).map { "line \($0)" }.joined(separator: "\n"))
        #expect(drawn(area, 10, 3).text == "line 7\nline 8\nline 9\n")
        #expect(drawn(area, 10, 3).cursor == Point(column: 6, row: 2))
        for _ in 0..<4 { _ = area.edit(.up) }
        #expect(drawn(area, 10, 3).text == "line 4\nline 5\nline 6\n")
        #expect(drawn(area, 10, 3).cursor == Point(column: 6, row: 1))
    }

    @Test func `Nothing is drawn without room`() {
        #expect(drawn(TextArea("水"), 1, 1).cursor == nil)
        #expect(drawn(TextArea("水"), 3, 0).cursor == nil)
    }
}

@Suite struct BracketedPasteTests {
    private func pasted(_ text: String) -> String {
        var paste = BracketedPaste()
        for scalar in text.unicodeScalars { paste.add(scalar.value) }
        return paste.text
    }

    @Test func `All line ends of a paste become line feeds`() {
        #expect(pasted("a\tb\rc\td\r") == "a\tb\nc\td\n")
        #expect(pasted("a\r\nb\nc\r\rd") == "a\nb\nc\n\nd")
        #expect(pasted("日本\u{301}") == "日本\u{301}")
    }

    @Test func `Control characters of a paste are left out`() {
        #expect(pasted("a\u{1B}[31m\u{0}b\u{9B}") == "a[31mb")
        var paste = BracketedPaste()
        paste.add(.max)
        paste.add(0xD800)
        #expect(paste.text == "")
    }
}
