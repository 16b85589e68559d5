import BusdClientTestSupport
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc
import TestSupport
import Testing

@testable import BusdClient
@testable import viewctl

/// Whole runs of a verb against a daemon that follows a script.
@Suite struct RunTests {
    let pipes: OutputFixture

    init() throws { pipes = try OutputFixture() }

    private func event(_ seq: Int, _ text: String, _ more: String = "") -> String {
        #"{"from":"echo/a","seq":\#(seq),\#(more)"event":{"said":{"text":"\#(text)"}}}"#
    }

    private let live = #"{"live":"echo/a","cursor":"k3:4"}"#
    private let joined = #"{"ok":{"to":"echo/a","matched":["echo/a"],"resumed":false},"id":2}"#
    private let hello = #"{"ok":{"protocol":1},"id":1}"#

    private func watch(
        _ daemon: ScriptedDaemon, _ words: String..., form: OutputForm = .json,
        within: Duration = .zero
    ) throws -> BusdOptions.ExitStatus {
        let arguments = try arguments(["watch"] + words)
        let session = try daemon.session(name: "viewctl", within: within)
        let watching = Watching(try Watch(arguments), session, pipes.console, form)
        return pipes.console.finish(pipes.console.status { try watching.run() })
    }

    // MARK: watch

    @Test func `The verb watch prints the lines of the bus, and none of the answers`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [
                hello, joined, live, #"{"ping":1}"#, #"{"later":1}"#, event(5, "a"),
                #"{"gap":"echo/a","missed":2}"#, event(8, "b", #""snapshot":true,"#),
                event(9, "c"), event(10, "never printed"),
            ]))
        #expect(try watch(daemon, "echo/a", "--as", "me", "--count", "3") == .done)
        #expect(
            pipes.takeOutput() == [
                live, event(5, "a"), #"{"gap":"echo/a","missed":2}"#,
                event(8, "b", #""snapshot":true,"#), event(9, "c"),
            ])
        #expect(pipes.takeErrors() == [])
        #expect(
            daemon.requests() == [
                [
                    #"{"op":"hello","protocol":1,"name":"viewctl","id":1}"#,
                    #"{"op":"subscribe","to":"echo/a","as":"me","id":2}"#,
                ]
            ])
    }

    @Test func `The verb watch can print text`() throws {
        let daemon = ScriptedDaemon(.init(lines: [hello, joined, live, event(5, "a b")]))
        #expect(try watch(daemon, "echo/a", "-n1", form: .text(plain)) == .done)
        #expect(pipes.takeOutput() == [#"echo/a  said  text="a b""#])
    }

    @Test func `The verb watch ends with the event it waits for`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [hello, joined, event(5, "a"), event(6, "end"), event(7, "b")]))
        #expect(try watch(daemon, "echo/a", "--until", "said.text=end") == .done)
        #expect(pipes.takeOutput() == [event(5, "a"), event(6, "end")])
    }

    @Test func `The verb watch reconnects after a loss, resumes, and reports it`() throws {
        let daemon = ScriptedDaemon(
            .init(
                lines: [hello, joined, live, event(5, "a")]
                    + [#"{"bye":{"code":"closing","message":"it ends"}}"#], closes: true),
            .init(lines: [event(6, "b")]))
        #expect(try watch(daemon, "echo/a", "b/*", "-n", "2") == .done)
        #expect(pipes.takeOutput() == [live, event(5, "a"), event(6, "b")])
        #expect(
            pipes.takeErrors() == [
                "viewctl: the daemon closed the connection: it ends (closing); trying again",
                "viewctl: connected",
            ])
        #expect(
            daemon.requests().last == [
                #"{"op":"hello","protocol":1,"name":"viewctl","id":4}"#,
                #"{"op":"subscribe","to":"echo/a","since":"k3:5","id":5}"#,
                #"{"op":"subscribe","to":"b/*","id":6}"#,
            ])
    }

    // MARK: Names of events

    private let described =
        #"{"ok":{"kind":"echo","viewEvents":[],"viewModelEvents":[{"name":"said","fields":{"text":"text","isEnd":"boolean","count":"integer?"}}]},"id":2}"#

    @Test(
        arguments: [
            (
                ["echo/a", "--until", "siad"], "the kind echo emits no event 'siad'",
                "  did you mean said?"
            ),
            (["echo/a", "--only", "said,other"], "the kind echo emits no event 'other'", nil),
            (
                ["echo/a", "--until", "said.txt=end"], "said has no field 'txt'",
                "  did you mean text?"
            ),
            (
                ["echo/a", "--until", "said.isEnd=yes"],
                "said.isEnd is true or false, not 'yes'", nil
            ),
            (
                ["echo/a", "--until", "said.count=1.5"],
                "said.count is of type integer, not '1.5'", nil
            ),
        ] as [([String], String, String?)])
    func `The verb watch refuses names that no event or field has`(
        words: [String], usageMessage: String, hint: String?
    ) throws {
        let daemon = ScriptedDaemon(.init(lines: [hello, described]))
        let session = try daemon.session(name: "viewctl")
        let watch = try Watch(arguments(["watch"] + words))
        let watching = Watching(watch, session, pipes.console, .json)
        #expect(throws: Outcome(.usage)) { try watching.run() }
        #expect(
            pipes.takeErrors() == ["viewctl watch: " + usageMessage] + [hint].compactMap(\.self))
        #expect(daemon.requests()[0].last == #"{"op":"describe","to":"echo/a","id":2}"#)
    }

    @Test func `A watch with a pattern checks the names of all kinds`() throws {
        let kinds = described.replacing("\"ok\":", with: "\"ok\":{\"kinds\":[")
            .replacing(",\"id\"", with: "]},\"id\"")
        let daemon = ScriptedDaemon(.init(lines: [hello, kinds]))
        #expect(try watch(daemon, "*/a", "--until", "siad") == .usage)
        #expect(pipes.takeErrors().first == "viewctl watch: the kind echo emits no event 'siad'")
        #expect(daemon.requests()[0].last == #"{"op":"describe","id":2}"#)
    }

    @Test func `The verb watch subscribes after the names have been checked`() throws {
        let joined = #"{"ok":{"to":"echo/a","matched":["echo/a"],"resumed":false},"id":3}"#
        let daemon = ScriptedDaemon(.init(lines: [hello, described, joined, event(5, "end")]))
        #expect(try watch(daemon, "echo/a", "--until", "said.text=end") == .done)
        #expect(
            daemon.requests()[0].dropFirst() == [
                #"{"op":"describe","to":"echo/a","id":2}"#,
                #"{"op":"subscribe","to":"echo/a","id":3}"#,
            ])
    }

    // MARK: send --events

    private func sendShowingEvents(_ daemon: ScriptedDaemon) throws -> BusdOptions.ExitStatus {
        let words = [
            "send", "echo/a", "say", #"{"text":"x"}"#, "--events", "--key", "k", "--json", "-t0",
        ]
        let arguments = try arguments(words)
        let session = try daemon.session()
        return pipes.console.finish(
            pipes.console.status {
                try Send(arguments).printEvents(session, .json, pipes.console)
            })
    }

    private func caused(_ seq: Int, by connection: Int, _ id: Int) -> String {
        event(seq, "x", #""cause":{"connection":\#(connection),"id":\#(id)},"#)
    }

    private let welcome = #"{"ok":{"protocol":1,"connection":7},"id":1}"#

    @Test func `The verb send prints the events that it causes, and no others`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [
                welcome, joined, live, event(5, "a"), caused(6, by: 6, 3), caused(7, by: 7, 3),
                caused(8, by: 7, 2), #"{"ok":{"seq":[7,7],"changed":true},"id":3}"#,
                caused(9, by: 7, 3),
            ]))
        #expect(try sendShowingEvents(daemon) == .done)
        #expect(pipes.takeOutput() == [caused(7, by: 7, 3)])
        #expect(pipes.takeErrors() == [])
        #expect(
            daemon.requests() == [
                [
                    #"{"op":"hello","protocol":1,"name":"viewctl","id":1}"#,
                    #"{"op":"subscribe","to":"echo/a","id":2}"#,
                    #"{"op":"send","to":"echo/a","event":{"say":{"text":"x"}},"key":"k","id":3}"#,
                ]
            ])
    }

    @Test(arguments: [
        (#""changed":false"#, "viewctl: nothing changed"),
        (
            #""changed":true"#,
            "viewctl: done, without an event of echo/a; the change may be at another address"
        ),
    ])
    func `The verb send reports why it has no event`(ok: String, message: String) throws {
        let daemon = ScriptedDaemon(
            .init(lines: [welcome, joined, live, #"{"ok":{\#(ok)},"id":3}"#]))
        #expect(try sendShowingEvents(daemon) == .done)
        #expect(pipes.takeOutput() == [])
        #expect(pipes.takeErrors() == [message])
    }

    @Test
    func `The verb send prints events that were caused before the connection was lost`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [welcome, joined, live], closes: true),
            .init(lines: [
                #"{"ok":{"protocol":1,"connection":9},"id":4}"#,
                #"{"ok":{"to":"echo/a","matched":["echo/a"],"resumed":true},"id":5}"#,
                caused(5, by: 7, 3), live,
                #"{"ok":{"seq":[5,5],"changed":true,"duplicate":true},"id":6}"#,
            ]))
        #expect(try sendShowingEvents(daemon) == .done)
        #expect(pipes.takeErrors() == [])
        #expect(
            daemon.requests().last?[1] == #"{"op":"subscribe","to":"echo/a","since":"k3:4","id":5}"#
        )
    }

    @Test func `A refused send with events prints the refusal`() throws {
        let refusal = #"{"error":{"code":"stale","message":"no"},"id":3}"#
        let daemon = ScriptedDaemon(.init(lines: [welcome, joined, live, refusal]))
        #expect(try sendShowingEvents(daemon) == .refused)
        #expect(pipes.takeErrors() == ["viewctl: no (stale)"])
    }

    @Test func `The verb watch takes a cursor`() throws {
        let daemon = ScriptedDaemon(.init(lines: [event(6, "b")]))
        #expect(try watch(daemon, "echo/a", "--since", "k3:5", "-n1") == .done)
        #expect(
            daemon.requests()[0].last
                == #"{"op":"subscribe","to":"echo/a","since":"k3:5","id":2}"#)
    }

    @Test func `The verb watch ends when all it watches has gone`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [#"{"gone":"echo/a"}"#, event(6, "b"), #"{"gone":"echo/b"}"#]))
        #expect(try watch(daemon, "echo/a", "echo/b") == .gone)
        #expect(
            pipes.takeOutput() == [#"{"gone":"echo/a"}"#, event(6, "b"), #"{"gone":"echo/b"}"#])
        #expect(pipes.takeErrors() == ["viewctl: echo/a is gone", "viewctl: echo/b is gone"])
    }

    @Test
    func `A watch that waits for an event ends with 4 when the view model is deleted`() throws {
        let daemon = ScriptedDaemon(.init(lines: [event(5, "a"), #"{"gone":"echo/a"}"#]))
        #expect(try watch(daemon, "echo/a", "--until", "said.text=end").rawValue == 4)
    }

    @Test func `The verb watch goes on when some view model of a pattern has gone`() throws {
        let daemon = ScriptedDaemon(.init(lines: [#"{"gone":"echo/a"}"#, event(6, "b")]))
        #expect(try watch(daemon, "echo/*", "-n1") == .done)
    }

    @Test func `The verb watch reports a view model that was deleted during a loss`() throws {
        let refusal = #"{"error":{"code":"unknownViewModel","message":"no"},"id":4}"#
        let daemon = ScriptedDaemon(
            .init(lines: [hello, joined, live], closes: true), .init(lines: [refusal]))
        #expect(try watch(daemon, "echo/a") == .gone)
        #expect(
            pipes.takeErrors() == [
                "viewctl: the daemon at /bus closed the connection; trying again",
                "viewctl: connected", "viewctl: echo/a is gone",
            ])
    }

    @Test func `A watch of a missing view model is refused`() throws {
        let refusal =
            #"{"error":{"code":"unknownViewModel","message":"no","suggestions":["echo/a"]},"id":2}"#
        let daemon = ScriptedDaemon(.init(lines: [hello, refusal]))
        #expect(try watch(daemon, "echo/b") == .refused)
        #expect(
            pipes.takeErrors() == ["viewctl: no (unknownViewModel)", "  did you mean echo/a?"])
    }

    @Test func `A watch without a daemon does not wait for one`() throws {
        #expect(try watch(ScriptedDaemon(), "echo/a") == .noConnection)
        #expect(
            pipes.takeErrors() == [
                "viewctl: no daemon listens at /bus: start one with busd --socket /bus"
            ])
    }

    @Test func `The verb watch tries again while too many clients wait to connect`() throws {
        let daemon = ScriptedDaemon(.init(lines: [event(6, "b")]))
        daemon.fullAttempts = 3
        #expect(try watch(daemon, "echo/a", "-n1") == .done)
        #expect(
            pipes.takeErrors() == [
                "viewctl: the daemon at /bus has too many clients waiting; trying again",
                "viewctl: connected",
            ])
    }

    @Test func `The verb watch ends when its time has passed`() throws {
        let daemon = ScriptedDaemon(.init(lines: []))
        #expect(try watch(daemon, "echo/a", within: .seconds(3)) == .timedOut)
        #expect(pipes.takeErrors() == ["viewctl: timed out"])
    }

    @Test func `The verb watch ends when its output is closed, even without an event`() throws {
        let daemon = ScriptedDaemon(.init(lines: [hello, joined]))
        let session = try daemon.session()
        let reader = try Reader()
        let console = Console(of: "viewctl", output: reader.input.number)
        let watching = Watching(
            try Watch(arguments("watch", "echo/a")), session, console, .json)
        session.connection.listen(reader) { reader, _ in reader.output = nil }
        #expect(console.status { try watching.run() } == .done)
        #expect(console.finish(.done) == .done)
    }

    /// Reads the output of `watch` until the first event.
    private final class Reader {
        let input: Descriptor
        var output: Descriptor?

        init() throws { (output, input) = try openPipe() }
    }

    // MARK: Questions

    private func ask(_ daemon: ScriptedDaemon, within: Duration = .zero) throws -> JSONValue {
        try daemon.session(within: within).answer(to: .ping)
    }

    @Test func `A question ends with its answer`() throws {
        let daemon = ScriptedDaemon(.init(lines: [#"{"ok":{"a":1},"id":1}"#]))
        #expect(try String(decoding: ask(daemon).json, as: UTF8.self) == #"{"a":1}"#)
    }

    @Test func `A question ends with its refusal`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [#"{"error":{"code":"notAllowed","message":"no"},"id":1}"#]))
        #expect(throws: RequestFailure.refused(WireError(.notAllowed, "no"))) { try ask(daemon) }
    }

    @Test func `A question is asked again after a loss`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [], closes: true), .init(lines: [#"{"ok":{},"id":2}"#]))
        _ = try ask(daemon)
        #expect(
            daemon.requests() == [[#"{"op":"ping","id":1}"#], [#"{"op":"ping","id":2}"#]])
    }

    @Test func `A question tries again while too many clients wait to connect`() throws {
        let daemon = ScriptedDaemon(.init(lines: [#"{"ok":{},"id":1}"#]))
        daemon.fullAttempts = 3
        _ = try ask(daemon)
    }

    @Test func `The program viewctl does not reconnect to a server of another protocol`() throws {
        let daemon = ScriptedDaemon(.init(lines: ["HTTP/1.1 400"]), .init(lines: []))
        let reason = "expected a value, at byte 1"
        #expect(throws: RequestFailure.lost(.malformed(path: "/bus", reason: reason))) {
            try ask(daemon)
        }

        let other = ScriptedDaemon(.init(lines: ["HTTP/1.1 400"]), .init(lines: []))
        #expect(try watch(other, "echo/a") == .noConnection)
        #expect(
            pipes.takeErrors() == [
                "viewctl: cannot use the daemon at /bus: expected a value, at byte 1"
            ])
    }

    @Test func `A question fails without a daemon, or without an answer`() throws {
        let noDaemon = RequestFailure.lost(.noDaemon(path: "/bus"))
        #expect(throws: noDaemon) { try ask(ScriptedDaemon()) }
        #expect(throws: RequestFailure.timedOut) {
            try ask(ScriptedDaemon(.init(lines: [])), within: .seconds(5))
        }
        #expect(throws: noDaemon) {
            try ask(ScriptedDaemon(.init(lines: [], closes: true)), within: .seconds(5))
        }
    }

    // MARK: Answers

    private func show(_ question: some Question, _ ok: String, _ form: OutputForm) throws
        -> [String]
    {
        question.show(Answer(value: try json(ok), delay: .zero), form, pipes.console)
        pipes.console.flush()
        return pipes.takeOutput()
    }

    @Test func `In a pipe each verb prints one line for each part of its answer`() throws {
        let list = try List(arguments("list"))
        let get = try Get(arguments("get", "echo/a"))
        let send = try Send(arguments("send", "echo/a", "say"))
        #expect(
            try show(list, #"{"viewModels":[{"address":"a"},{"address":"b"}]}"#, .json)
                == [#"{"address":"a"}"#, #"{"address":"b"}"#])
        #expect(
            try show(get, #"{"events":[{"a":{}},{"b":{"t":"\#u{9B}"}}]}"#, .json)
                == [#"{"a":{}}"#, #"{"b":{"t":"\u009b"}}"#])
        #expect(try show(send, #"{"seq":[1,1]}"#, .json) == [#"{"seq":[1,1]}"#])
        #expect(try show(send, #"{"seq":[1,1]}"#, .text(plain)) == ["done, seq 1"])
        #expect(try show(list, "{}", .json) == [])
        let standing = try Get(arguments("get", "echo/a", "--cursor"))
        let ok = #"{"cursor":"k3:4","done":"k3:1","events":[{"a":{}}]}"#
        #expect(
            try show(standing, ok, .json) == [#"{"a":{}}"#, #"{"cursor":"k3:4","done":"k3:1"}"#])
        #expect(try show(standing, ok, .text(plain)) == ["a", "cursor k3:4", "done k3:1"])
        let describe = try Describe(arguments("describe"))
        #expect(
            try show(describe, #"{"kinds":[{"kind":"a"},{"kind":"b"}]}"#, .json)
                == [#"{"kind":"a"}"#, #"{"kind":"b"}"#])
    }
}

@Suite struct ConsoleTests {
    @Test func `A write error is reported, and has its own exit status`() throws {
        let (errors, input) = try openPipe()
        let full = Descriptor(file: open("/dev/full", O_WRONLY))
        let console = Console(of: "viewctl", output: full.number, errors: input.number)
        console.put(lines: ["lost"])
        #expect(console.finish(.done) == .outputFailed)
        #expect(!console.isOpen)

        #expect(
            errors.readText().text == "viewctl: standard output: No space left on device\n")
    }

    @Test func `Console without lines writes nothing`() throws {
        let console = Console(of: "viewctl", output: -1)
        #expect(console.finish(.refused) == .refused)
    }
}
