import Protocol
import Testing

/// Unicode compares texts by what they mean, which takes very long where thousands of marks follow
/// each other. So what peers say is compared byte by byte.
@Suite struct `A text of nothing but marks` {
    private let marks = String(repeating: "\u{301}\u{316}\u{5B0}", count: 8_000)

    private func request(_ line: String) throws -> Request {
        let document = JSONDocument()
        try document.read(Array(line.utf8))
        return try Request(document, limits: Limits())
    }

    @Test func `is no name of an event, and passed over as one`() throws {
        let request = try request(
            #"{"op":"subscribe","to":"games","only":["games","\#(marks)"]}"#)
        guard case .subscribe(let subscribe) = request.operation else {
            Issue.record("\(request)")
            return
        }
        #expect(subscribe.only == ["games"])
    }

    @Test func `is no key of a request and none of an event`() throws {
        #expect(throws: RequestRefusal.self) {
            try self.request(#"{"op":"ping","\#(self.marks)":1}"#)
        }
        let document = JSONDocument()
        try document.read(Array(#"{"deleteGame":{"\#(marks)":1}}"#.utf8))
        let event = try #require(document.root)
        #expect(throws: WireError.self) { try event.event(Games.ViewEvent.self, at: "event") }
    }

    @Test func `is no side, and no name`() {
        #expect(Side(rawValue: marks) == nil)
        #expect(Side(rawValue: "home") == .home)
        #expect(NameProblem(of: "a" + marks) == .isTooLong)
        #expect(NameProblem(of: "a\u{301}") == nil)
    }

    @Test func `is a draft like any other, byte by byte`() {
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
