import BusdBooksEvents
import BusdDeck
import BusdProtocol
import Testing

/// Headers and columns follow Anki's manual ("Importing text files", "File Headers").
@Suite struct AnkiTextTests {
    @Test func `An export may name the tab as its separator`() {
        #expect(typedCards("#separator:tab\n#html:false\na\tb\nc\td\n") == ["a|b", "c|d"])
        #expect(typedCards("#separator:Tab\r\n#html:false\r\na\tb\r\n") == ["a|b"])
        #expect(typedCards("#separator:\t\na\tb\n") == ["a|b"])
        #expect(typedCards("\u{FEFF}#separator:tab\na\tb\n") == ["a|b"])
    }

    @Test func `An export may name its deck`() {
        #expect(CardText("#separator:tab\n#deck: Langues::Été \na\tb\n").deck == "Langues::Été")
        #expect(CardText("a\tb\n#deck:x\ty\n").deck == nil)
    }

    @Test(arguments: ["Comma", "semicolon", "Pipe", "Colon", "Space", ",", ";", " ", "", "\t\t"])
    func `An export with another separator is reported, and not read`(separator: String) {
        let text = CardText("#html:false\n#separator:\(separator)\na,b\nc\td\n")
        #expect(text.cards == [])
        #expect(text.problems == ["line 2 names a separator that is not a tab"])
    }

    @Test func `The columns of Anki's own data are left out`() {
        let text = """
            #separator:tab
            #html:true
            #guid column:1
            #notetype column:2
            #deck column:3
            #tags column:6
            p]~w%<5#zA\tBasic\tJapanese::Kanji\t水\twater\tn5 noun
            Ab"c\tBasic\tJapanese::Kanji\t"say ""hi""!"\t"<b>greet</b>"\t
            """
        #expect(typedCards(text) == ["水|water", "say \"hi\"!|greet"])
    }

    @Test func `The columns of Anki's own data may have any position`() {
        #expect(typedCards("#tags column:2\na\ttag\tb\n") == ["a|b"])
        #expect(typedCards("#tags column:3\na\tb\ttag\textra\n") == ["a|b"])
        #expect(typedCards("#deck column: 1 \n#tags column:4\nd\ta\tb\tt\n") == ["a|b"])
        // The last header for a position counts. A value that is not a column number is ignored.
        #expect(typedCards("#deck column:1\n#deck column:2\na\td\tb\n") == ["a|b"])
        #expect(typedCards("#deck column:x\n#guid column:0\n#tags column:-1\na\tb\n") == ["a|b"])
    }

    @Test func `The columns of Anki's own data are left out also if they are in quotes`() {
        #expect(typedCards("#deck column:1\n\"d\te\nck\"\ta\tb\n") == ["a|b"])
    }

    @Test func `A line with too few columns is reported with its number`() {
        let text = CardText("#guid column:1\nid\ta\nid\ta\tb\nid\nid\ta\n")
        #expect(text.cards.count == 1)
        #expect(
            text.problems == [
                "lines 2 and 5 have too few columns", "line 4 has no tab",
            ])
    }

    @Test func `Headers without a meaning for cards are ignored`() {
        let head = "#columns:Front\tBack\n#notetype:Basic\n#deck:Kanji\n#tags:a b\n"
        #expect(typedCards("\(head)#card\tb\n") == ["#card|b"])
    }

    @Test func `Only a known header before the first card is a header`() {
        #expect(typedCards("a\tb\n#html:true\t<b>\n") == ["a|b", "#html:true|<b>"])
        #expect(typedCards("#1\tone\n#html:true\t<b>\n") == ["#1|one", "#html:true|<b>"])
        #expect(CardText("# Kanji\n").problems == ["line 1 has no tab"])
        #expect(CardText("#author:me\n").problems == ["line 1 has no tab"])
    }

    @Test func `Headers count as lines`() {
        #expect(
            CardText("#separator:tab\n#html:false\na\tb\nno\n").problems == ["line 4 has no tab"])
    }

    // MARK: HTML

    private func plain(_ html: String) -> String {
        CardText("#html:true\n\(html)\tb").cards.first?.front ?? "none"
    }

    @Test func `Text is taken as it is without the header for HTML`() {
        #expect(typedCards("#html:false\n<b>a</b>\t&amp;\n") == ["<b>a</b>|&amp;"])
        #expect(typedCards("<b>a</b>\t&amp;\n") == ["<b>a</b>|&amp;"])
    }

    @Test(arguments: [
        ("<b>bold</b> and <i class=\"x\">italic</i>", "bold and italic"),
        ("<span style=\"color: rgb(1, 2, 3);\">red</span>", "red"),
        ("<ruby>水<rt>みず</rt></ruby>", "水みず"), ("a<img src=\"a.jpg\">b", "ab"),
        ("<!--StartFragment-->a<!--EndFragment-->", "a"), ("[sound:a.mp3]", "[sound:a.mp3]"),
    ])
    func `Tags of HTML are left out`(html: String, text: String) { #expect(plain(html) == text) }

    @Test(arguments: [
        ("a<br>b", "a\nb"), ("a<br/>b<BR />c", "a\nb\nc"), ("a<br><br>b", "a\n\nb"),
        ("a<div>b</div>", "a\nb"), ("<div>a</div><div>b</div>", "a\nb"),
        ("a<div><br></div><div>b</div>", "a\n\nb"), ("<p>a</p><p>b</p>", "a\nb"),
        ("<div>a</div>b", "a\nb"), ("<ul><li>a</li><li>b</li></ul>c", "a\nb\nc"),
        ("a<br>", "a"), ("<div>a</div>", "a"), ("<br>", ""), ("<pre>a</pre>b", "ab"),
    ])
    func `Tags of HTML that break lines become line breaks`(html: String, text: String) {
        #expect(plain(html) == text)
    }

    @Test(arguments: [
        ("&lt;b&gt; &amp; &quot;x&quot; &apos;y&apos;", "<b> & \"x\" 'y'"),
        ("a&nbsp;b", "a b"), ("&#39;&#x27;&#X27;", "'''"), ("&#27700;&#x1F600;", "水😀"),
        ("&amp;lt;", "&lt;"), ("a & b", "a & b"), ("&", "&"), ("&amp", "&amp"),
        ("&unknown;", "&unknown;"), ("&#0;&#xD800;&#x110000;", "&#0;&#xD800;&#x110000;"),
        ("&#;&#x;&#+5;&#-5;&#99999999999;", "&#;&#x;&#+5;&#-5;&#99999999999;"),
    ])
    func `Entities of HTML are decoded`(html: String, text: String) { #expect(plain(html) == text) }

    @Test(arguments: ["a < b", "1 <2", "a <", "<", "x <b", "<<<", "a > b"])
    func `Text that only resembles a tag is kept`(text: String) { #expect(plain(text) == text) }

    @Test func `Tags of HTML are found in quotes, too`() {
        #expect(
            plain("\"<b class=\"\"x\"\">a</b>\n<br>\"") == "a")
        #expect(plain("\"a\n<i>b</i>\"") == "a\nb")
    }
}
