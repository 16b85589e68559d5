import BusdProtocol
import Testing

@testable import BusdClient

@Suite struct BusRequestTests {
    private func line(_ request: BusRequest) -> String {
        String(decoding: request.line(id: 7), as: UTF8.self)
    }

    private func pattern(_ text: String) throws -> Pattern { try #require(Pattern(text)) }

    @Test func `Every operation has its form on the wire`() throws {
        let echo = Address.literal("echo/a")
        let event = Array(#"{"say":{"text":"x"}}"#.utf8)

        #expect(line(.hello()) == #"{"op":"hello","protocol":1,"id":7}"# + "\n")
        #expect(
            line(.hello(name: "courtside"))
                == #"{"op":"hello","protocol":1,"name":"courtside","id":7}"# + "\n")
        #expect(line(.list()) == #"{"op":"list","to":"**","id":7}"# + "\n")
        #expect(
            line(.list(try pattern("echo/*"))) == #"{"op":"list","to":"echo/*","id":7}"# + "\n")
        #expect(line(.describe("echo")) == #"{"op":"describe","to":"echo","id":7}"# + "\n")
        #expect(line(.get(echo)) == #"{"op":"get","to":"echo/a","id":7}"# + "\n")
        #expect(
            line(.subscribe(try pattern("echo/**")))
                == #"{"op":"subscribe","to":"echo/**","id":7}"# + "\n")
        #expect(
            line(
                .subscribe(
                    Pattern(echo), as: "one", only: ["said"], since: Cursor(mark: "k3", seq: 2)))
                == #"{"op":"subscribe","to":"echo/a","as":"one","only":["said"],"since":"k3:2","#
                + #""id":7}"# + "\n")
        #expect(
            line(.unsubscribe(Pattern(echo)))
                == #"{"op":"unsubscribe","to":"echo/a","id":7}"# + "\n")
        #expect(
            line(.send(event, to: echo))
                == #"{"op":"send","to":"echo/a","event":{"say":{"text":"x"}},"id":7}"# + "\n")
        #expect(
            line(.send(event, to: echo, ifSeq: 4, key: "k"))
                == #"{"op":"send","to":"echo/a","event":{"say":{"text":"x"}},"ifSeq":4,"key":"k","#
                + #""id":7}"# + "\n")
        #expect(line(.ping) == #"{"op":"ping","id":7}"# + "\n")
    }

    @Test func `The daemon's reader accepts every operation`() throws {
        let requests: [BusRequest] = [
            .hello(name: "a \"name\"\n"), .list(), .describe("echo"), .get(.literal("echo/a")),
            .subscribe(.everything, as: "x", only: ["said"]), .unsubscribe(.everything),
            .send(Array(#""togglePause""#.utf8), to: .literal("echo/a"), ifSeq: 1, key: "k"), .ping,
        ]
        for request in requests {
            let document = JSONDocument()
            try document.read(request.line(id: 7).dropLast())
            #expect(try Request(document, limits: Limits()).id == .integer(7))
        }
    }
}
