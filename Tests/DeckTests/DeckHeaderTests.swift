import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdDeck

/// Headers and comments at the beginning of a file (Anki's manual, "File Headers").
@Suite struct DeckHeaderTests {
    @Test func `An export of Anki with all headers has its fields as sides`() throws {
        let text = """
            #separator:tab
            #html:true
            #guid column:1
            #notetype column:2
            #deck column:3
            #tags column:6
            p]~w%<5#zA\tBasic\tKanji\t水\twater\tn5 noun
            Ab"c\tBasic\tKanji\t"say ""hi""!"\t"<b>greet</b>"\t
            """
        #expect(try cards(text) == ["水|water", "say \"hi\"!|greet"])
        #expect(try deck(text).notes == [])
    }

    @Test func `Headers without a meaning for cards may have any value`() throws {
        let head =
            "#columns:Front\tBack\n#notetype:Basic\n#deck:Kanji\n#tags:a b\n#if matches:keep both\n"
            + "#match scope:notetype\n"
        #expect(try cards(head + "a\tb\n") == ["a|b"])
        #expect(try deck(head + "a\tb\n").name.text == "Kanji")
    }

    @Test(arguments: [
        "# by Ann, 2024", "#", "#author:me", "# Field mapping: GUID | Word", "#unknown:key\t\t",
        "\"# by Ann\"", "#\t\t", "#!", "#define X 1",
    ])
    func `A line with a number sign and one field is a comment`(comment: String) throws {
        #expect(try cards("\(comment)\n#guid column:1\n\(comment)\ng\ta\tb\n") == ["a|b"])
        #expect(try cards("#separator:tab\n\(comment)\na\tb\n") == ["a|b"])
    }

    @Test(arguments: [
        "#include\tadds a file", "#1\tone", "#html\ta language", "#foo: bar\tx", "#a\t\tb",
    ])
    func `A line with a number sign and a second field is a card`(line: String) throws {
        let fields = line.split(separator: "\t").map(String.init)
        let card = "\(fields[0])|\(fields[1])"
        #expect(try cards("\(line)\n#html:true\t<b>\n") == [card, "#html:true|<b>"])
        #expect(try cards("# comment\n\(line)\n#x\ty\n") == [card, "#x|y"])
    }

    @Test func `A comment before the first card may have a second field`() throws {
        let deck = try deck("# Format: Front\tBack\n# by Ann\na\tb\n")
        #expect(deck.cards == [Card(front: "a", back: "b")])
        #expect(deck.notes == ["line 1 is a comment: left out"])
    }

    @Test(arguments: [
        "# Lesson 2", "#", "## Verbs", "#deck:Verbs", "#html:true", "#author: me", "\"# quoted\"",
        "# Format: Front\tBack", "#columns:Front\tBack", "# 課: 一",
    ])
    func `A comment between cards is skipped and reported`(comment: String) throws {
        let deck = try deck("a\tb\n\(comment)\nc\td\n")
        #expect(deck.cards.map(\.front) == ["a", "c"])
        #expect(deck.problems == [])
        #expect(deck.notes == ["line 2 is a comment: left out"])
    }

    @Test(arguments: ["#000000\tblack", "# heading\t<h1>", "#define\ta macro", "#tag: x\ty"])
    func `A line between cards with a number sign and a second field is a card`(
        line: String
    ) throws {
        let deck = try deck("#ffffff\twhite\n\(line)\n")
        #expect(deck.cards.map { "\($0.front)\t\($0.back)" } == ["#ffffff\twhite", line])
        #expect(deck.notes == [])
    }

    @Test func `A broken line between cards that only begins like a colour is a problem`() throws {
        #expect(try deck("a\tb\n#ff0000 red\n").problems == ["line 2 has no tab"])
        #expect(try cards("a\tb\n# {{c1::x}} y\n") == ["a|b", "# […] y|# x y"])
    }

    @Test func `A card in quotes may begin with a known key`() throws {
        #expect(try cards("\"#html: what is it?\"\ta header\n") == ["#html: what is it?|a header"])
        #expect(try cards("#include,adds\n#if,tests\n") == ["#include|adds", "#if|tests"])
    }

    @Test(arguments: [
        "#separator:tab\t\t\t\n#html:true\t\t\t\n#guid column:1\t\t\n#tags column:4\t\ng\t<b>a</b>\tb\tt",
        "\"#separator:comma\",,,\n\"#html:true\",,,\n\"#guid column:1\",,,\n#tags column:4,,,\n"
            + "g,<b>a</b>,b,t",
        "\"#separator:Semicolon\";\"\";\"\"\n#html:TRUE;;;\n#guid column: 1 ;;\n#tags column:4;\"\"\n"
            + "g;<b>a</b>;b;t",
        "\u{FEFF}\"#separator:tab\"\n\"#html:true\"\n\"#guid column:1\"\n\"#tags column:4\"\ng\ta\tb\tt",
        "#html:true|||\n#guid column:1|||\n#tags column:4|||\ng|a|b|t",
        "#separator:\"Tab\"\n#html:\"true\"\n#guid column:\"1\"\n#tags column:\"4\"\ng\ta\tb\tt",
    ])
    func `Separators and quotes that a spreadsheet adds are cut`(text: String) throws {
        #expect(try cards(text) == ["a|b"])
    }

    @Test func `The name of a deck is cut, too`() throws {
        #expect(
            try deck("#separator:;\n\"#deck:My \"\"best\"\" deck\";;\na;b;;\n").name.text
                == "My \"best\" deck")
        #expect(try deck("#deck: Langues::Été \t\t\na\tb\n").name.text == "Langues::Été")
    }

    @Test(arguments: [
        ("#html:yes", "true or false"), ("#html:", "true or false"),
        ("#html:true\tx", "true or false"),
        ("#separator:tabs", "tab, comma, semicolon, pipe, colon or space"),
        ("#separator:", "tab, comma, semicolon, pipe, colon or space"),
        ("#guid column:x", "the number of a column, from 1"),
        ("#tags column:0", "the number of a column, from 1"),
        ("#deck column:-1", "the number of a column, from 1"),
        ("#notetype column:1.5", "the number of a column, from 1"), ("#deck:a\tb", "one name"),
    ])
    func `A known key with another value is named`(header: String, expected: String) {
        #expect(
            refusal(of: "# comment\n\(header)\na\tb\n")
                == ["deck.txt: line 2 is '\(header)': use \(expected)"])
    }

    @Test func `Each header that is not understood is named, in its own line`() {
        #expect(
            refusal(of: "#html:1\n#guid column:x\ng\ta\tb\n") == [
                "deck.txt: line 1 is '#html:1': use true or false",
                "deck.txt: line 2 is '#guid column:x': use the number of a column, from 1",
            ])
    }

    @Test func `A bad line does not end the headers`() throws {
        let deck = try deck("My cards\n\n#separator:tab\nmore words\t\n#guid column:1\ng\ta\tb\n")
        #expect(deck.cards == [Card(front: "a", back: "b")])
        #expect(deck.lines == [6])
        #expect(deck.problems == ["line 1 has no tab", "line 4 has an empty side"])
    }

    @Test func `A header behind a card is a card`() throws {
        #expect(try cards("a\tb\n#html:true\t<b>\n") == ["a|b", "#html:true|<b>"])
    }
}
