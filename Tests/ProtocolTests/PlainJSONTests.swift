import BusdEcho
import BusdProtocol
import Testing

@Suite struct PlainJSONTests {
    private func value(_ text: String) throws -> JSONValue {
        let document = JSONDocument()
        try document.read(Array(text.utf8))
        return try #require(document.root)
    }

    @Test(arguments: [
        #"{"say":{"text":"hello"}}"#, #"{"say":{"text":"\u0068ello"}}"#,
        #"{"s\u0061y":{"te\u0078t":"hello"}}"#, #" { "say" : { "text" : "hello" } } "#,
    ])
    func `An event is read with or without escapes and spaces`(text: String) throws {
        #expect(try Echo.ViewEvent(plainly: value(text)) == .say(text: "hello"))
        #expect(try value(text).decode(Echo.ViewEvent.self, at: "event") == .say(text: "hello"))
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #""say""#, #"1"#, #"null"#, #"{"say":{}}"#, #"{"say":[]}"#,
        #"{"say":"hello"}"#,
        #"{"say":{"text":1}}"#, #"{"say":{"text":null}}"#, #"{"say":{"text":"a","more":1}}"#,
        #"{"say":{"more":1,"text":"a"}}"#, #"{"say":{"Text":"a"}}"#, #"{"Say":{"text":"a"}}"#,
        #"{"say":{"text":"a"},"said":{}}"#, #"{"says":{"text":"a"}}"#,
    ])
    func `Every other form is left to Codable, which refuses it`(text: String) throws {
        let value = try value(text)
        #expect(throws: NotPlain.self) { try Echo.ViewEvent(plainly: value) }
        #expect(throws: WireError.self) { try value.event(Echo.ViewEvent.self, at: "event") }
    }
}
