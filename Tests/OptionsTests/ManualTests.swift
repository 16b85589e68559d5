import Testing

@testable import BusdOptions

@Suite struct ManualTests {
    @Test(arguments: [
        ("full: slow; normal: fast", "full: slow; normal: fast."),
        ("error, warning, info or debug", "error, warning, info or debug."),
        ("busd's socket", "busd's socket."),
        ("print the version", "Print the version."),
        ("JSON lines.", "JSON lines."),
    ])
    func `A sentence has a capital letter, unless it begins with a value or a name`(
        text: String, sentence: String
    ) {
        #expect(text.sentence == sentence)
    }

    @Test func `The man page prints values, verbs and names as they are typed`() {
        let program = Program(
            "tool", version: "1", "Does it.",
            options: [Option("clock", argument: "KIND", "auto: real time; manual: none")],
            verbs: [Verb("get", "print a value")],
            statuses: [(.gone, "watch: it is gone"), (.usage, "wrong usage")],
            environment: [("TOOL", "tool's socket")])
        let texts = [
            "auto: real time; manual: none.", "Print a value.", "watch: it is gone.",
            "Wrong usage.", "tool's socket.",
        ]
        for text in texts { #expect(program.manualPage.contains("\n\(text)\n"), "\(text)") }
    }

    @Test func `A program with operands and verbs has a synopsis for each use`() throws {
        let page = shelf.manualPage
        #expect(page.contains("\\fBshelf\\fR [\\fIOPTION\\fR]... [\\fIBOOK\\fR]\n"))
        #expect(page.contains("\\fBshelf import\\fR [\\fIOPTION\\fR]... \\fIFILE\\fR\n"))
        #expect(page.contains("\\-\\-quiet"))
        let usage = "Usage: shelf [OPTION]... [BOOK]\n  or:  shelf [OPTION]... VERB [OPERAND]...\n"
        #expect(try shelf.text("--help")?.hasPrefix(usage) == true)
    }
}
