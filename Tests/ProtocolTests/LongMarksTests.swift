import BusdEcho
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
        try document.read(Array(#"{"say":{"\#(marks)":1}}"#.utf8), limits: limits)
        let event = try #require(document.root)
        #expect(throws: WireError.self) { try event.event(Echo.ViewEvent.self, at: "event") }
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

    @Test func `A text of marks is not a name`() {
        #expect(NameProblem(of: "a" + marks) == .hasTooManyBytes)
        #expect(NameProblem(of: "a\u{301}") == nil)
    }
}
