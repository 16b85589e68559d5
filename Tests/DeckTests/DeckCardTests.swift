import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdDeck

/// The sides of cards in files: HTML, images, sounds, clozes and empty fields.
@Suite struct DeckCardTests {
    private func front(_ html: String) throws -> String? {
        try deck("#html:true\n\"\(html.doubled)\"\tb").cards.first?.front
    }

    @Test(arguments: [
        ("<img src=\"a.jpg\">", "[a.jpg]"), ("<img alt=\"A cat\" src=\"a.jpg\">", "[A cat]"),
        ("<IMG SRC='my%20cat.jpg' ALT=''/>", "[my cat.jpg]"), ("<img src=a.jpg>", "[a.jpg]"),
        ("<img alt=\"a &quot;b&quot; > c\" src=x>", "[a \"b\" > c]"),
        ("<img src=\"https://x.org/a/b.png?w=1#c\">", "[b.png]"),
        ("<img src=\"data:image/png;base64,iVBORw0KGgo=\">", "[image]"), ("<img>", "[image]"),
        ("a <img data-src=\"x\" class=\"y\" src=\"/b.png\"/> c", "a [b.png] c"),
        ("<img src=\"a%.jpg\">", "[a%.jpg]"),
    ])
    func `An image is its text or its name`(html: String, text: String) throws {
        #expect(try front(html) == text)
    }

    @Test(arguments: [
        ("<ruby>三<rt>さん</rt></ruby>", "三(さん)"),
        (
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>",
            "漢(かん)字(じ)"
        ),
        ("<ruby>漢<rt>かん</ruby>x", "漢(かん)x"), ("<ruby>漢<rt>かん", "漢(かん)"),
        ("<ruby>漢<rt></rt></ruby>x", "漢x"), ("<RUBY>a<RT>b<rt>c</RUBY>", "a(b)(c)"),
    ])
    func `A reading above characters is in parentheses`(html: String, text: String) throws {
        #expect(try front(html) == text)
    }

    @Test func `A letter with more than thirty marks is a problem`() throws {
        func z(_ marks: Int) -> String { "z" + String(repeating: "\u{300}", count: marks) }
        let deck = try deck("\(z(30))\tb\n\(z(31))\tb\na\t\(z(31))\n")
        #expect(deck.cards.count == 1)
        #expect(deck.problems == ["lines 2 to 3 have more than 30 marks on one letter"])
    }

    @Test(arguments: ["&#27;[31m", "x&#8238;", "&#x7;x"])
    func `An entity for a control character is a problem in a file`(side: String) throws {
        for line in ["\(side)\tb", "a\t\(side)", "{{c1::\(side)}} b\t"] {
            let deck = try deck("#html:true\n\(line)\nc\td\n")
            #expect(deck.cards == [Card(front: "c", back: "d")])
            #expect(deck.problems == ["line 2 has an entity for a control character"])
        }
        #expect(try cards("#html:true\n&#150;&rlm;&#9;x\tb\n") == ["–\u{200F}\tx|b"])
    }

