import BusdBooksEvents
import BusdProtocol
import Glibc
import Testing

@testable import BusdDeck
@testable import books

@Suite struct DeckFileTests {
    @Test(arguments: [
        ("Kanji.txt", "Kanji"), ("/a/b.c/Kanji.v2.txt", "Kanji.v2"), ("Kanji", "Kanji"),
        (".cards", ".cards"), ("-", ""), ("/", ""), ("a/", "a"),
    ])
    func `A book has the name of its file`(path: String, name: String) {
        #expect(Deck.name(of: path) == name)
    }

    private func deck(_ text: [UInt8], _ name: String? = nil) throws -> Deck {
        var path = Array("/tmp/busd-deck-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        defer {
            close(file)
            unlink(path)
        }
        try #require(write(file, text, text.count) == text.count)
        let made = path.dropLast().map { UInt8(bitPattern: $0) }
        return try self.deck(at: String(decoding: made, as: UTF8.self), name)
    }

    private func deck(at path: String, _ name: String? = nil) throws -> Deck {
        try Deck(try DeckFile(path: path).bytes, path: path, Deck.Options(name: name))
    }

    @Test func `A book has the given name, else the deck's, else the file's`() throws {
        let anki = Array("#separator:tab\n#deck:Swahili\nmoja\tone\n".utf8)
        #expect(try deck(anki).name.text == "Swahili")
        #expect(try deck(anki, "Mine").name.text == "Mine")
        #expect(try deck(Array("a\tb".utf8)).name.text.hasPrefix("busd-deck-"))
        #expect(try deck(anki).lines == [3])
    }

    @Test func `A file that cannot become a book is refused with the reason`() throws {
        #expect(throws: Deck.Failure.badName("", .isEmpty)) { try deck([], "") }
        #expect(throws: DeckFile.Failure.isNotText(.unknown(line: 1))) {
            try deck([0xC3, 0x28, 9, 0x61])
        }
        #expect(throws: DeckFile.Failure.unreadable("No such file or directory")) {
            try DeckFile(path: "/nowhere/at/all")
        }
        #expect(throws: DeckFile.Failure.unreadable("Is a directory")) { try DeckFile(path: "/") }
    }

    @Test func `A file that is much larger than a book is refused without being kept`() {
        #expect(throws: DeckFile.Failure.isTooLarge) { try DeckFile(path: "/dev/zero") }
        #expect(
            DeckTroubles(path: "a.txt").text(of: .isTooLarge)
                == "a.txt has more than 16 MiB: import it in parts")
    }

    private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isBig ? bytes.reversed() : bytes
        }
    }

    @Test func `UTF-16 with its mark is read`() throws {
        let text = "#deck:Mäuse\r\n水\t😀\r\n"
        for isBig in [false, true] {
            let deck = try deck(utf16("\u{FEFF}" + text, isBig: isBig))
            #expect(deck.name.text == "Mäuse")
            #expect(deck.cards.map { "\($0.front)|\($0.back)" } == ["水|😀"])
        }
    }

    private func message(_ bytes: [UInt8], path: String = "my deck.csv") -> String? {
        do {
            _ = try Deck.utf8(bytes)
            return nil
        } catch {
            return DeckTroubles(path: path).text(of: .isNotText(error))
        }
    }

    @Test func `For another encoding, the command that converts is named`() {
        let text = "a\tb\n水\tc\n"
        #expect(
            message(utf16(text, isBig: false))
                == "my deck.csv is UTF-16LE, not UTF-8: convert it with "
                + "iconv -f UTF-16LE -t UTF-8 'my deck.csv' | books import -n 'my deck' -")
        #expect(
            message(utf16(text, isBig: true), path: "-")
                == "standard input is UTF-16BE, not UTF-8: convert it with "
                + "iconv -f UTF-16BE -t UTF-8 | books import -n NAME -")
        #expect(
            message(Array("a\tb\nc\td\0".utf8), path: "deck.csv")
                == "deck.csv has the character U+0000 (line 2): leave it out")
        #expect(message([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0])?.contains("iconv -f UTF-32 ") == true)
        #expect(
            message([0x61, 9, 0x62, 10, 0xE4, 9, 0x62], path: "it's.txt")
                == "it's.txt is not UTF-8 text (line 2): convert it, from the encoding that it has, "
                + #"such as with iconv -f WINDOWS-1252 -t UTF-8 'it'\''s.txt' | "#
                + #"books import -n 'it'\''s' -"#)
    }

    @Test func `Broken UTF-16 and archives are refused`() {
        let mark: [UInt8] = [0xFF, 0xFE]
        for broken in [[0x61], [0x00, 0xD8, 0x61, 0], [0x61, 0, 0, 0]] as [[UInt8]] {
            #expect(message(mark + broken)?.contains("is UTF-16LE") == true)
        }
        #expect(
            message([0x50, 0x4B, 3, 4, 20], path: "deck.apkg")
                == "deck.apkg is an archive, not text: export it as text first "
                + "(Anki: Notes in Plain Text; spreadsheets: CSV)")
    }
}
