import BusdApplicationTestSupport
import BusdEcho
import BusdProtocol
import Testing

@Suite struct NameTests {
    @Test(arguments: [
        "A", "Hawks", " ", "Ann-Marie O'Neill", "日本", "e\u{301}", "👩‍👩‍👧‍👦", "🏳️‍🌈", "نامه\u{200C}ها",
        "\u{200B}", "a\u{200D}",
        String(repeating: "x", count: 40), String(repeating: "👩‍👩‍👧‍👦", count: 40),
        String(repeating: "e\u{301}", count: 40),
    ])
    func `A name has one to forty characters, as a reader counts them`(text: String) throws {
        #expect(try Name(text).text == text)
        #expect(NameProblem(of: text) == nil)
        #expect(try decode(try json(Name(text)), as: Name.self) == Name(text))
    }

    @Test(
        arguments: [
            ("", .isEmpty), (String(repeating: "x", count: 41), .isTooLong),
            (String(repeating: "e\u{301}", count: 41), .isTooLong), ("a\nb", .hasControlCharacter),
            ("\t", .hasControlCharacter), ("a\u{7F}", .hasControlCharacter),
            ("\u{85}", .hasControlCharacter),
            ("\r\n", .hasControlCharacter), ("a\u{202E}b", .hasDirectionControl),
            ("\u{61C}", .hasDirectionControl), ("a\u{200E}", .hasDirectionControl),
            ("\u{2066}a\u{2069}", .hasDirectionControl), ("a\u{2028}b", .hasDirectionControl),
            (
                String(repeating: "a" + String(repeating: "\u{301}", count: 30), count: 20),
                .hasTooManyBytes
            ),
        ] as [(String, NameProblem)])
    func `Any other text is refused with its problem`(text: String, problem: NameProblem) throws {
        #expect(throws: problem) { try Name(text) }
        #expect(
            refusal(try json(text), as: Name.self) == "badEvent event: the name \(problem.text)")
    }

    @Test func `Each problem of a name has a text for people`() {
        #expect(NameProblem.isEmpty.text == "is missing")
        #expect(NameProblem.hasTooManyBytes.text == "has more than 1000 bytes")
        #expect(NameProblem.isTooLong.text == "has more than 40 characters")
        #expect(NameProblem.hasControlCharacter.text == "has a control character")
        #expect(
            NameProblem.hasDirectionControl.text
                == "has an invisible character that changes the direction of text, or a line break")
    }
}

@Suite struct SecondsTests {
    @Test(
        arguments: [
            ("0", 0), ("1.5", 1_500_000), ("86400", 86_400_000_000), ("0.000001", 1),
            ("0.0000004", 0),
            ("0.0000006", 1), ("1e3", 1_000_000_000), ("-0", 0), ("-0.0", 0), ("0.1", 100_000),
            ("86399.9999999", 86_400_000_000),
        ] as [(String, Int64)])
    func `A span in seconds is kept to the microsecond`(json: String, microseconds: Int64) throws {
        #expect(try decode(json, as: Seconds.self).duration == .microseconds(microseconds))
    }

    @Test(arguments: ["-1", "-0.000001", "86400.000001", "86401", "1e300"])
    func `A span in seconds is 0 to 86400`(json: String) {
        #expect(
            refusal(json, as: Seconds.self) == "badEvent event: a span must be 0 to 86400 seconds")
    }

    @Test func `A span in seconds is a number`() {
        #expect(refusal(#""1""#, as: Seconds.self) == "badEvent event: expected a number")
        #expect(refusal("1e400", as: Seconds.self) == "badEvent event: expected a number")
        #expect(Seconds(.nan) == nil)
        #expect(Seconds(.infinity) == nil)
    }
}

@Suite struct EditsTests {
    @Test func `Edits apply one after the other`() {
        var list = ["a", "b", "c"]
        let edits: [Edit<String>] = [
            .delete(at: 0), .insert(at: 2, row: "d"), .move(from: 0, to: 2),
            .update(at: 1, row: "D"),
            .insert(at: 0, row: "z"), .move(from: 3, to: 0),
        ]
        let isApplied = list.apply(edits)
        #expect(isApplied)
        #expect(list == ["b", "z", "c", "D"])
    }

    @Test(
        arguments: [
            [.delete(at: 2)], [.delete(at: -1)], [.insert(at: 3, row: "x")],
            [.insert(at: -1, row: "x")],
            [.move(from: 2, to: 0)], [.move(from: 0, to: 2)], [.move(from: -1, to: 0)],
            [.update(at: 2, row: "x")], [.update(at: -1, row: "x")],
            [.delete(at: 0), .delete(at: 0), .delete(at: 0)],
            [.update(at: 0, row: "x"), .delete(at: 1), .update(at: 1, row: "y")],
        ] as [[Edit<String>]])
    func `Edits change nothing if one of them has an invalid place`(edits: [Edit<String>]) {
        var list = ["a", "b"]
        let isApplied = list.apply(edits)
        #expect(!isApplied)
        #expect(list == ["a", "b"])
    }

    @Test func `An edit may insert at the end, also into an empty list`() {
        var list: [String] = []
        let isApplied = list.apply([.insert(at: 0, row: "a"), .insert(at: 1, row: "b")])
        #expect(isApplied)
        #expect(list == ["a", "b"])
    }

    @Test func `Edits have their documented form`() throws {
        let edits: [Edit<Int>] = [
            .delete(at: 2), .insert(at: 0, row: 7), .move(from: 3, to: 1), .update(at: 1, row: 8),
        ]
        let form =
            #"[{"delete":{"at":2}},{"insert":{"at":0,"row":7}},{"move":{"from":3,"to":1}},"#
            + #"{"update":{"at":1,"row":8}}]"#
        #expect(try json(edits) == form)
        #expect(try decode(form) == edits)
    }
}

@Suite struct NoEventTests {
    @Test func `A kind without events reads no event`() {
        #expect(
            refusal(#"{"x":{}}"#, as: BusViews.ViewEvent.self)
                == "badEvent event: unknown event")
        #expect(BusViews.ViewEvent.examples == [])
    }
}

@Suite struct KindsTests {
    @Test func `The kinds have their documented names`() {
        let kinds: [any ViewModelKind.Type] = [
            Echo.self, BusViews.self, BusStatistics.self, BusClock.self,
        ]
        #expect(kinds.map { $0.name } == ["echo", "views", "statistics", "clock"])
        #expect(BusViews.address.text == "bus/views")
        #expect(BusStatistics.address.text == "bus/statistics")
        #expect(BusClock.address.text == "bus/clock")
    }

    @Test func `A version has 3 parts`() { #expect(Version.text.split(separator: ".").count == 3) }
}
