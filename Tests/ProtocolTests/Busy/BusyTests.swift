import BusdProtocol
import Testing

@Suite struct GeneratedEventCodeTests {
    private func value(_ bytes: [UInt8]) throws -> JSONValue {
        let document = JSONDocument()
        try document.read(bytes)
        return try #require(document.root)
    }

    private func value(_ text: String) throws -> JSONValue { try value(Array(text.utf8)) }

    @Test(arguments: Busy.ViewEvent.examples)
    func `Generated code reads what Codable writes`(event: Busy.ViewEvent) throws {
        var json = JSONWriter()
        try json.value(encoding: event, revealingSecrets: true)
        #expect(try Busy.ViewEvent(plainly: value(json.bytes)) == event)
    }

    @Test func `Generated code reads an event without its optional values`() throws {
        let nothing = Busy.ViewEvent.optional(first: nil, row: nil, in: nil)
        #expect(try Busy.ViewEvent(plainly: value(#"{"optional":{}}"#)) == nothing)
        #expect(
            try Busy.ViewEvent(plainly: value(#"{"optional":{"in":"a"}}"#))
                == .optional(first: nil, row: nil, in: "a"))
    }

    @Test(arguments: [
        #"{"optional":{"in":null}}"#, #"{"optional":{"row":null,"first":1}}"#,
        #"{"optional":{"in":"a","first":1}}"#,
        #"{"scalars":{"count":1,"isTrue":true,"text":"a"}}"#,
    ])
    func `Generated code leaves every other form to Codable`(text: String) throws {
        let value = try value(text)
        #expect(throws: NotPlain.self) { try Busy.ViewEvent(plainly: value) }
        #expect(
            try value.event(Busy.ViewEvent.self, at: "event")
                == value.decode(Busy.ViewEvent.self, at: "event"))
    }

    @Test(arguments: [
        (#"{"optional":{"first":1.5}}"#, "event.optional.first"),
        (#"{"optional":{"row":{"text":1}}}"#, "event.optional.row.text"),
        (#"{"default":{"for":"blue"}}"#, "event.default.for"),
        (#"{"scalars":{"text":"a","count":1}}"#, "event.scalars.isTrue"),
        (#"{"scalars":{"text":"a","count":1.0,"isTrue":true}}"#, "event.scalars.count"),
        (#"{"nothing":{"more":1}}"#, "event.nothing.more"),
    ])
    func `Errors are left to Codable, which names the path`(text: String, path: String) throws {
        let value = try value(text)
        #expect(throws: NotPlain.self) { try Busy.ViewEvent(plainly: value) }
        let error = #expect(throws: WireError.self) {
            try value.event(Busy.ViewEvent.self, at: "event")
        }
        #expect(error?.path == path)
    }

    @Test(arguments: Busy.ViewModelEvent.examples)
    func `Generated code writes what Codable writes`(event: Busy.ViewModelEvent) throws {
        var (plain, coded) = (JSONWriter(), JSONWriter())
        try coded.value(encoding: event)
        let isWritten = event.writePlainly(to: &plain)
        #expect(isWritten)
        #expect(plain.bytes == coded.bytes)
    }

    @Test func `Generated code writes nothing if Codable refuses the event`() throws {
        let row = Busy.Row(text: "a", number: .infinity)
        let refused: [Busy.ViewModelEvent] = [
            .others(
                measure: .nan, color: .red, colors: [], row: Busy.Row(text: "a", number: 1),
                texts: []),
            .optional(first: 1, color: nil, row: row, in: "a"), .rows(rows: [], table: [nil, row]),
            .lines(lines: [Busy.Line(text: "a", number: .nan, in: 1)], last: nil),
            .secret(out: Secret("a")),
        ]
        var json = JSONWriter()
        json.beginList()
        for event in refused {
            let isWritten = event.writePlainly(to: &json)
            #expect(!isWritten)
            #expect(throws: EncodingError.self) { try json.value(event: event) }
            try json.value(event: Busy.ViewModelEvent.nothing)
        }
        json.endList()
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"[{"nothing":{}},{"nothing":{}},{"nothing":{}},{"nothing":{}},{"nothing":{}}]"#)
    }

    @Test func `Generated code names the events as Codable does`() {
        #expect(
            Busy.ViewEvent.examples.map(\.name) == [
                "nothing", "scalars", "others", "optional", "default",
            ])
    }
}
