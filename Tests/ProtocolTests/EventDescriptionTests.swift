import BusdEcho
import Testing

@testable import BusdProtocol

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
    @Test func `A description lists the fields in order, with type and optionality`() {
        let descriptions = EventDescription.all(of: Sample.self)
        #expect(descriptions.map(\.name) == ["empty", "all"])
        #expect(descriptions.map(\.delivery) == [.latest, .every])
        #expect(descriptions.first?.fields == [])
        let fields = descriptions.last?.fields.map(\.shown)
        #expect(
            fields == [
                "integer: integer", "number: number", "text: text", "boolean: boolean",
                "list: list", "object: object", "maybe: object?", "name: text?",
            ])
    }

    @Test func `The example of a description is a whole event`() throws {
        for (event, description) in zip(Sample.examples, EventDescription.all(of: Sample.self)) {
            let document = JSONDocument()
            try document.read(description.example)
            #expect(try document.root?.decode(Sample.self, at: "event") == event)
        }
    }

    @Test func `A kind without events has an empty description`() {
        #expect(EventDescription.all(of: BusViews.ViewEvent.self) == [])
        #expect(EventDescription.all(of: BusStatistics.ViewEvent.self) == [])
    }

    @Test func `A number that is checked is described as a number`() {
        let advance = EventDescription.all(of: BusClock.ViewEvent.self).first
        #expect(advance?.fields.map(\.shown) == ["by: number"])
        #expect(advance?.example == Array(#"{"advance":{"by":1.5}}"#.utf8))
    }
}

extension ValueType.Member {
    fileprivate var shown: String { "\(name): \(type.name)\(isOptional ? "?" : "")" }
}

/// The types within lists and objects.
@Suite struct ValueTypeTests {
    private enum Nested: EditingEvent {
        struct Row: Codable, Equatable, Sendable {
            var id: Int
            var size: Double
            var tags: [String]?
        }

        case rows(rows: [Row], none: [Row])
        case rowsEdited(edits: [Edit<Row>])

        func edit(_ value: Self) -> Self? {
            guard case .rowsEdited(let edits) = self, case .rows(var rows, let none) = value,
                rows.apply(edits)
            else { return nil }
            return .rows(rows: rows, none: none)
        }

        static let row = Row(id: 1, size: 0.5, tags: ["a"])
        static let examples: [Self] = [
            .rows(rows: [Row(id: 2, size: 1, tags: nil), row], none: []),
            .rowsEdited(edits: Edit.examples(row)),
        ]
    }

    private func text(_ type: ValueType?) -> String {
        var out = JSONWriter()
        type?.write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `A type has those of its elements and members`() {
        let descriptions = EventDescription.all(of: Nested.self)
        let row = #"{"object":{"id":"integer","size":"number","tags":{"list?":"text"}}}"#
        #expect(text(descriptions.first?.fields.first?.type) == #"{"list":\#(row)}"#)
        #expect(text(descriptions.first?.fields.last?.type) == #""list""#)
        #expect(
            text(descriptions.last?.fields.first?.type)
                == #"{"list":{"object":{"update":{"object?":{"at":"integer","row":\#(row)}},"#
                + #""insert":{"object?":{"at":"integer","row":\#(row)}},"#
                + #""move":{"object?":{"from":"integer","to":"integer"}},"#
                + #""delete":{"object?":{"at":"integer"}}}}}"#)
    }

    @Test func `An event that edits a list names the event with the list`() {
        func edits<Event: WireEvent>(_ type: Event.Type) -> [String: String] {
            EventDescription.all(of: type).reduce(into: [:]) { $0[$1.name] = $1.edits }
        }
        #expect(edits(Nested.self) == ["rowsEdited": "rows"])
        #expect(edits(Sample.self) == [:])
    }
}

@Suite struct EventNameTests {
    @Test func `The name of an event is the name of its case`() {
        #expect(Sample.empty.name == "empty")
        #expect(Sample.examples.last?.name == "all")
        #expect(Echo.ViewEvent.say(text: "x").name == "say")
    }

    @Test func `An event is a message unless its enum declares it a value`() {
        #expect(Echo.ViewModelEvent.said(text: "").delivery == .every)
        #expect(Sample.empty.delivery == .latest)
    }
}
