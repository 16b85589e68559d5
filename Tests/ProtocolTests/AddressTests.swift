import BusdProtocol
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        "a", "scoreboard/1", "scoreboard/1/home/3", "game-creator/me", "A-Z_az.09", "-", "_", "_.",
        "a..b", "a/b/c/d/e/f/g/h", "0/00/000", String(repeating: "x", count: 200),
    ])
    func `An address is one to eight segments of letters, digits, dashes, underscores and dots`(
        text: String
    ) throws {
        let address = try #require(Address(text))
        #expect(address.text == text)
        #expect(address.description == text)
        #expect(address.segments.joined(separator: "/") == text)
    }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", ".a", "a/.b", "a b", " a", "a ", "a\n", "a/*", "*",
        "**", "a/**", "é", "a/ü", "a\u{0}", "a:b", "a/b/c/d/e/f/g/h/i", "a%2Fb", "a\\b", "\u{212A}",
        String(repeating: "x", count: 201), "e\u{301}",
    ])
    func `Any other text is not an address`(text: String) { #expect(Address(text) == nil) }

    @Test func `An address has a name, and addresses below it`() throws {
        let board = try #require(Address("scoreboard/1"))
        #expect(board.name == "1")
        #expect(board.appending("home")?.text == "scoreboard/1/home")
        #expect(board.appending("") == nil)
        #expect(board.appending(".") == nil)
        #expect(board.appending("home/1")?.segments.count == 4)
        #expect(try #require(Address("scoreboard/1/home")).isBelow(board))
        #expect(!board.isBelow(board))
        #expect(try !#require(Address("scoreboard/10")).isBelow(board))
        #expect(Address.literal("bus/views").text == "bus/views")
    }

    @Test func `Addresses are ordered by their bytes`() {
        let sorted = ["A", "a", "a-", "a-b", "a.b", "a/b", "a0", "a_", "b"].compactMap {
            Address($0)
        }
        #expect(sorted.count == 9)
        #expect(sorted.shuffled().sorted() == sorted)
    }
}

@Suite struct PatternTests {
    struct Case: CustomTestStringConvertible {
        let pattern: String
        let yes: [String]
        let no: [String]
        var testDescription: String { pattern }
    }

    @Test(arguments: [
        Case(pattern: "a/b", yes: ["a/b"], no: ["a", "a/bc", "a/b/c", "A/b"]),
        Case(pattern: "a/*", yes: ["a/b", "a/c"], no: ["a", "a/b/c", "b/b"]),
        Case(pattern: "*/b", yes: ["a/b", "b/b"], no: ["a/c", "b", "a/b/b"]),
        Case(pattern: "a/*/c", yes: ["a/b/c"], no: ["a/c", "a/b/b/c", "a/b/d"]),
        Case(pattern: "*", yes: ["a", "abc"], no: ["a/b"]),
        Case(pattern: "**", yes: ["a", "a/b", "a/b/c/d/e/f/g/h", "bus/views"], no: []),
        Case(pattern: "a/**", yes: ["a", "a/b", "a/b/c"], no: ["ab", "b", "b/a"]),
        Case(pattern: "a/*/**", yes: ["a/b", "a/b/c"], no: ["a", "b/b"]),
        Case(pattern: "*/*/home/*", yes: ["scoreboard/1/home/2"], no: ["scoreboard/1/away/2"]),
        Case(
            pattern: "scoreboard/1/**",
            yes: ["scoreboard/1", "scoreboard/1/home/1"], no: ["scoreboard/10", "scoreboard"]),
    ])
    func `A pattern matches whole segments, and a final double star matches any number of them`(
        example: Case
    ) throws {
        let pattern = try #require(Pattern(example.pattern))
        #expect(pattern.description == example.pattern)
        for text in example.yes { #expect(pattern.matches(try #require(Address(text)))) }
        for text in example.no { #expect(!pattern.matches(try #require(Address(text)))) }
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", "a*", "*a", "***", "**/a", "a/**/b", "**/**", "a b", ".",
        "ü/*",
        "a/b/c/d/e/f/g/h/i", String(repeating: "x", count: 201), "a/\u{2217}",
    ])
    func `Text that is neither an address nor a pattern is refused`(text: String) {
        #expect(Pattern(text) == nil)
    }

    @Test func `A pattern without stars is one address`() throws {
        #expect(Pattern("a/b")?.address == Address("a/b"))
        for text in ["a/*", "**", "a/**", "*"] {
            #expect(try #require(Pattern(text)).address == nil)
        }
        let address = Address.literal("a/b")
        #expect(Pattern(address) == Pattern("a/b"))
        #expect(Pattern("**") == .everything)
        #expect(Pattern("a/*") != Pattern("a/**"))
    }

    @Test func `A pattern may be as long as an address`() {
        #expect(Pattern(String(repeating: "x", count: 198) + "/*") != nil)
        #expect(Pattern(String(repeating: "x", count: 199) + "/*") == nil)
        #expect(Pattern("a/b/c/d/e/f/g/**") != nil)
    }
}

@Suite struct CursorTests {
    @Test(arguments: [("k3f9a1:41", "k3f9a1", 41), ("0:0", "0", 0), ("z:0041", "z", 41)])
    func `A cursor is a mark, a colon and a number`(text: String, mark: String, seq: Int) throws {
        let cursor = try #require(Cursor(text))
        #expect(cursor == Cursor(mark: mark, seq: seq))
        #expect(cursor.description == "\(mark):\(seq)")
    }

    @Test(arguments: [
        "", ":", "a:", ":1", "a", "1", "a:b", "a:-1", "a:+1", "a: 1", "a:1 ", "A:1", "a:1:2", "é:1",
        "a:١", "a:1.0", "a:9007199254740992",
        "a:00000000000000000001", "a\u{0}:1",
    ])
    func `Any other text is not a cursor`(text: String) { #expect(Cursor(text) == nil) }

    @Test func `A cursor may have any number that a peer may send`() {
        #expect(Cursor("a:9007199254740991")?.seq == 1 << 53 - 1)
    }
}
