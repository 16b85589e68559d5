import BusdBooksEvents
import BusdDeck
import BusdProtocol
import TestSupport
import Testing

@Suite struct CardTextTests {
    @Test func `Each line is one card, its front and back separated by a tab`() {
        let text = CardText("水\twater\n火\tfire\n")
        #expect(
            text.cards == [Card(front: "水", back: "water"), Card(front: "火", back: "fire")])
        #expect(text.problems == [])
    }

    @Test func `The last line may lack its line end`() {
        #expect(typedCards("a\tb\nc\td") == ["a|b", "c|d"])
        #expect(typedCards("a\tb\r\nc\td\r") == ["a|b", "c|d"])
    }

    @Test func `Lines may end with CR and LF`() {
        #expect(typedCards("a\tb\r\nc\td\r\n") == ["a|b", "c|d"])
    }

    @Test func `A CR that does not end a line is kept`() {
        #expect(typedCards("a\rA\tb\r\r\nc\td") == ["a\rA|b\r", "c|d"])
    }

    @Test(arguments: ["", "\n", "\r\n", "\n\n\r\n\n", "\r", "\u{FEFF}", "\u{FEFF}\n"])
    func `Empty lines are not cards`(text: String) {
        #expect(CardText(text) == CardText())
        #expect(CardText(text).cards == [])
        #expect(CardText(text).problems == [])
    }

    @Test func `The number of a line counts empty lines`() {
        let text = CardText("\na\tb\n\r\n\nno\nc\td\nno\n")
        #expect(text.cards.count == 2)
        #expect(text.problems == ["lines 5 and 7 have no tab"])
        #expect(text.lines == [2, 6])
        #expect(CardText("\"a\nb\"\tc\nd\te\n").lines == [1, 3])
    }

    @Test func `A line without a tab is reported with its number`() {
        #expect(CardText("a\tb\nc\td\ne f\n").problems == ["line 3 has no tab"])
        #expect(CardText("  ").problems == ["line 1 has no tab"])
    }

    @Test func `A card may be empty on either side, or on both`() {
        #expect(typedCards("\tb\na\t\n\t\n") == ["|b", "a|", "|"])
    }

    @Test func `Two tabs in a line are a problem, unless Anki has written the line`() {
        let text = CardText("a\tb\nc\t\td\ne\tf\tg\th\n\"i\tj\"\tk\nl\tm\t\n")
        #expect(text.cards == [Card(front: "a", back: "b"), Card(front: "i\tj", back: "k")])
        #expect(text.problems == ["lines 2 to 3 and 5 have more than one tab"])
        #expect(CardText("a\tb\tc").problems == ["line 1 has more than one tab"])
        #expect(typedCards("#html:false\na\tb\tc\td\te\n") == ["a|b"])
    }

    @Test func `Spaces and all characters of Unicode are kept`() {
        #expect(typedCards(" a \t b ") == [" a | b "])
        #expect(typedCards("👩‍👩‍👧\te\u{301}\u{2028}\n") == ["👩‍👩‍👧|e\u{301}\u{2028}"])
    }

    @Test func `A byte-order mark at the beginning is left out`() {
        #expect(typedCards("\u{FEFF}a\tb\n") == ["a|b"])
        #expect(typedCards("a\tb\n\u{FEFF}c\td\n") == ["a|b", "\u{FEFF}c|d"])
    }

    // MARK: Quotes

    @Test func `A field in quotes may have quotes, tabs and line ends`() {
        #expect(typedCards(#""a"\#t"b""#) == ["a|b"])
        #expect(typedCards(#""say ""hi""!"\#tb"#) == [#"say "hi"!|b"#])
        #expect(typedCards("\"a\tA\"\t\"b\nB\"\nc\td") == ["a\tA|b\nB", "c|d"])
        #expect(typedCards("\"a\r\nA\"\t\"b\"\r\nc\td") == ["a\nA|b", "c|d"])
        #expect(typedCards("\"\"\t\"\"\"\"") == ["|\""])
    }

    @Test func `The number of a line counts the lines inside quotes`() {
        let text = CardText("\"a\n\nA\"\tb\nno\n\"x\ny\"\n")
        #expect(text.cards.count == 1)
        #expect(text.problems == ["lines 4 to 5 have no tab"])
    }

    @Test(arguments: [
        "\"a", "\"a\" b", "\"a\"\" b", "a \"b\" c", "\"\"a", "\"\"a\"\"b", " \"a\"", "5\" disk",
        "\"a\" ", "\"a\"\r", "\"\"\"",
    ])
    func `A field with misplaced quotes is taken as it is`(field: String) {
        #expect(typedCards("\(field)\tb\n") == ["\(field)|b"])
        #expect(typedCards("#html:false\na\t\(field)\tc\n") == ["a|\(field)"])
    }

    @Test func `A quote without an end does not swallow cards`() {
        #expect(typedCards("\"a\tb\nc\td\n\"e\tf\n") == ["\"a|b", "c|d", "\"e|f"])
        #expect(typedCards("a\t\"b\nc\td") == ["a|\"b", "c|d"])
    }

    // MARK: Problems

    @Test func `All lines with one problem are one text`() {
        func problems(_ lines: String...) -> [String] {
            CardText(lines.map { $0 + "\n" }.joined()).problems
        }
        #expect(problems("no", "no", "no", "a\tb") == ["lines 1 to 3 have no tab"])
        #expect(problems("no", "a\tb", "no", "") == ["lines 1 and 3 have no tab"])
        #expect(
            problems("no", "a\tb", "no", "no", "a\tb", "no")
                == ["lines 1, 3 to 4 and 6 have no tab"])
    }

    @Test func `All valid cards are read, however many lines have problems`() {
        let text = CardText(String(repeating: "a\tb\nno\n", count: 1000))
        #expect(text.cards.count == 1000)
        #expect(text.problems == ["lines 2, 4, 6, 8, 10 and 995 more have no tab"])
    }

    /// A draft is stored as its text, and read again at a start.
    @Test(arguments: [
        ("#html:true\n<img src=\"a.jpg\">\t&eacute;&#233;", ["|&eacute;é"]),
        ("#html:true\n<a title=\"a>b\">c\t<style>x</style>y", ["b\">c|xy"]),
        ("#html:true\n<td>a</td><td>b</td>\t<h1>c</h1>d", ["ab|cd"]),
        ("{{c1::a}}\t[sound:a.mp3]", ["{{c1::a}}|[sound:a.mp3]"]),
        ("#html:false\n\ta\tb\n \"c\"\td\te", ["|a", " \"c\"|d"]), ("a\rb\tc", ["a\rb|c"]),
        ("#html:maybe\n#guid column:x\na\tb", ["a|b"]),
    ])
    func `A draft means the same in each version`(text: String, expected: [String]) {
        #expect(typedCards(text) == expected)
    }

    @Test(arguments: [
        ("a,b\nc,d", ["lines 1 to 2 have no tab"]),
        ("# a\n#if matches:x", ["lines 1 to 2 have no tab"]),
        ("#separator:comma\na,b", ["line 1 names a separator that is not a tab"]),
    ])
    func `What is no card in a draft is none in each version`(text: String, problems: [String]) {
        #expect(CardText(text).cards == [])
        #expect(CardText(text).problems == problems)
    }

    // MARK: Texts that are changed

    /// A request that names such a card is refused, so the card could not be removed.
    @Test(arguments: [
        "a" + String(repeating: "&#769;", count: 31),
        "a" + String(repeating: "\u{301}", count: 20) + "<b></b>"
            + String(repeating: "&#x301;", count: 20),
        "a" + String(repeating: "\u{301}", count: 30) + "<!-- -->&#769;",
    ])
    func `Marks on one letter are counted behind entities and without tags`(side: String) {
        for line in ["\(side)\tb", "b\t\(side)"] {
            let text = CardText("#html:true\n\(line)\nc\td\n")
            #expect(text.problems == ["line 2 has more than 30 marks on one letter"])
            #expect(text.cards == [Card(front: "c", back: "d")])
        }
        #expect(typedCards("#html:true\na\u{301}<b>\u{301}</b>\tb") == ["a\u{301}\u{301}|b"])
    }

    @Test(arguments: [
        "&#27;[31m", "&#x1b;", "&#7;", "&#127;", "&#155;", "&#8238;", "&#x202A;", "&#8294;",
        "<b>&#8297;</b>",
    ])
    func `An entity for a control character is a problem`(side: String) {
        let text = CardText("#html:true\na\t\(side)b\n")
        #expect(text.problems == ["line 2 has an entity for a control character"])
        #expect(typedCards("#html:false\na\t\(side)\n") == ["a|\(side)"])
    }

    @Test func `Entities for spaces, line ends and marks of direction stay`() {
        #expect(typedCards("#html:true\na&#9;&#10;&#13;b\t&#8207;c") == ["a\t\n\rb|\u{200F}c"])
    }

    @Test func `A card that no request could name is a problem`() {
        let long = String(repeating: "\\", count: 32_000)
        #expect(CardText("a\t\(long)").cards.count == 1)
        let text = CardText("a\t\(long)\nb\t\(long)\(long)")
        #expect(text.problems == ["line 2 has a card that is too long"])
    }

    // MARK: Any text

    /// The worst cases for a reader that looks ahead.
    @Test(arguments: [
        "\"", "\"\"", "\"\n", "\"a\n", "\"\"\"\n", "\"\"x\t", "\"x\t", "\"a\"b\t\"", "\t", "\n",
        "\r",
        "#", "#deck:\n", "<", "<a", "&", "&#", "<!--", "&&&&&&&&;",
    ])
    func `A text of repeated delimiters is read to its end`(unit: String) {
        let long = String(repeating: unit, count: 8192 / unit.utf8.count)
        for text in [long, "#html:true\n\(long)", "\"x\n\(long)", long + ">\t\"", "\"\(long)\"\tb"]
        {
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            let read = CardText(text)
            #expect(read.problems.count <= 3)
            #expect(read.cards.count <= lines)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `Cards that are written in quotes are read back`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "\"", "\t", "\n", "水", "\r", " ", "<b>", "&amp;", "#", ""]
        func field() -> String {
            (0..<Int.random(in: 0...6, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let cards = (0..<5).map { _ in Card(front: field(), back: field()) }
        let text = cards.map { "\(quoted($0.front))\t\(quoted($0.back))\n" }.joined()
        #expect(CardText(text).problems == [])
        #expect(CardText(text).cards == cards.map(\.withoutCRLF))
    }

    private func quoted(_ text: String) -> String {
        let doubled = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return "\"\(doubled)\""
    }
}

/// `front|back` of each card. A problem in the text fails the test.
func typedCards(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    let read = CardText(text)
    #expect(read.problems == [], sourceLocation: sourceLocation)
    return read.cards.map { "\($0.front)|\($0.back)" }
}

extension Card {
    fileprivate var withoutCRLF: Card {
        func plain(_ text: String) -> String {
            var scalars = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
                scalars.append(scalar)
            }
            return String(scalars)
        }
        return Card(front: plain(front), back: plain(back))
    }
}
