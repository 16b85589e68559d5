import BusdBooksEvents
import BusdProtocol
import TestSupport
import Testing

@testable import BusdClient
@testable import BusdDeck
@testable import books

/// What `books export` writes, and `books import` reads.
@Suite struct DeckTextTests {
    /// The deck that a file with the exported book becomes.
    private func imported(_ name: String, _ cards: [Card]) throws -> Deck {
        let bytes = Array(DeckText(name: name, cards: cards).text.utf8)
        return try Deck(try Deck.utf8(bytes), path: "deck.txt")
    }

    private func check(
        _ cards: [Card], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let deck = try imported("Kanji", cards)
        #expect(deck.problems == [], sourceLocation: sourceLocation)
        #expect(deck.notes == [], sourceLocation: sourceLocation)
        #expect(deck.cards == cards, sourceLocation: sourceLocation)
        #expect(deck.count == cards.count, sourceLocation: sourceLocation)
    }

    @Test func `An export is text that Anki imports`() {
        let text = DeckText(
            name: "Kanji",
            cards: [
                Card(front: "水", back: "water"), Card(front: "#1", back: "a\tb"),
                Card(front: "say \"hi\"", back: "a\nb"), Card(front: "", back: " "),
            ]
        ).text
        #expect(
            text == """
                #separator:tab
                #html:false
                #deck:Kanji
                #busd:exact
                水\twater
                "#1"\t"a\tb"
                "say ""hi""\"\t"a
                b"
                ""\t" "

                """)
    }

    @Test(arguments: [
        "", " ", "\t", "\n", "\r", "\r\n", "\"", "\"\"", "\"a", "a\"", "#", "#html:true",
        "#busd:exact",
        "sep=;", "\u{FEFF}", "\u{FEFF}a", "<b>a</b>", "<br>", "&amp;", "&#0;", "[sound:a.mp3]",
        "<img src=\"a.jpg\">", "{{c1::a}}", "{{c1::image-occlusion:rect}}", " a ", "a\u{2028}b",
        "front", "\u{0}", "a\u{0}b", "e\u{301}", "\u{E9}", "👩‍👩‍👧", "PK\u{3}\u{4}",
    ])
    func `Any text on any side of a card is imported as it was`(text: String) throws {
        try check([
            Card(front: text, back: text), Card(front: "a", back: text),
            Card(front: text, back: "b"),
            Card(front: text, back: text),
        ])
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `An export is imported as the same cards`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "水", " ", "\t", "\n", "\r", "\"", "#", "<br>", "&lt;", "{{c1::", "}}", "[sound:x]",
            "::", ",", ";", "\u{0}", "\u{FEFF}", "#html:true\n", "\u{A0}",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...5, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        try check((0..<20).map { _ in Card(front: text(), back: text()) })
    }

    @Test(arguments: [
        "Kanji", " ", " a ", "Kanji,", "a;", "\"a\"", "\"", "\"\"", "#deck:x", "a:b", "水", "a\"\"",
        String(repeating: "👩‍👩‍👧", count: 40), ",\"\"",
    ])
    func `The book gets its name back, or that of the file`(name: String) throws {
        let deck = try imported(name, [Card(front: "a", back: "b")])
        #expect(["deck", name].contains { $0.isExactly(deck.name.text) })
        #expect(deck.cards == [Card(front: "a", back: "b")])
        if !name.hasSuffix("\"\"") { #expect(deck.name.text.isExactly(name)) }
    }

    @Test func `Lines that a person has written in an exact file are cards, or named`() throws {
        let head = "#separator:tab\n#busd:exact\n"
        let deck = try deck("\(head)a\tb\n\n#c\td\nno\na\tb\tc\n {{c1::x}}\t<b>\n")
        #expect(
            deck.cards == [
                Card(front: "a", back: "b"), Card(front: "#c", back: "d"),
                Card(front: " {{c1::x}}", back: "<b>"),
            ])
        #expect(deck.problems == ["line 6 has no tab", "line 7 has too many columns"])
        #expect(
            refusal(of: "#busd:other\na\tb\n") == ["deck.txt: line 1 is '#busd:other': use exact"])
    }
}
