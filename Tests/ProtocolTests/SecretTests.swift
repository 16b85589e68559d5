import BusdLoginEvents
import Testing

@testable import BusdProtocol

/// A secret can be read from an event. It has no description, and is not written by default.
struct SecretTests {
    private let event = Login.ViewEvent.passwordChanged(password: Secret("p\"äss"))

    private func text(_ secret: Secret) -> String {
        secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func read(_ json: String) throws -> Login.ViewEvent {
        let document = JSONDocument()
        try document.read(Array(json.utf8))
        let root = try #require(document.root)
        return try root.decode(at: "event")
    }

    @Test func `A secret is read from an event, with escapes and without`() throws {
        #expect(try read(#"{"passwordChanged":{"password":"p\"\u00e4ss"}}"#) == event)
        #expect(
            try read(#"{"passwordChanged":{"password":"plain"}}"#)
                == .passwordChanged(password: Secret("plain")))
        #expect(
            try read(#"{"passwordChanged":{"password":"other"}}"#)
                != .passwordChanged(password: Secret("plain")))
    }

    @Test func `A value that is not a text is not a secret`() {
        #expect(
            throws: WireError(
                .badEvent, "expected a text of at most 1024 bytes",
                path: "event.passwordChanged.password")
        ) {
            try read(#"{"passwordChanged":{"password":7}}"#)
        }
    }

    @Test(arguments: ["x", #"\u00e4"#])
    func `A secret with more than 1,024 bytes is refused`(character: String) throws {
        let count = character == "x" ? 1_024 : 512
        let longest = String(repeating: character, count: count)
        let event = try read(#"{"passwordChanged":{"password":"\#(longest)"}}"#)
        guard case .passwordChanged(let secret) = event else { throw Unexpected() }
        #expect(secret.withBytes { $0.count } == 1_024)
        #expect(
            throws: WireError(
                .badEvent, "expected a text of at most 1024 bytes",
                path: "event.passwordChanged.password")
        ) {
            try read(#"{"passwordChanged":{"password":"\#(longest)x"}}"#)
        }
    }

    private struct Unexpected: Error {}

    @Test func `User names are equal only if their bytes are`() throws {
        let name = try #require(TypedUsername("Zo\u{EB}"))
        #expect(name == TypedUsername("Zo\u{EB}"))
        #expect(name != TypedUsername("Zoe\u{308}"))
    }

    @Test func `A user name with more than 200 bytes is refused`() throws {
        let longest = String(repeating: "\u{E4}", count: 100)
        #expect(
            try read(#"{"usernameChanged":{"username":"\#(longest)"}}"#)
                == .usernameChanged(username: try #require(TypedUsername(longest))))
        #expect(
            throws: WireError(
                .badEvent, "a user name must have at most 200 bytes",
                path: "event.usernameChanged.username")
        ) {
            try read(#"{"usernameChanged":{"username":"\#(longest)x"}}"#)
        }
    }

    @Test(arguments: [
        #"{"hush":1}"#, #"{"password":"a","hush":{"b":1}}"#, #"{"hu\u0073h":{}}"#,
        #"{"password":{"hush":1}}"#, #"{"password":["hush"]}"#, #"["hush"]"#, #""hush""#,
        #"{"hush":1,"hush":2}"#,
    ])
    func `An error does not repeat a wrong value of a secret`(payload: String) {
        let error = #expect(throws: WireError.self) {
            try read(#"{"passwordChanged":\#(payload)}"#)
        }
        #expect(!String(describing: error).contains("hush"))
    }

    @Test func `An unknown key beside a secret is reported without its name`() {
        #expect(
            throws: WireError(
                .badEvent, "unknown key", path: "event.passwordChanged")
        ) {
            try read(#"{"passwordChanged":{"hush":1}}"#)
        }
        #expect(
            throws: WireError(
                .badEvent, "missing key", path: "event.passwordChanged.password")
        ) {
            try read(#"{"passwordChanged":{}}"#)
        }
        // This event has no secret, so the key is named.
        #expect(
            throws: WireError(.badEvent, "unknown key", path: "event.usernameChanged.x")
        ) {
            try read(#"{"usernameChanged":{"username":"a","x":1}}"#)
        }
    }

    @Test func `A secret has no description`() {
        for text in [
            "\(event)", String(reflecting: event), "\(Secret("hush"))",
            String(reflecting: Secret("hush")),
        ] {
            #expect(!text.contains("ss") || !text.contains("p\""))
            #expect(!text.contains("hush"))
        }
        var dumped = ""
        dump(Secret("hush"), to: &dumped)
        #expect(!dumped.contains("hush"))
    }

    @Test func `An event with a secret is not written by default`() {
        var json = JSONWriter()
        json.value(1)
        #expect(throws: EncodingError.self) { try json.value(encoding: event) }
        #expect(json.bytes == Array("1".utf8))
    }

    @Test func `A client may write an event with a secret`() throws {
        var json = JSONWriter()
        try json.value(encoding: event, revealingSecrets: true)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"passwordChanged":{"password":"p\"äss"}}"#)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 1_023, 1_024, 1_025, 60_000])
    func `A secret of any length is kept whole`(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Secret(bytes).withBytes { Array($0) } == bytes)
    }

    @Test func `Wiped bytes are zero`() {
        var bytes = Array("hush".utf8)
        bytes.wipe(1..<3)
        #expect(bytes == [UInt8(ascii: "h"), 0, 0, UInt8(ascii: "h")])
        bytes.wipe()
        #expect(bytes == [0, 0, 0, 0])
        var none: [UInt8] = []
        none.wipe()
        #expect(none.isEmpty)
    }

    @Test func `A secret is empty only without bytes`() {
        #expect(Secret("").isEmpty)
        #expect(!Secret(" ").isEmpty)
        #expect(text(Secret("höush")) == "höush")
    }
}
