import BusdBooksEvents
import BusdGamesEvents
import BusdProtocol
import Testing

/// Unicode's comparison takes quadratic time for thousands of combining marks in a row. The daemon
/// refuses such a text. A view model that gets one nevertheless compares its bytes.
@Suite struct LongMarksTests {
    private let marks = String(repeating: "\u{301}\u{316}\u{5B0}", count: 8_000)

    private func request(_ line: String, marks: Int = .max) throws -> Request {
        var limits = Limits()
        limits.marks = marks
        let document = JSONDocument()
        try document.read(Array(line.utf8), limits: limits)
        return try Request(document, limits: limits)
    }

    @Test func `A text of marks is not the name of an event, and ignored in a filter`() throws {
        let request = try request(
            #"{"op":"subscribe","to":"games","only":["games","\#(marks)"]}"#)
        guard case .subscribe(let subscribe) = request.operation else {
            Issue.record("\(request)")
            return
        }
        #expect(subscribe.only == ["games"])
    }

    @Test func `A text of marks is not a key of a request or of an event`() throws {
        #expect(throws: RequestRefusal.self) {
            try self.request(#"{"op":"ping","\#(self.marks)":1}"#)
        }
        var limits = Limits()
        limits.marks = .max
        let document = JSONDocument()
        try document.read(Array(#"{"deleteGame":{"\#(marks)":1}}"#.utf8), limits: limits)
        let event = try #require(document.root)
        #expect(throws: WireError.self) { try event.event(Games.ViewEvent.self, at: "event") }
    }

    @Test func `A text of marks is not an address or a kind, and not looked up`() throws {
        let refusal = #expect(throws: RequestRefusal.self) {
            try self.request(#"{"op":"describe","to":"\#(self.marks)"}"#)
        }
        #expect(
            refusal?.error
                == WireError(
                    .badRequest,
                    "`to` must be the address of a view model or the name of a kind"))
    }

    @Test func `A text of marks is not a side, and not a name`() {
        #expect(Side(rawValue: marks) == nil)
        #expect(Side(rawValue: "home") == .home)
        #expect(NameProblem(of: "a" + marks) == .hasTooManyBytes)
        #expect(NameProblem(of: "a\u{301}") == nil)
    }

    @Test func `Drafts are compared by their bytes`() {
        #expect(TeamDraft(name: marks) == TeamDraft(name: marks))
        #expect(TeamDraft(name: "\u{E9}") != TeamDraft(name: "e\u{301}"))
        #expect(TeamDraft(players: ["", "", "a"]) != TeamDraft())
        let names = ["\u{E9}", "e\u{301}"].map { BookCreator.ViewModelEvent.name(text: $0) }
        #expect(names[0] == names[0] && names[0] != names[1])
        for (place, event) in BookCreator.ViewModelEvent.examples.enumerated() {
            for (other, example) in BookCreator.ViewModelEvent.examples.enumerated() {
                #expect((event == example) == (place == other))
            }
        }
    }
}

@Suite struct ConsecutiveMarksTests {
    private let document = JSONDocument()

    private func problem(_ line: String) -> String? {
        do throws(WireError) {
            try document.read(Array(line.utf8))
            return nil
        } catch {
            return error.code == .parse ? error.message : "\(error)"
        }
    }

    private let most = String(repeating: "\u{301}", count: 30)

    @Test func `Thirty marks in a row are accepted, counted anew after any other character`() {
        for other in ["a", "\u{E9}", "水", "각", "👩", "\u{200D}"] {
            #expect(problem(#""\#(other)\#(most)\#(other)\#(most)""#) == nil)
        }
    }

    @Test(arguments: ["", "水", #"\n"#, "x-", #"\uD83D\uDC69"#])
    func `Thirty-one marks in a row are refused in values and keys`(before: String) {
        for more in ["\u{301}", #"\u0301"#, "\u{1E94A}", #"\uD83A\uDD4A"#, "\u{3099}"] {
            let text = #""\#(before)\#(most)\#(more)""#
            let place = 2 + before.utf8.count + most.utf8.count + more.utf8.count
            let message = "more than 30 combining marks in a row, at byte "
            #expect(problem(text) == message + "\(place)")
            #expect(problem("{\(text):1}") == message + "\(place + 1)")
        }
    }

    @Test func `Thirty-one escaped marks in a row are refused`() {
        let escapes = String(repeating: #"\u0301"#, count: 31)
        #expect(problem(#""a\#(escapes)""#) != nil)
        #expect(problem(#""a\#(escapes.dropLast(6))""#) == nil)
    }

    @Test func `Marks in a row are refused in the payload of a request in words`() throws {
        let line = #"send echo/a say {"text":"\#(most)\#(most)"}"#
        let request = try Words.json(Array(line.utf8))
        #expect(problem(String(decoding: request, as: UTF8.self)) != nil)
    }

    @Test func `Marks of every block of Unicode are counted`() {
        for value in UInt32(0x80)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.canonicalCombiningClass != .notReordered
            else { continue }
            let text = String(repeating: String(scalar), count: 31)
            #expect(problem("\"\(text)\"") != nil, "U+\(String(value, radix: 16))")
        }
    }
}
