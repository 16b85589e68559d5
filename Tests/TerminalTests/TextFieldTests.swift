import Testing

@testable import BusdTerminal

@Suite struct TextFieldTests {
    private func field(_ text: String = "", _ keys: Key...) -> TextField {
        var field = TextField(text)
        for key in keys {
            let isTaken = field.edit(key)
            #expect(isTaken)
        }
        return field
    }

    @Test func `Text is inserted at the cursor`() {
        let field = field("Hwks", .left, .left, .left, .text("a"))
        #expect(field.before == "Ha")
        #expect(field.after == "wks")
        #expect(field.text == "Hawks")
    }

    @Test func `A paste becomes a part of the line`() {
        #expect(field("ab", .left, .paste("\nx\ty\nz\n\n")).text == "ax y zb")
        #expect(field("", .paste("\r\n")).text == "")
    }

    @Test func `Replaced characters leave the cursor in its place`() {
        let shown = field("a\tb\tc", .left, .left).showing { $0.replacing("\t", with: "->") }
        #expect(shown.before == "a->b")
        #expect(shown.after == "->c")
    }

    @Test func `A mark joins the character before the cursor`() {
        let field = field("", .text("e"), .text("\u{301}"))
        #expect(field.text.count == 1)
        #expect(self.field("e\u{301}x", .left, .backspace).text == "x")
    }

    @Test func `Characters are deleted on both sides`() {
        #expect(field("abc", .left, .backspace).text == "ac")
        #expect(field("abc", .left, .delete).text == "ab")
        #expect(field("", .backspace, .delete).text == "")
        #expect(field("👨‍👩‍👧", .backspace).text == "")
    }

    @Test func `The cursor goes to the ends and not beyond`() {
        #expect(field("abc", .home, .left, .text("x")).text == "xabc")
        #expect(field("abc", .home, .end, .right, .text("x")).text == "abcx")
        #expect(field("abc", .control("a"), .right, .text("x")).text == "axbc")
    }

    @Test func `A word, or the text before or after the cursor, is deleted at once`() {
        #expect(field("big blue  ", .control("w")).text == "big ")
        #expect(field("big blue", .left, .control("u")).text == "e")
        #expect(field("big blue", .home, .right, .control("k")).text == "b")
    }

    @Test func `A field does not take other keys`() {
        var field = TextField("a")
        for key in [Key.enter, .tab, .escape, .up, .control("l")] {
            let isTaken = field.edit(key)
            #expect(!isTaken)
        }
        #expect(field == TextField("a"))
    }

    @Test func `A long text is scrolled so that the cursor is visible`() {
        var frame = Frame(Size(columns: 8, rows: 1))
        let area = Area(column: 1, row: 0, columns: 6, rows: 1)
        TextField("abcdefgh").draw(in: &frame, area, isFocused: true)
        #expect(frame.lines == [" defgh"])
        #expect(frame.cursor == Point(column: 6, row: 0))
    }

    @Test func `Without the focus a long text is cut at its end`() {
        var frame = Frame(Size(columns: 8, rows: 1))
        let area = Area(column: 1, row: 0, columns: 6, rows: 1)
        TextField("abcdefgh").draw(in: &frame, area, isFocused: false)
        #expect(frame.lines == [" abcde…"])
        #expect(frame.cursor == nil)
    }

    @Test func `The cursor stands between wide characters`() {
        var frame = Frame(Size(columns: 9, rows: 1))
        field("日本語", .left).draw(in: &frame, frame.area, isFocused: true)
        #expect(frame.lines == ["日本語"])
        #expect(frame.cursor == Point(column: 4, row: 0))
    }
}
