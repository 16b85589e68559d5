import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import BusdScreens

@Suite struct WrappedTextTests {
    @Test(arguments: [
        ("one two three", 8, ["one two", "three"]), ("one two", 7, ["one two"]),
        ("unbreakable", 5, ["unbre", "akabl", "e"]), ("a  b", 3, ["a", "b"]),
        ("a\nb\r\nc\n", 9, ["a", "b", "c", ""]), ("", 9, [""]), ("a\tb", 9, ["a b"]),
        ("水火木金土", 4, ["水火", "木金", "土"]), ("水火木", 5, ["水火", "木"]),
        ("ab水火", 5, ["ab水", "火"]), ("x yz", 2, ["x", "yz"]),
    ])
    func `Lines are broken where a reader would break them`(
        text: String, columns: Int, lines: [String]
    ) {
        #expect(WrappedText(text, columns: columns).lines == lines)
    }

    @Test func `No line is wider than its area, and no word is lost`() {
        let words = "The quick 茶色い狐 jumps over the レイジー dog e\u{301}t cetera ÄÖÜ"
        for columns in 2...40 {
            let lines = WrappedText(words, columns: columns).lines
            #expect(lines.allSatisfy { $0.columns <= columns })
            let kept = lines.joined().filter { $0 != " " }
            #expect(kept == words.filter { $0 != " " }, "\(columns)")
        }
        #expect(WrappedText("a", columns: 1).lines == [])
    }

    @Test func `Balancing makes lines about equally long, and adds no line`() {
        func balanced(_ text: String, _ columns: Int) -> [String] {
            WrappedText.balanced(text, columns: columns).lines
        }
        #expect(balanced("one two three four", 14) == ["one two", "three four"])
        #expect(balanced("one two three four", 40) == ["one two three four"])
        #expect(balanced("unbreakable", 10) == ["unbrea", "kable"])
        #expect(balanced("a\nb", 10) == ["a", "b"])
        #expect(balanced("", 10) == [""])
        #expect(balanced("a", 0) == [])
        let words = "The quick 茶色い狐 jumps over the レイジー dog"
        for columns in 2...40 {
            let full = WrappedText(words, columns: columns).lines
            let lines = balanced(words, columns)
            #expect(lines.count == full.count || full.count > 20)
            #expect(lines.allSatisfy { $0.columns <= columns })
        }
    }

    @Test func `A text that is cut ends with dots`() {
        let text = WrappedText("one two three four", columns: 5)
        #expect(text.cut(to: 9, columns: 5) == ["one", "two", "three", "four"])
        #expect(text.cut(to: 3, columns: 5) == ["one", "two", "thre…"])
        #expect(text.cut(to: 1, columns: 5) == ["one …"])
        #expect(text.cut(to: 0, columns: 5) == [])
    }
}

@Suite(.showsScreens) struct FormTests {
    @Test func `A field has its label, and a click on it is a touch`() {
        let picture = picture(20, 1) { picture, area in
            FormField(number: 3, label: "Name", field: TextField("Ann"), isFocused: true)
                .draw(on: &picture, in: area, labelColumns: 8)
        }
        #expect(picture.frame.text == "   Name Ann\n")
        #expect(picture.frame.cursor == Point(column: 11, row: 0))
        #expect(picture.frame.style(at: Point(column: 15, row: 0))?.isUnderlined == true)
        #expect(picture.touch(at: Point(column: 1, row: 0)) == .field(3))
    }

    @Test(arguments: [true, false])
    func `A button can be clicked only if it is enabled`(isEnabled: Bool) {
        let picture = picture(20, 1) { picture, area in
            Button("Add", .enter).draw(isEnabled: isEnabled, on: &picture, in: area)
        }
        #expect(picture.frame.text == " Add\n")
        #expect(picture.touch(at: Point(column: 2, row: 0)) == (isEnabled ? .key(.enter) : nil))
    }
}
