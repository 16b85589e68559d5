import Protocol
import Testing

@testable import viewctl

/// What a terminal would obey never reaches it.
@Suite struct ShownTests {
    static let obeyed: [Unicode.Scalar] =
        [
            0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
            0x2066...0x2069,
        ]
        .flatMap { (range: ClosedRange<UInt32>) in range.compactMap(Unicode.Scalar.init) }

    @Test func `text of all sorts passes as it is`() {
        let texts = ["", "Hawks", "München", "鷹", "👩‍👩‍👧", "e\u{301}", "a\u{A0}b", "שלום"]
        for text in texts {
            #expect(shown(text) == text)
            #expect(shown(json: text.utf8) == text)
        }
    }

    @Test func `whatever a terminal obeys is spelled out`() {
        for scalar in Self.obeyed {
            let text = "a\(scalar)b"
            for result in [shown(text), shown(json: text.utf8)] {
                #expect(!result.unicodeScalars.contains(scalar))
                #expect(result.hasPrefix("a\\") && result.hasSuffix("b"))
            }
        }
        #expect(shown("\u{1B}]0;x\u{7}\u{9B}31m") == "\\u{1B}]0;x\\u{07}\\u{009B}31m")
    }

    @Test func `JSON reads back as the same`() throws {
        let text = "a\u{7F}\u{9B}\u{202E}b"
        let safe = shown(json: #"{"t":"\#(text)"}"#.utf8)
        #expect(safe == #"{"t":"a\u007f\u009b\u202eb"}"#)
        #expect(try json(safe)["t"]?.text == text)
    }

    @Test func `every text of the bus goes that way`() throws {
        let evil = #"\u001b[31m"# + "\u{9B}31m\u{202E}"
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

    @Test func `a complaint goes that way too`() throws {
        let desk = try Desk()
        desk.paper.complain("viewctl: no \u{1B}[31mevent\n  at \u{9B}")
        #expect(desk.takeErrors() == ["viewctl: no \\u{1B}[31mevent", "  at \\u{009B}"])
    }
}

@Suite struct InkTests {
    @Test(
        arguments: [
            (["TERM": "xterm-256color"], true), ([:], false), (["TERM": "dumb"], false),
            (["TERM": ""], false), (["TERM": "xterm", "NO_COLOR": "1"], false),
            (["TERM": "xterm", "NO_COLOR": ""], true),
        ] as [([String: String], Bool)]) func `the environment decides on colour`(
            variables: [String: String], isWelcome: Bool
        )
    {
        #expect(Ink.isWelcome { variables[$0] } == isWelcome)
    }

    @Test func `colour begins and ends with its text`() {
        #expect(coloured.bold("a") == "\u{1B}[1ma\u{1B}[0m")
        #expect(coloured.dim("a") == "\u{1B}[2ma\u{1B}[0m")
        #expect(coloured.address("a") == "\u{1B}[36ma\u{1B}[0m")
        #expect(coloured.bold("") == "")
        #expect(plain.bold("a") == "a")
    }
}
