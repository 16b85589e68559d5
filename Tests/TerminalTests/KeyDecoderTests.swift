import Testing

@testable import BusdTerminal

@Suite struct KeyDecoderTests {
    @Test(arguments: [
        (UInt32(9), Key.tab), (10, .enter), (13, .enter), (27, .escape), (8, .backspace),
        (127, .backspace), (12, .control("l")), (1, .control("a")), (32, .text(" ")),
        (0x71, .text("q")), (0x65E5, .text("日")), (0x1F3C0, .text("🏀")),
    ])
    func `A character is a key`(character: UInt32, key: Key) {
        #expect(KeyDecoder.key(character: character) == key)
    }

    @Test(arguments: [UInt32(0x80), 0x9B, 0xD800, 0x11_0000, .max])
    func `An invalid character is not a key`(character: UInt32) {
        #expect(KeyDecoder.key(character: character) == nil)
    }

    @Test func `Named keys have their codes, others are ignored`() {
        #expect(KeyDecoder.key(code: 0o403) == .up)
        #expect(KeyDecoder.key(code: 0o541) == .backTab)
        #expect(KeyDecoder.key(code: 0o522) == .pageDown)
        #expect(KeyDecoder.key(code: 0o520) == .shiftDown)
        #expect(KeyDecoder.key(code: 0o521) == .shiftUp)
        #expect(KeyDecoder.key(code: 0o632) == nil)
    }

    @Test func `A text is typed key by key`() {
        #expect(
            Key.typing("e\u{301}\t日\n")
                == [.text("e"), .text("\u{301}"), .tab, .text("日"), .enter])
    }

    @Test func `Clicks and wheel steps of a mouse are keys`() {
        let point = Point(column: 3, row: 4)
        #expect(KeyDecoder.key(mouse: KeyDecoder.click, at: point) == .click(point))
        #expect(KeyDecoder.key(mouse: KeyDecoder.wheelUp, at: point) == .scrollUp)
        #expect(KeyDecoder.key(mouse: KeyDecoder.wheelDown, at: point) == .scrollDown)
        #expect(KeyDecoder.key(mouse: 0, at: point) == nil)
    }
}

@Suite struct EscapeSequencesTests {
    private func removed(_ text: String) -> String {
        let keys = text.unicodeScalars.map { $0 == "\u{1B}" ? Key.escape : .text($0) }
        let kept = EscapeSequences.removed(from: keys).map { key in
            if case .text(let scalar) = key { String(scalar) } else { "<esc>" }
        }
        return kept.joined()
    }

    @Test(arguments: [
        ("[H", Key.home), ("[1~", .home), ("[7~", .home), ("OH", .home), ("[F", .end),
        ("[4~", .end), ("[8~", .end), ("OF", .end),
    ])
    func `Home and End are known in the form of any terminal`(sent: String, key: Key) {
        let keys = [.text("a"), .escape] + sent.unicodeScalars.map(Key.text) + [.text("b")]
        #expect(EscapeSequences.removed(from: keys) == [.text("a"), key, .text("b")])
    }

    @Test(arguments: [
        ("2\u{1B}[1;3A1", "21"), ("\u{1B}[200~hello\u{1B}[201~", "hello"), ("\u{1B}OPa", "a"),
        ("\u{1B}[<0;28;23Ma", "a"), ("\u{1B}[?64;1c", ""), ("\u{1B}[12", ""),
    ])
    func `The sequence of an unknown key is not text`(sent: String, kept: String) {
        #expect(removed(sent) == kept)
    }

    @Test func `Escape is a key, unless it begins a sequence`() {
        #expect(removed("\u{1B}") == "<esc>")
        #expect(removed("\u{1B}q") == "<esc>q")
        #expect(removed("\u{1B}\u{1B}") == "<esc><esc>")
        #expect(removed("\u{1B}O") == "<esc>O")
    }
}
