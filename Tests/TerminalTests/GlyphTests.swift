import Testing

@testable import BusdTerminal

@Suite struct GlyphTests {
    @Test(arguments: [
        ("", 0), ("Hawks", 5), ("Jürgen", 6), ("日本", 4), ("🏀", 2), ("한국", 4), ("ﾊﾝｶｸ", 4),
    ])
    func `A text has the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `A mark goes with the character before it`() {
        let glyphs = Glyph.glyphs(of: "e\u{301}a")
        #expect(glyphs.map(\.text) == ["e\u{301}", "a"])
        #expect(glyphs.map(\.columns) == [1, 1])
    }

    @Test func `A mark that stands alone goes on a blank`() {
        #expect(Glyph.glyphs(of: "\u{301}a").map(\.text) == [" \u{301}", "a"])
    }

    @Test func `At most four marks of a character are shown`() {
        let pile = "a" + String(repeating: "\u{301}", count: 100)
        let glyphs = Glyph.glyphs(of: pile)
        #expect(glyphs.map(\.text.unicodeScalars.count) == [5])
    }

    @Test func `Joined characters stand side by side`() {
        #expect(Glyph.glyphs(of: "👨‍👩‍👧").map(\.text) == ["👨", "👩", "👧"])
        #expect("👨‍👩‍👧".columns == 6)
    }

    @Test func `A skin tone is left out, unless it stands alone`() {
        #expect(Glyph.glyphs(of: "👍🏽!").map(\.text) == ["👍", "!"])
        #expect(Glyph.glyphs(of: "🏽").map(\.text) == ["🏽"])
    }

    @Test func `The emoji form of a character is its plain form`() {
        #expect(Glyph.glyphs(of: "❤\u{FE0F}").map(\.text) == ["❤"])
    }

    @Test(
        arguments: [
            0x00, 0x09, 0x0A, 0x1B, 0x7F, 0x9B, 0xAD, 0x61C, 0x200B, 0x200E, 0x2028, 0x202E, 0x2060,
            0x2066, 0xE000, 0xFEFF, 0xFFF9, 0xE0041,
        ] as [UInt32])
    func `A character that a terminal would obey or hide is replaced`(code: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(code))
        #expect(Glyph.glyphs(of: String(scalar)) == [.unknown])
    }

    @Test func `Only the beginning of a very long text is measured`() {
        #expect(String(repeating: "a", count: 1_000_000).columns == Glyph.mostScalars)
        #expect(String(repeating: "\u{200D}", count: 1_000_000).columns == 0)
    }
}

@Suite struct TextTests {
    @Test(arguments: [
        ("Hawks", 5, "Hawks"), ("Hawks", 4, "Haw…"), ("Hawks", 1, "…"), ("Hawks", 0, ""),
        ("Hawks", -3, ""), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func `A text is cut to the room it has`(text: String, columns: Int, fitted: String) {
        #expect(text.fitted(to: columns) == fitted)
        #expect(fitted.columns <= max(0, columns))
    }
}
