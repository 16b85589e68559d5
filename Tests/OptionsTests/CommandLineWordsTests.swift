import Glibc
import Testing

@testable import BusdOptions

@Suite struct CommandLineWordsTests {
    /// The words of these arguments. The first is the program's name, and nil ends the list.
    private func words(_ arguments: [[UInt8]?]) throws(UsageError) -> [String] {
        let pointers = arguments.map { bytes in
            bytes.flatMap { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
        }
        defer { for pointer in pointers { free(pointer) } }
        return try daemon.words(pointers.map { $0.map { UnsafePointer($0) } })
    }

    @Test func `A command line without a name has no words`() throws {
        #expect(try words([]) == [])
        #expect(try words([nil]) == [])
    }

    @Test func `The name of the program is not a word, whatever bytes it has`() throws {
        #expect(try words([[0xFF]]) == [])
        #expect(try words([Array("busd".utf8), Array("é".utf8)]) == ["é"])
    }

    @Test(
        arguments: [
            ([0x63, 0xE9], #"c\xE9"#), ([0xC0, 0x80], #"\xC0\x80"#),
            ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
            ([0x1B, 0xFF], #"\u{1B}\xFF"#),
        ] as [([UInt8], String)])
    func `A word that is not UTF-8 is refused, not repaired`(word: [UInt8], shown: String) {
        let error = #expect(throws: UsageError.self) {
            try words([Array("busd".utf8), Array("-q".utf8), word])
        }
        #expect(
            error?.description == "busd: argument 2 is not UTF-8: '\(shown)'; write it in UTF-8 "
                + "(for such a file, make a link)\nTry 'busd --help'.")
    }

    @Test func `A refused word is shown with at most a hundred bytes`() {
        let error = #expect(throws: UsageError.self) {
            try words([[], [0xFF] + [UInt8](repeating: 0x61, count: 1_000)])
        }
        let shown = #"\xFF"# + String(repeating: "a", count: 99) + "…"
        #expect(error?.message.contains("'\(shown)'") == true)
    }

    @Test func `An error message escapes characters that a terminal would obey`() {
        let error = #expect(throws: UsageError.self) {
            try daemon.parse(["--\u{202E}foo\u{61C}\u{9B}\u{7F}"])
        }
        #expect(
            error?.description
                == "busd: unknown option '--\\u{202E}foo\\u{061C}\\u{009B}\\u{7F}'\n"
                + "Try 'busd --help'.")
    }

    @Test func `A variable that is not UTF-8 is refused`() throws {
        let arguments = try #require(try daemon.run())
        let name = "BUSD_TEST_VARIABLE"
        defer { unsetenv(name) }
        setenv(name, "é", 1)
        try arguments.requireText(ofVariables: name, "BUSD_TEST_NONE")
        setenv(name, [CChar(bitPattern: 0xFF), 0], 1)
        #expect(throws: UsageError.self) { try arguments.requireText(ofVariables: name) }
    }
}
