import BusdClientTestSupport
import BusdOptions
import BusdProtocol
import BusdScreens
import Testing

@testable import BusdClient
@testable import viewctl

/// `viewctl wait` against a daemon that follows a script.
@Suite struct FollowerTests {
    let pipes: OutputFixture

    init() throws { pipes = try OutputFixture() }

    private let greeting = #"{"op":"hello","protocol":1,"name":"viewctl","id":1}"#
    private let hello = #"{"ok":{"protocol":1},"id":1}"#
    private let kind =
        #"{"kind":"board","viewEvents":[],"viewModelEvents":[{"name":"score","fields":"#
        + #"{"home":"integer","away":"integer"},"delivery":"latest"},{"name":"rows","#
        + #""fields":{"rows":"list"},"types":{"rows":{"list":"integer"}},"delivery":"latest"},"#
        + #"{"name":"rowsEdited","fields":{"edits":"list"},"edits":"rows","delivery":"every"}]}"#

    private func ok(_ id: Int, _ value: String = "{}") -> String {
        #"{"ok":\#(value),"id":\#(id)}"#
    }

    private func missing(_ id: Int) -> String {
        #"{"error":{"code":"unknownViewModel","message":"no"},"id":\#(id)}"#
    }

    private func score(_ home: Int, _ away: Int, _ more: String = "") -> String {
        #"{"from":"board/1","seq":1,\#(more)"event":{"score":{"home":\#(home),"away":\#(away)}}}"#
    }

    private func rows(_ event: String, _ more: String = "") -> String {
        #"{"from":"board/1","seq":1,\#(more)"event":{\#(event)}}"#
    }

    private let live = #"{"live":"board/1","cursor":"k3:4"}"#
    private let snapshot = #""snapshot":true,"#
    private let more = #""more":true,"#

    /// - Parameter timeout: zero: none.
    private func wait(
        _ daemon: ScriptedDaemon, _ words: String..., within timeout: Duration = .zero
    ) throws -> BusdOptions.ExitStatus {
        let wait = try Wait(arguments(["wait", "board/1"] + words))
        let session = try daemon.session(
            name: "viewctl", longest: .seconds(3), .forStartIfPermitted, within: timeout)
        return pipes.console.finish(pipes.console.status { try wait.run(session, pipes.console) })
    }

    @Test func `Only the events of the conditions are subscribed to`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [
                hello, ok(2, kind), ok(3), rows(#""rows":{"rows":[7]}"#, snapshot),
                score(1, 0, snapshot), live, score(3, 0),
            ]))
        #expect(try wait(daemon, "score.home>2", "rows.rows.0=7") == .done)
        #expect(
            daemon.requests() == [
                [
                    greeting, #"{"op":"describe","to":"board/1","id":2}"#,
                    #"{"op":"subscribe","to":"board/1","as":"wait","#
                        + #""only":["rows","rowsEdited","score"],"id":3}"#,
                    #"{"op":"unsubscribe","to":"board/*","id":4}"#,
                ]
            ])
    }

    @Test func `Half of an update, or of a snapshot, is not a state`() throws {
        let start = [hello, ok(2, kind), ok(3), score(0, 5, snapshot)]
        // Each pair of values is in one update; together they never hold.
        let halves =
            start + [
                rows(#""rows":{"rows":[1]}"#, snapshot), live, score(1, 0, more),
                rows(#""rowsEdited":{"edits":[{"delete":{"at":0}}]}"#), score(0, 1, snapshot),
                rows(#""rows":{"rows":[1]}"#, snapshot), live,
            ]
        #expect(
            try wait(
                ScriptedDaemon(.init(lines: halves)), "score.home=1", "rows.rows.0=1",
                within: .seconds(2)) == .timedOut)
        #expect(pipes.takeErrors() == ["viewctl: timed out"])
        #expect(
            try wait(
                ScriptedDaemon(.init(lines: halves + [score(1, 0)])), "score.home=1",
                "rows.rows.0=1") == .done)
        #expect(
            try wait(ScriptedDaemon(.init(lines: start)), "score.away=5", within: .seconds(2))
                == .timedOut)
    }

    @Test func `An address that does not exist is followed when it arrives`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [
                hello, missing(2), ok(3, "{\"kinds\":[\(kind)]}"), ok(4),
                #"{"live":"board/0"}"#, #"{"live":"board/*"}"#, #"{"live":"board/1"}"#,
                ok(5, kind), ok(6), score(1, 0, snapshot), live,
            ]))
        #expect(try wait(daemon, "score.home") == .done)
        #expect(
            daemon.requests()[0] == [
                greeting, #"{"op":"describe","to":"board/1","id":2}"#,
                #"{"op":"describe","id":3}"#,
                #"{"op":"subscribe","to":"board/*","as":"wait","only":[],"id":4}"#,
                #"{"op":"describe","to":"board/1","id":5}"#,
                #"{"op":"subscribe","to":"board/1","as":"wait","only":["score"],"id":6}"#,
                #"{"op":"unsubscribe","to":"board/*","id":7}"#,
            ])
    }

    @Test func `After a lost connection the values are those of the new one`() throws {
        let daemon = ScriptedDaemon(
            .init(
                lines: [hello, ok(2, kind), ok(3), score(0, 0, snapshot), live, score(1, 0, more)],
                closes: true),
            .init(lines: [ok(5), ok(6, kind), ok(7), score(1, 1, snapshot), live, score(1, 2)]))
        #expect(try wait(daemon, "score.home=1", "score.away=2") == .done)
        #expect(
            pipes.takeErrors() == [
                "viewctl: the daemon at /bus closed the connection; waiting for it"
            ])
    }

    @Test func `A view model that has ended meanwhile is gone`() throws {
        let joined = [hello, ok(2, kind), ok(3), score(0, 0, snapshot), live]
        let now = ScriptedDaemon(.init(lines: joined + [#"{"gone":"board/1"}"#]))
        #expect(try wait(now, "score.home=1") == .gone)
        let later = ScriptedDaemon(
            .init(lines: joined, closes: true), .init(lines: [ok(5), missing(6)]))
        #expect(try wait(later, "score.home=1") == .gone)
        let list = #"{"viewModels":[{"address":"board/1"}]}"#
        let gone = ScriptedDaemon(
            .init(lines: [hello, ok(2), ok(3, list), live, #"{"gone":"board/1"}"#]))
        #expect(try wait(gone, "gone") == .done)
        #expect(try wait(ScriptedDaemon(.init(lines: [hello, ok(2), ok(3)])), "gone") == .done)
    }
}
