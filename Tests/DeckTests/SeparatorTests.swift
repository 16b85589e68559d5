import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdDeck
@testable import books

@Suite struct SeparatorTests {
    @Test(arguments: Separator.allCases)
    func `A header or the command line names the separator`(separator: Separator) throws {
        let sign = String(decoding: [separator.byte], as: UTF8.self)
        let body = "a\(sign)b\n\"c\(sign)C\"\(sign)d\n"
        let expected = ["a|b", "c\(sign)C|d"]
        for name in [separator.rawValue, separator.rawValue.uppercased(), sign] {
            #expect(try cards("#separator:\(name)\n\(body)") == expected)
        }
        #expect(try cards(body, separator) == expected)
        #expect(try deck(body, separator).notes == [])
        // The command line is stronger.
        let other = separator == .tab ? "comma" : "tab"
        #expect(try cards("#separator:\(other)\n\(body)", separator) == expected)
    }

    @Test func `A separator may be followed by those of a spreadsheet`() throws {
        #expect(try cards("#separator:,,,\na,b,,\n") == ["a|b"])
        #expect(try cards("\"#separator:,\",,\na,b,,\n") == ["a|b"])
        #expect(try cards("#separator:\t\t\na\tb\n") == ["a|b"])
        #expect(try cards("sep=;\r\na;b\r\n") == ["a|b"])
        #expect(try cards("\u{FEFF}\"sep=,\"\na,b\n") == ["a|b"])
    }

    @Test(arguments: [
        ("a,b\nc,d\n", Separator.comma), ("a;b,c\nd;e\n", .semicolon), ("a|b\nc, d|e\n", .pipe),
        ("# by Ann\n#html:true\na,b\n", .comma), ("\"a;b\",\"c;d\"\n\"e\",f;g\n", .comma),
        ("\"Hi, Bob\";\"Hallo, Bob\"\n\"Bye, Bob\";\"Ade, Bob\"\n", .semicolon),
        ("a,b\n\n,,\nc,d\n", .comma), ("\"a\nb\",c\nd,e\n", .comma),
    ])
    func `Without a tab, the separator that splits every line alike is taken`(
        text: String, separator: Separator
    ) throws {
        let found = try deck(text)
        #expect(found.cards == (try deck(text, separator)).cards)
        #expect(!found.cards.isEmpty)
        #expect(
            found.notes == [
                "no line has a tab, so the separator is the \(separator.rawValue); "
                    + "--separator sets another"
            ])
    }

    @Test func `A tab in any line is the separator`() throws {
        let deck = try deck("a,b\nc,d\ne\tf\n")
        #expect(deck.cards == [Card(front: "e", back: "f")])
        #expect(deck.problems == ["lines 1 to 2 have no tab"])
        #expect(deck.notes == [])
        #expect(try cards("#html:false\n#x\ty\na,b\tc,d\n") == ["#x|y", "a,b|c,d"])
    }

    @Test(arguments: [
        "a,b\nc,d,e\n", "a,b\nc\n", "a b\nc d\n", "a:b\nc:d\n", "word\n", "a,b\n\"c,d\n",
        "It has, well, commas.\nThis has none.\n",
    ])
    func `Without such a separator, one line says what to give`(text: String) {
        #expect(
            refusal(of: text) == [
                "deck.txt: no line has a tab, and neither comma, semicolon nor pipe splits every "
                    + "line alike: name the separator with --separator"
            ])
    }

    @Test func `With several such separators, one line says what to give`() {
        #expect(
            refusal(of: "a,b;c\nd,e;f\n") == [
                "deck.txt: no line has a tab, and comma and semicolon split every line alike: "
                    + "name the separator with --separator"
            ])
    }

    @Test func `Lines that all have a cloze need no separator`() throws {
        let text = "{{c1::Paris, Texas}} is small\nIn {{c1::Rome}}, it rains\n"
        #expect(
            try cards(text)
                == ["[…] is small|Paris, Texas is small", "In […], it rains|In Rome, it rains"])
        #expect(try deck(text).notes == [])
        #expect(
            try deck("\"{{c1::a}}, b\",c\n\"{{c1::d}}\",e\n").cards.map(\.back) == [
                "a, b\nc", "d\ne",
            ])
    }

    @Test func `A file without cards needs no separator`() throws {
        for text in ["", "\n\n", "# a\n# b\n", "#separator:comma\n"] {
            let deck = try deck(text)
            #expect(deck.cards == [])
            #expect(deck.problems == [])
            #expect(
                DeckTroubles(path: "deck.txt").size(of: deck)
                    == "deck.txt has no cards: write one per line, its front, a tab, its back")
        }
    }

    @Test func `CSV has quotes, doubled quotes, separators and line ends in a field`() throws {
        #expect(
            try cards("\"a, b\",\"say \"\"hi\"\"\"\r\n\"two\r\nlines\",c\r\n")
                == ["a, b|say \"hi\"", "two\nlines|c"])
        #expect(try cards("a, \"b, c\"\n\"d\" , \"e\"\n", .comma) == ["a|b, c", "d|e"])
        #expect(try cards("5\" disk,\"a\" b\n", .comma) == ["5\" disk|\"a\" b"])
    }

    @Test func `Every kind of line end ends a line`() throws {
        let expected = ["a|b", "c|d", "e|f\ng"]
        for end in ["\n", "\r\n", "\r"] {
            let lines = ["#separator:tab", "a\tb", "", "c\td", "e\t\"f\(end)g\"", ""]
            #expect(try cards(lines.joined(separator: end)) == expected)
            #expect(try deck(lines.joined(separator: end)).lines == [2, 4, 5])
        }
        #expect(try cards("a\tb\rc\td\r\ne\t\"f\rg\"\n") == expected)
        #expect(
            try deck("a\tb\rno\r\"c\rd\"\te\rno\r").problems == ["lines 2 and 5 have no tab"])
    }
}
