import BusdProtocol
import Testing

private enum Sample: WireEvent {
    struct Row: Codable, Equatable, Sendable {
        var id: Int
    }

    case empty
    case all(
        integer: Int, number: Double, text: String, boolean: Bool, list: [Int], object: Row,
        maybe: Row?, name: String?)

    var delivery: Delivery { self == .empty ? .latest : .every }

    static let examples: [Self] = [
        .empty,
        .all(
            integer: 1, number: 2, text: "x", boolean: true, list: [], object: Row(id: 1),
            maybe: Row(id: 2), name: "n"),
    ]
}

@Suite struct EventDescriptionTests {
    @Test func `a description lists the fields in order, with type and optionality`() {
        let descriptions = EventDescription.all(of: Sample.self)
        #expect(descriptions.map(\.name) == ["empty", "all"])
        #expect(descriptions.map(\.delivery) == [.latest, .every])
        #expect(descriptions.first?.fields == [])
        let fields = descriptions.last?.fields.map { "\($0.name): \($0.type)" }
        #expect(
            fields == [
                "integer: integer", "number: number", "text: text", "boolean: boolean",
                "list: list", "object: object", "maybe: object?", "name: text?",
            ])
    }

    @Test func `the example of a description is a whole event`() throws {
        for (event, description) in zip(Sample.examples, EventDescription.all(of: Sample.self)) {
            let document = JSONDocument()
            try document.read(description.example)
            #expect(try document.root?.decode(Sample.self, at: "event") == event)
        }
    }

    @Test func `a kind without events has an empty description`() {
        #expect(EventDescription.all(of: BusViews.ViewEvent.self) == [])
        #expect(EventDescription.all(of: BusClock.ViewModelEvent.self) == [])
    }

    @Test func `the description of a game's events marks optional fields`() {
        let finished = EventDescription.all(of: Scoreboard.ViewModelEvent.self)
            .first { $0.name == "finished" }
        #expect(finished?.fields.map(\.type) == ["boolean", "text?"])
        let advance = EventDescription.all(of: BusClock.ViewEvent.self).first
        #expect(advance?.fields.map { "\($0.name): \($0.type)" } == ["by: number"])
        #expect(advance?.example == Array(#"{"advance":{"by":1.5}}"#.utf8))
    }
}

@Suite struct EventNameTests {
    @Test func `the name of an event is the name of its case`() {
        #expect(Sample.empty.name == "empty")
        #expect(Sample.examples.last?.name == "all")
        #expect(Echo.ViewEvent.say(text: "x").name == "say")
    }

    @Test func `an event is a message unless its enum declares it a value`() {
        #expect(Echo.ViewModelEvent.said(text: "").delivery == .every)
        #expect(Scoreboard.ViewModelEvent.time(text: "").delivery == .latest)
        #expect(Games.ViewModelEvent.gamesEdited(edits: []).delivery == .every)
    }
}