    @Test func `A side that is only an image or a sound is reported`() throws {
        let deck = try deck("#html:true\n<img src=a.png>\tb\nc\t[sound:c.mp3]\nd\td<img src=x>\n")
        #expect(
            deck.cards == [
                Card(front: "[a.png]", back: "b"), Card(front: "c", back: "[sound]"),
                Card(front: "d", back: "d[x]"),
            ])
        #expect(deck.notes == ["2 cards have only an image or a sound on a side"])
    }

    @Test func `A sound beside a text is left out`() throws {
        #expect(
            try cards("a[sound:a.mp3]\t[sound:b.mp3] b [sound:c.mp3]\n[sound:x\ty\n")
                == ["a|b", "[sound:x|y"])
        #expect(try cards("#html:true\n[sound:a.mp3]<br>a\tb\n") == ["a|b"])
        // The sound of a word, the word and its meaning.
        let deck = try deck("[sound:a.mp3]\tb\tc\n")
        #expect(deck.cards == [Card(front: "b", back: "c")])
        #expect(deck.notes == ["in 1 line a side was empty, and the next field was taken"])
    }

    @Test(arguments: [
        ("&eacute;&Eacute;&mdash;&Omega;&hellip;&euro;&rarr;&thetasym;", "éÉ—Ω…€→ϑ"),
        ("&amp;lt; &apos;&nbsp;&#39;&#x27;", "&lt; ' ''"), ("&#150;&#146;", "–’"),
        ("&unknown; &eacute &;", "&unknown; &eacute &;"),
    ])
    func `The entities of HTML 4 are decoded`(html: String, text: String) throws {
        #expect(try front(html) == text)
    }

    @Test(arguments: [
        ("<style>a > b { c: d }</style>x", "x"), ("x<STYLE type=\"a\">y</Style >z", "xz"),
        ("<script>if (a < b) { c() }</script>x", "x"), ("<style>x", "x"),
        ("<a title=\"a>b\">x</a>", "x"), ("<a title='a>\"b'>x</a>", "x"), ("<a title=\"b>x", "x"),
        ("<!-- a > b -->x", "x"), ("<!-- a >x", "x"), ("a < b", "a < b"),
        ("<p>it's</p>x", "it's\nx"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<h1>a</h1>b<blockquote>c</blockquote>d", "a\nb\nc\nd"), ("<pre>a</pre>b", "a\nb"),
    ])
    func `Tags and what is not shown are left out`(html: String, text: String) throws {
        #expect(try front(html) == text)
    }

    @Test func `An empty side takes the next field that is not empty, and this is said`() throws {
        let deck = try deck("a\t\tb\tc\n\td\te\nf\tg\t\nh\t \u{A0}\ti\n")
        #expect(deck.cards.map { "\($0.front)|\($0.back)" } == ["a|b", "d|e", "f|g", "h|i"])
        #expect(deck.problems == [])
        #expect(
            deck.notes == [
                "in 3 lines a side was empty, and the next field was taken",
                "the front is column 1, the back is column 2; left out: 3, 4; --columns "
                    + "front=1,back=3 takes others",
            ])
        #expect(try cards("#html:true\na\t<br>&nbsp;<div></div>\tb\n") == ["a|b"])
        #expect(try cards("#guid column:1\n#tags column:4\ng\ta\t\tt\tb\n") == ["a|b"])
    }

    @Test func `Without another field, an empty side makes the line bad`() throws {
        let deck = try deck("#tags column:3\n#html:true\na\tb\nc\t\tt\n\td\t\ne\t<br>\tt\n")
        #expect(deck.cards == [Card(front: "a", back: "b")])
        #expect(deck.problems == ["lines 4 to 6 have an empty side"])
        #expect(try cards("a\tb\n\t\t\n \t\n\u{FEFF}\n") == ["a|b"])
    }

    @Test func `A file that only looks like HTML is taken as it is, and this is said`() throws {
        let text = "a<br>b\tc\n<img src=\"x\">\ty\nvector<int>\ta & b\n"
        let plain = try deck(text)
        #expect(plain.cards[0] == Card(front: "a<br>b", back: "c"))
        #expect(
            plain.notes == ["tags in 2 lines are taken as they are; --html reads them as HTML"])
        #expect(try deck("#html:false\n" + text).notes == [])
        #expect(
            try cards("a<br>b\tc\n<img src=\"x\">d\ty\n", readsHTML: true) == ["a\nb|c", "[x]d|y"])
    }

    // MARK: Clozes

    @Test(arguments: [
        ("{{c1::Paris}} is big", ["[…] is big|Paris is big"]),
        (
            "{{c1::Paris::city}} is {{c2::big::}}",
            ["[city] is big|Paris is big", "Paris is […]|Paris is big"]
        ),
        ("{{c1::a}} {{c2::b}} {{c1::c::d}}", ["[…] b [d]|a b c", "a […] c|a b c"]),
        ("{{c2::a {{c1::b}} c}} d", ["a […] c d|a b c d", "[…] d|a b c d"]),
        ("{{c1::a {{c1::b}} c}}", ["[…]|a b c"]),
        ("{{c1::a{{c2::b::h}}c::g}}x", ["[g]x|abcx", "a[h]cx|abcx"]),
        ("{{c12::a}} {{c3::b}}", ["a […]|a b", "[…] b|a b"]),
        ("{{c1,2::a}} {{c2::b}}", ["[…] b|a b", "[…] […]|a b"]),
        ("{{c1::a}} {{c2::b", ["[…] {{c2::b|a {{c2::b"]),
        ("}} {{c1::a}} }}", ["}} […] }}|}} a }}"]),
        ("{{c1::std::vector}}", ["[vector]|std"]), ("{{c1::水::火}}", ["[火]|水"]),
    ])
    func `A cloze is a card for each of its numbers`(text: String, expected: [String]) throws {
        #expect(try cards("\(text)\textra\n") == expected.map { $0 + "\nextra" })
        #expect(try cards("#tags column:3\n\(text)\t\ttag\n") == expected)
        #expect(try cards("\(text)\n", .tab) == expected)
        #expect(try deck("\(text)\t\n").notes == [])
        #expect(try cards("\(text)\n\(text)\n") == expected + expected)
    }

    @Test func `A cloze in HTML is found, and may have tags`() throws {
        #expect(
            try cards("#html:true\nIn <b>{{c1::a<br>b}}</b>&nbsp;{{c2::<img src=\"c.png\">}}\t\n")
                == ["In […] [c.png]|In a\nb [c.png]", "In a\nb […]|In a\nb [c.png]"])
        #expect(try cards("title\t{{c1::a}} b\n") == ["[…] b|a b"])
    }

    @Test(arguments: [
        "{{c::a}}", "{{cx::a}}", "{{c1:a}}", "{{c-1::a}}", "{{c1::a", "{{a::b}}", "}}",
    ])
    func `What only resembles a cloze is a text`(text: String) throws {
        #expect(try cards("\(text)\tb\n") == ["\(text)|b"])
    }

    @Test func `A cloze that has no text or too many numbers is bad`() throws {
        let many = (1...501).map { "{{c\($0)::a}}" }.joined()
        let deck = try deck("{{c1::image-occlusion:rect:left=.1}}\t<img>\n\(many)\tb\na\tb\n")
        #expect(deck.cards == [Card(front: "a", back: "b")])
        #expect(
            deck.problems == [
                "line 1 hides parts of an image, which cannot be shown",
                "line 2 has more than 500 clozes",
            ])
    }

    // MARK: Limits

    @Test func `Cards that a book has no room for are counted, and not kept`() throws {
        let clozes = (1...200).map { "{{c\($0)::\(String(repeating: "a", count: 100))}}" }.joined()
        let deep = try deck(String(repeating: clozes + "\t\n", count: 60))
        #expect(deep.count == 12_000)
        #expect(deep.cards.count < 100)
        #expect(deep.size > Books.mostBytesOfBook)
        let long = try deck(String(repeating: "a\tb\n", count: 11_000))
        #expect(long.count == 11_000)
        #expect(long.cards.count == Books.mostCards)
    }

    /// The worst cases for readers that look ahead.
    @Test(arguments: [
        "\"", "\"\"", "\"\r", "\"a\n", "<", "<a", "<a \"x>y\" ", "<a x=\"x>y\" ", "<style>", "<!--",
        "<img src=", "<img alt='", "&", "&#", "{{c1::", "}}", "{{c1::a}}", "{{c1::a::", "[sound:",
        "#", "#html:", "sep=", "\"#", "\r", ",", "|", "\t",
    ])
    func `A text of repeated delimiters is read to its end`(unit: String) throws {
        let long = String(repeating: unit, count: 8_192 / unit.utf8.count)
        for rest in [long, "\(long)>\tb", "a\t\(long)\n", "\"\(long)\"\tb"] {
            let deck = try deck("#html:true\nx\ty\n\(rest)", .tab)
            #expect(deck.cards[0] == Card(front: "x", back: "y"))
            // At the beginning, a header may be refused.
            _ = try? Deck(Array(rest.utf8), path: "deck.txt")
        }
    }
}

extension String {
    /// With each quote doubled, as in a field in quotes.
    fileprivate var doubled: String {
        split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    }
}
