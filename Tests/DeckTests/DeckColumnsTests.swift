import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdDeck
@testable import books

/// Which columns of a file are the sides of its cards.
@Suite struct DeckColumnsTests {
    private func sides(_ deck: Deck) -> [String] { deck.cards.map { "\($0.front)|\($0.back)" } }

    private let rows = "n5\twater\t水\nn5\tfire\t火\n"

    @Test func `The header columns names the sides`() throws {
        let deck = try deck("#separator:tab\n#columns:Tags\tBack\tFront\n\(rows)")
        #expect(sides(deck) == ["水|water", "火|fire"])
        #expect(
            deck.notes == [
                "the front is column 3 (Front), the back is column 2 (Back); left out: 1 (Tags)"
            ])
    }

    @Test(arguments: [
        ("Front\tBack", "n5|water"), ("Text\tBack Extra\tTags", "n5|water"),
        ("Tags\tTerm\tDefinition", "water|水"), ("Wort\tÜbersetzung\tSatz", "n5|water"),
        ("Bedeutung\tAudio\tVorderseite", "水|n5"), ("Level\tEnglish\tKanji", "水|water"),
        ("Tags\tEnglish\tJapanese", "water|水"),
    ])
    func `Names of columns choose the sides in several languages`(
        names: String, first: String
    ) throws {
        #expect(sides(try deck("#columns:\(names)\n\(rows)")).first == first)
        let titled = try deck("\(names)\n\(rows)")
        #expect(sides(titled).first == first)
        #expect(titled.lines == [2, 3])
        #expect(titled.notes.first == "line 1 names the columns, and is no card")
    }

    @Test func `The columns of Anki for tags, decks, types and ids are no sides`() throws {
        let head = "#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"
        let plain = try deck(head + "g\tBasic\tD\tq\ta\tt\n")
        #expect(sides(plain) == ["q|a"])
        #expect(plain.notes == [] && plain.layout.isClear)
        // The words of a card are no titles.
        #expect(sides(try deck(head + "g\tBasic\tD\tfront\tback\tt\n")) == ["front|back"])
        // A name does not make it a side.
        let named = head + "#columns:Front\tx\ty\tz\tBack\tw\ng\tB\tD\tq\ta\tt\n"
        #expect(sides(try deck(named)) == ["q|a"])
    }

    @Test(arguments: [
        "Country;Capital\nFrance;Paris\nItaly;Rome\n", "question;answer\na;b\n",
        "id;Word;Meaning\n1;a;b\n", "Spanish;English\nuno;one\n",
        "Element;Atomic number\nHydrogen;1\n",
    ])
    func `A first line with words for columns is no card`(text: String) throws {
        let deck = try deck(text)
        #expect(deck.lines.first == 2)
        #expect(deck.notes.contains("line 1 names the columns, and is no card"))
    }

    @Test func `A first line with words over numbers or another script is no card`() throws {
        let numbers = (1...5).map { "place \($0)\t\($0 * 100)\n" }.joined()
        #expect(try deck("Mountain\tHeight\n\(numbers)").lines.first == 2)
        let letters = ["水", "火", "人", "山", "口"].map { "\($0)\tx\n" }.joined()
        #expect(try deck("Sign\tSense\n\(letters)").lines.first == 2)
        // Too few lines, or a word among the others.
        #expect(try deck("CD\tdisc\n水\twater\n").lines.first == 1)
        #expect(try deck("CD\tdisc\n\(letters)DVD\ty\n").lines.first == 1)
    }

    @Test(arguments: [
        "word\tdas Wort", "answer\tdie Antwort", "name\tname", "back\tfrequent", "Paris\tFrance",
    ])
    func `A first card with a single such word stays a card`(line: String) throws {
        #expect(try deck("\(line)\na\tb\n").lines == [1, 2])
        #expect(try deck("a\tb\nfront\tback\n").lines == [1, 2])
    }

    @Test func `Without names, what was taken and left out is said`() throws {
        let deck = try deck("1\tun\tone\n2\tdeux\ttwo\n")
        #expect(sides(deck) == ["1|un", "2|deux"])
        #expect(!deck.layout.isClear)
        #expect(
            deck.notes == [
                "the front is column 1, the back is column 2; left out: 3; --columns front=1,back=3 "
                    + "takes others"
            ])
    }

    @Test func `A column that numbers the cards is no side, unless only one other has words`()
        throws
    {
        let three = try deck("7,un,one\n8,deux,two\n9,trois,three\n")
        #expect(sides(three) == ["un|one", "deux|two", "trois|three"])
        #expect(
            three.notes.last == "the front is column 2, the back is column 3; left out: 1")
        #expect(sides(try deck("1,a\n2,b\n3,c\n")) == ["1|a", "2|b", "3|c"])
    }

    @Test func `The command line chooses columns by number and by name`() throws {
        let text = "Word\tReading\tMeaning\nx\ty\tz\n"
        for columns in [
            "front=1,back=3", "back=3,front=1", "front=Word,back=Meaning", "front=word,back=3",
        ] {
            let deck = try deck(text, columns: columns)
            #expect(sides(deck) == ["x|z"])
            #expect(deck.notes == ["line 1 names the columns, and is no card"])
        }
        #expect(sides(try deck(text, columns: "front=1+2,back=3+2")) == ["x\ny|z\ny"])
        #expect(sides(try deck("a\tb\nc\td\n", columns: "front=b,back=a")) == ["d|c"])
        #expect(sides(try deck("a\tb\nc\td\n", columns: "front=2,back=1")) == ["b|a", "d|c"])
    }

    @Test func `A side that was chosen is never replaced by another field`() throws {
        let deck = try deck("a\t\tb\nc\td\te\n", columns: "front=1,back=2")
        #expect(sides(deck) == ["c|d"])
        #expect(deck.problems == ["line 1 has an empty side"])
    }

    @Test(arguments: [
        ("front=Foo,back=Meaning", "deck.txt has no column 'Foo': its columns are Word, Meaning"),
        ("front=1,back=3", "deck.txt has no column 3: it has 2 columns"),
        ("front=0,back=1", "deck.txt has no column 0: it has 2 columns"),
    ])
    func `A column that the file does not have is named`(columns: String, text: String) throws {
        do {
            _ = try deck("Word\tMeaning\na\tb\n", columns: columns)
            Issue.record("it has the columns")
        } catch let error as Deck.Failure {
            #expect(DeckTroubles(path: "deck.txt").texts(of: error) == [text])
        }
    }

    @Test(arguments: ["", "1,3", "front=1", "front=,back=2", "front=1 back=2", "back=1,front="])
    func `Columns need both sides`(text: String) { #expect(ColumnRequest(text) == nil) }

    @Test func `An export is read as it is, whatever its first card says`() throws {
        let cards = [Card(front: "Front", back: "Back"), Card(front: "# a: b", back: "x")]
        let text = DeckText(name: "Words", cards: cards).text
        #expect(try deck(text).cards == cards)
    }

    @Test func `An answer on the terminal has numbers of columns`() throws {
        let columns = try deck("1\tun\tone\n").layout.columns
        #expect(ColumnQuestion.numbers("2 + 3", columns) == ["2", "3"])
        for line in ["4", "0", "x", "1+", "+", ""] where line != "1+" {
            #expect(ColumnQuestion.numbers(line, columns) == nil)
        }
    }
}
