import BusdProtocol
import BusdScreens
import Testing

@testable import viewctl

/// Text of the daemon reaches standard output and standard error in a printable form.
@Suite struct ShownTests {
    static let obeyed: [Unicode.Scalar] =
        [
            0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
            0x2066...0x2069,
        ]
        .flatMap { (range: ClosedRange<UInt32>) in range.compactMap(Unicode.Scalar.init) }

    @Test func `No text of the daemon reaches a terminal unescaped`() throws {
        let evil = #"\u001b[31m"# + "\u{9B}31m\u{202E}\u{61C}\u{7F}\u{2028}"
        let event = try json(#"{"\#(evil)":{"\#(evil)":"\#(evil)","l":["\#(evil)"]}}"#)
        let model = try json(#"{"address":"\#(evil)","kind":"\#(evil)","views":0,"seq":0}"#)
        let described = #"{"name":"\#(evil)","fields":{"\#(evil)":"\#(evil)"},"#
        let description = try json(
            #"{"kind":"\#(evil)","viewEvents":["# + described
                + #""example":{"x":{"a":"\#(evil)"}}}],"viewModelEvents":["# + described
                + #""delivery":"\#(evil)"}]}"#)
        let lines =
            [EventText(event).line(plain)] + List.text([model], plain) + Get.text([event], plain)
            + Describe.text(description, plain)
        for line in lines {
            #expect(!line.unicodeScalars.contains(where: Self.obeyed.contains))
        }
    }

    @Test func `A wide cell widens no other cell`() {
        let wide = String(repeating: "W", count: 10_000)
        let lines = Table(head: ["A", "B"], rows: [[wide, "b"], ["a", "b"]], numbers: []).lines(
            plain)
        #expect(lines.map(\.utf8.count) == [203, 10_003, 203])
        #expect("a".padded(to: 10_000).utf8.count == 200)
    }

    @Test func `An error message is escaped for a terminal`() throws {
        let pipes = try OutputFixture()
        pipes.console.writeError("viewctl: no \u{1B}[31mevent\n  at \u{9B}")
        #expect(pipes.takeErrors() == ["viewctl: no \\u{1B}[31mevent", "  at \\u{009B}"])
    }
}

@Suite struct TextStyleTests {
    @Test(
        arguments: [
            (["TERM": "xterm-256color"], true), ([:], false), (["TERM": "dumb"], false),
            (["TERM": ""], false), (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "xterm", "NO_COLOR": ""], true),
        ] as [([String: String], Bool)]) func `The environment decides on colour`(
            variables: [String: String], allowsColours: Bool
        )
    {
        #expect(TextStyle.allowsColours { variables[$0] } == allowsColours)
    }

    @Test func `Colour begins and ends with its text`() {
        #expect(coloured.bold("a") == "\u{1B}[1ma\u{1B}[0m")
        #expect(coloured.dim("a") == "\u{1B}[2ma\u{1B}[0m")
        #expect(coloured.address("a") == "\u{1B}[36ma\u{1B}[0m")
        #expect(coloured.bold("") == "")
        #expect(plain.bold("a") == "a")
    }
}
