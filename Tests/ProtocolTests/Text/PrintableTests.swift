import BusdProtocol
import Testing

/// Characters that a terminal obeys or hides, and those that it shows.
@Suite struct PrintableTests {
    static let unprintable: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F,  // controls: C0, DEL, C1
        0x061C...0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,  // direction
        0x2028...0x2029,  // separators of lines and paragraphs
        0x00AD...0x00AD, 0x034F...0x034F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180E...0x180E,
        0x200B...0x200B, 0x2060...0x2065, 0x206A...0x206F, 0x3164...0x3164, 0xFEFF...0xFEFF,
        0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
        0xE0000...0xE00FF,  // without a glyph
    ]

    static let joints: [ClosedRange<UInt32>] = [
        0x180B...0x180D, 0x180F...0x180F, 0x200C...0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF,
    ]

    private func scalars(_ ranges: [ClosedRange<UInt32>]) -> [Unicode.Scalar] {
        ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
    }

    @Test func `A character that a terminal obeys or hides is spelled out in a line`() {
        for scalar in scalars(Self.unprintable) {
            let text = "a\(scalar)b"
            #expect(text.printable == "a\(scalar.escaped(asASCII: true))b")
            #expect(text.printable.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
        }
        #expect("\u{1B}]0;x\u{7}\u{9B}31m".printable == #"\u{1B}]0;x\u{07}\u{009B}31m"#)
    }

    @Test func `A character that a terminal obeys or hides is escaped in JSON`() throws {
        for scalar in scalars(Self.unprintable) where scalar.value >= 0x20 {
            let json = Array(#"{"t":"a\#(scalar)b"}"#.utf8)
            let safe = printable(json: json[...])
            #expect(safe.allSatisfy { 0x20..<0x7F ~= $0 })
            let document = JSONDocument()
            try document.read(safe)
            #expect(document.root?["t"]?.text == "a\(scalar)b")
        }
    }

    @Test func `White space between the values of JSON becomes spaces`() {
        let json = Array("{\t\"a\":\r1}".utf8)
        #expect(printable(json: json[...]) == Array("{ \"a\": 1}".utf8))
    }

    @Test(arguments: [
        "", "Hawks", "München", "鷹", "👩‍👩‍👧", "❤️‍🔥", "e\u{301}", "a\u{A0}b", "שלום", "می‌خواهم", "क्‍ष",
        "葛\u{E0100}", "\u{0600}١", "~",
    ])
    func `Text in any language is printed as it is`(text: String) {
        #expect(text.printable == text)
        #expect(printable(json: Array("\"\(text)\"".utf8)[...]) == Array("\"\(text)\"".utf8))
    }

    @Test func `Any other character is printed as it is`() {
        let special = Set(scalars(Self.unprintable) + scalars(Self.joints))
        let rest = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init)
            .filter { !special.contains($0) && !(0xE0000...0xE0FFF ~= $0.value) }
        #expect(rest.first { "a\($0)b".printable != "a\($0)b" } == nil)
    }

    @Test func `The table of hidden characters is Unicode's`() {
        for scalar in (UInt32(0xA0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            let isHidden =
                switch properties.generalCategory {
                case .lineSeparator, .paragraphSeparator: true
                default:
                    properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
                        && !(0x200C...0x200D ~= scalar.value)
                }
            let isAnnotation = 0xFFF9...0xFFFB ~= scalar.value
            guard scalar.isUnprintable == (isHidden || isAnnotation) else {
                Issue.record("U+\(String(scalar.value, radix: 16))")
                return
            }
        }
    }

    @Test func `Characters of every length are escaped or kept in their places`() {
        let json = Array("\"a\u{202E}é\u{AD}鷹\u{E0001}𐍈\u{2028}\u{2029}z\u{9B}\"".utf8)
        let safe = #""a\u202eé\u00ad鷹\udb40\udc01𐍈\u2028\u2029z\u009b""#
        #expect(String(decoding: printable(json: json[...]), as: UTF8.self) == safe)
    }

    @Test func `A joiner or a selector is printed only where it can join`() {
        for scalar in scalars(Self.joints) {
            let spelled = scalar.escaped(asASCII: true)
            #expect("a\(scalar)".printable == "a\(scalar)")
            #expect("\(scalar)a".printable == "\(spelled)a")
            #expect("a\(scalar)\(scalar)b".printable == "a\(scalar)\(spelled)b")
        }
    }

    @Test func `The ends of lines are kept in a text of several lines`() {
        #expect("a\u{1B}\nb\r\n".printableLines == "a\\u{1B}\nb\\r\n")
    }
}

@Suite struct StreamSafeTests {
    private func read(_ text: String) throws -> String? {
        let document = JSONDocument(isLenient: true)
        var limits = Limits()
        limits.marks = .max
        try document.read(Array("\"\(text)\"".utf8).span, limits: limits)
        return document.root?.text
    }

    @Test func `A client reads the first thirty marks of a longer run`() throws {
        let marks = String(repeating: "\u{302}\u{316}", count: 40_000)
        let kept = String(repeating: "\u{302}\u{316}", count: 15)
        #expect(try read("a\(marks)b\(marks)") == "a\(kept)b\(kept)")
        #expect(try read(marks) == kept)
        #expect(try read("\\u0061\(marks)") == "a\(kept)")
    }

    @Test(arguments: ["a", "é", "e\u{301}", "한국어", "鷹", "👩‍👩‍👧", "ศูนย์", "𐍈"])
    func `A client reads other text as it is`(text: String) throws {
        let long = String(repeating: text, count: 100)
        #expect(try read(long) == long)
    }
}
