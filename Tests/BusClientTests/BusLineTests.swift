import BusdProtocol
import Testing

@testable import BusdClient

@Suite struct BusLineTests {
    private func line(_ text: String) throws -> BusLine {
        let document = JSONDocument()
        try document.read(Array(text.utf8), limits: BusLine.limits)
        return BusLine(try #require(document.root))
    }

    private func event(_ text: String) throws -> BusEvent {
        guard case .event(let event) = try line(text) else { throw NotThis() }
        return event
    }

    private struct NotThis: Error {}

    @Test func `An event is read`() throws {
        let event = try event(
            #"{"from":"board/1","seq":41,"#
                + #""event":{"score":{"home":3,"away":2,"text":"3 - 2"}}}"#
        )
        #expect(event.from == .literal("board/1"))
        #expect(event.seq == 41)
        #expect(!event.isSnapshot && !event.hasMore && event.cause == nil)
        #expect(event.name == "score")
        let score = try event.event.decode(Board.ViewModelEvent.self, at: "event")
        #expect(score == .score(home: 3, away: 2, text: "3 - 2"))
    }

    @Test func `An event of a snapshot is read, with more to follow`() throws {
        let event = try event(
            #"{"from":"echo/a","seq":0,"snapshot":true,"more":true,"event":{"said":{"text":"x"}}}"#)
        #expect(event.isSnapshot && event.hasMore && event.seq == 0)
    }

    @Test(arguments: [
        (#"{"connection":3,"id":"a1"}"#, BusEvent.Cause(connection: 3, id: .text("a1"))),
        (#"{"connection":3,"id":7}"#, BusEvent.Cause(connection: 3, id: .integer(7))),
        (#"{"connection":3}"#, nil), (#"{"id":7}"#, nil), (#"{"connection":3,"id":true}"#, nil),
    ]) func `The cause of an event is read`(json: String, cause: BusEvent.Cause?) throws {
        let line = #"{"from":"echo/a","seq":1,"cause":"# + json + #","event":{"said":{}}}"#
        #expect(try event(line).cause == cause)
    }

    @Test func `A live line is read, with a cursor and without`() throws {
        guard case .live(let to, let cursor) = try line(#"{"live":"echo/a","cursor":"k3:41"}"#)
        else { throw NotThis() }
        #expect(to.address == .literal("echo/a") && cursor == Cursor(mark: "k3", seq: 41))

        guard case .live(let pattern, nil) = try line(#"{"live":"echo/**"}"#) else {
            throw NotThis()
        }
        #expect(pattern.text == "echo/**")
    }

    @Test func `Gone, gap, ping and bye are read`() throws {
        let echo = Address.literal("echo/a")
        guard case .gone(echo) = try line(#"{"gone":"echo/a"}"#),
            case .gap(echo, missed: 37) = try line(#"{"gap":"echo/a","missed":37}"#),
            case .ping = try line(#"{"ping":1}"#),
            case .bye("closing", "the daemon is stopping") = try line(
                #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
        else { throw NotThis() }
    }

    @Test func `An ok is read with its value and its id`() throws {
        guard
            case .ok(let value, id: .integer(3)) = try line(
                #"{"ok":{"seq":[4,5],"changed":true},"id":3}"#),
            case .ok(let empty, id: nil) = try line(#"{"ok":{}}"#),
            case .ok(_, id: .text("a")) = try line(#"{"ok":{},"id":"a"}"#)
        else { throw NotThis() }
        #expect(value["seq"]?.elements.compactMap(\.integer) == [4, 5])
        #expect(Array(empty.json) == Array("{}".utf8))
    }

    @Test func `A refusal is read with all its parts`() throws {
        let text =
            #"{"error":{"code":"unknownEvent","message":"no","path":"event.togglPause","#
            + #""suggestions":["togglePause"]},"id":1}"#
        guard case .refusal(let error, id: .integer(1)) = try line(text) else { throw NotThis() }
        #expect(
            error
                == WireError(
                    .unknownEvent, "no", path: "event.togglPause", suggestions: ["togglePause"]))

        guard
            case .refusal(let stale, id: nil) = try line(
                #"{"error":{"code":"stale","message":"too late","seq":9}}"#)
        else { throw NotThis() }
        #expect(stale == WireError(.stale, "too late", seq: 9))
    }

    @Test func `A refusal with an unknown code keeps its message`() throws {
        guard
            case .refusal(let error, _) = try line(
                #"{"error":{"code":"tooHot","message":"it burns"}}"#)
        else { throw NotThis() }
        #expect(error == WireError(.internal, "it burns"))
    }

    @Test func `Unknown keys of an event are ignored`() throws {
        let event = try event(
            #"{"later":[1],"from":"echo/a","seq":1,"new":{"a":{}},"event":{"said":{"text":"x"}}}"#)
        #expect(event.from == .literal("echo/a"))
    }

    @Test(arguments: [
        "{}", "[]", "7", #"{"later":1}"#, #"{"from":"echo/a","event":{"said":{}}}"#,
        #"{"from":"not an address","seq":1,"event":{"said":{}}}"#,
        #"{"from":"echo/a","seq":"1","event":{"said":{}}}"#,
        #"{"from":"echo/a","seq":1,"event":"said"}"#, #"{"live":"a b"}"#, #"{"live":3}"#,
        #"{"gone":"echo/**"}"#, #"{"gap":7,"missed":1}"#, #"{"error":"no"}"#,
        #"{"error":{"code":"parse"}}"#,
    ]) func `Any other line is unknown`(text: String) throws {
        guard case .unknown = try line(text) else { throw NotThis() }
    }

    @Test func `A snapshot may be deeper and longer than a request`() throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let long = Array(repeating: "1", count: 10_000).joined(separator: ",")
        let event = try event(
            #"{"from":"echo/a","seq":1,"event":{"said":{"deep":"# + deep + #","long":["# + long
                + "]}}}")
        #expect(event.name == "said")
    }
}
