import BusdOptions
import BusdProtocol
import BusdScreens
import Testing

@testable import BusdClient
@testable import viewctl

@Suite struct ArgumentsTests {
    private func line(_ request: BusRequest) -> String {
        String(decoding: request.line(id: 1).dropLast(), as: UTF8.self)
    }

    // MARK: Requests

    @Test func `Each verb has its request`() throws {
        #expect(line(try List(arguments("list")).request) == #"{"op":"list","to":"**","id":1}"#)
        #expect(
            line(try List(arguments("list", "a/*")).request)
                == #"{"op":"list","to":"a/*","id":1}"#)
        #expect(
            line(try Describe(arguments("describe", "games")).request)
                == #"{"op":"describe","to":"games","id":1}"#)
        #expect(
            line(try Get(arguments("get", "games")).request)
                == #"{"op":"get","to":"games","id":1}"#)
        #expect(line(try Ping(arguments("ping")).request) == #"{"op":"ping","id":1}"#)
    }

    @Test
    func `The verb send takes a bare name, or a name and a payload of one line or more`() throws {
        #expect(
            line(try Send(arguments("send", "a/1", "togglePause", "--key", "k")).request)
                == #"{"op":"send","to":"a/1","event":"togglePause","key":"k","id":1}"#)
        #expect(
            line(
                try Send(arguments("send", "a/1", "undo", "-k", "k", "--if-done", "k3:4")).request)
                == #"{"op":"send","to":"a/1","event":"undo","ifDone":"k3:4","key":"k","id":1}"#)
        #expect(
            line(
                try Send(
                    arguments(
                        "send", "a/1", "say", "{\"text\":\n \"x\"}", "-k", "k", "--if-seq", "3")
                ).request)
                == #"{"op":"send","to":"a/1","event":{"say":{"text":  "x"}},"ifSeq":3,"#
                + #""key":"k","id":1}"#
        )
    }

    @Test func `The verb send makes a key if none is given`() throws {
        let lines = try (0..<2).map { _ in
            line(try Send(arguments("send", "a/1", "togglePause")).request)
        }
        let keys = try lines.map { try #require(try json($0)["key"]?.text) }
        #expect(keys[0] != keys[1] && !keys[0].isEmpty)
    }

    @Test func `The verb watch takes patterns, filters and limits`() throws {
        let watch = try Watch(
            arguments(
                "watch", "a/1", "b/**", "--only", "score,finished", "--until",
                "finished.isFinished=true", "-n", "3", "--as", "me"))
        #expect(watch.patterns.map(\.text) == ["a/1", "b/**"])
        #expect(watch.only == ["score", "finished"])
        #expect(watch.until == Condition("finished.isFinished=true"))
        #expect(watch.count == 3 && watch.viewName == "me" && watch.since == nil)

        let since = try Watch(arguments("watch", "a/1", "--since", "k3:4"))
        #expect(since.since == Cursor(mark: "k3", seq: 4) && since.only == nil)
    }

    // MARK: Usage errors

    @Test func `Invalid arguments are refused before anything is done`() throws {
        let cases: [(String?, String)] = [
            (usageMessage { try arguments() }, "viewctl: missing verb"),
            (usageMessage { try arguments("lst") }, "viewctl: unknown verb 'lst'"),
            (usageMessage { try arguments("get") }, "viewctl get: missing ADDRESS"),
            (usageMessage { try arguments("ping", "x") }, "viewctl ping: unexpected operand 'x'"),
            (
                usageMessage { try List(arguments("list", "a b")) },
                "viewctl list: 'a b' is neither an address nor a pattern"
            ),
            (
                usageMessage { try Get(arguments("get", "a/**")) },
                "viewctl get: 'a/**' is not an address"
            ),
            (
                usageMessage { try Get(arguments("get", "a\u{1B}")) },
                #"viewctl get: 'a\u{1B}' is not an address"#
            ),
            (
                usageMessage { try Send(arguments("send", "a", "b", "{")) },
                "viewctl send: PAYLOAD is not JSON: expected a key, at byte 2"
            ),
            (
                usageMessage { try Send(arguments("send", "a", "b", "--key", "")) },
                "viewctl send: --key needs a text of 1 to 200 bytes"
            ),
            (
                usageMessage { try Send(arguments("send", "a", "b", "--if-seq", "-1")) },
                "viewctl send: --if-seq needs a cursor from get --cursor or live, or a seq, not '-1'"
            ),
            (
                usageMessage { try Send(arguments("send", "a", "b", "--if-done", "3")) },
                "viewctl send: --if-done needs a done from get --cursor or live, not '3'"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "-n", "0")) },
                "viewctl watch: --count needs a whole number from 1 to 9223372036854775807, not '0'"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "b", "--since", "k:1")) },
                "viewctl watch: --since needs exactly one address"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a/*", "--since", "k:1")) },
                "viewctl watch: --since needs exactly one address"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a/*", "--resume", "f")) },
                "viewctl watch: --resume needs exactly one address"
            ),
            (
                usageMessage {
                    try Watch(arguments("watch", "a", "--since", "k:1", "--resume", "f"))
                },
                "viewctl watch: --since and --resume exclude each other"
            ),
            (usageMessage { try Wait(arguments("wait", "a")) }, "viewctl wait: missing CONDITION"),
            (
                usageMessage { try Wait(arguments("wait", "a", "b.c", "gone")) },
                "viewctl wait: gone is the only condition, or none"
            ),
            (
                usageMessage { try Wait(arguments("wait", "a", "b")) },
                "viewctl wait: 'b' is no condition: give one such as score.home>=11, or gone"
            ),
            (
                usageMessage { try Wait(arguments("wait", "a", "b=1")) },
                "viewctl wait: 'b=1' is no condition: give one such as score.home>=11, or gone"
            ),
            (
                usageMessage { try Get(arguments("get", "a", "b.c=1")) },
                "viewctl get: 'b.c=1' is no value: give one such as score.home"
            ),
            (
                usageMessage { try SendCommand(arguments("send", "a")) },
                "viewctl send: missing EVENT"
            ),
            (
                usageMessage { try SendCommand(arguments("send", "-", "x")) },
                "viewctl send: the events are in the lines of standard input"
            ),
            (
                usageMessage { try SendCommand(arguments("send", "-", "--key", "k")) },
                "viewctl send: --key is for one event"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "--since", "x")) },
                "viewctl watch: --since needs a cursor from a live line, not 'x'"
            ),
            (
                usageMessage {
                    try Watch(arguments("watch", "a", "--only", "x,y", "--until", "z"))
                },
                "viewctl watch: --until waits for z, which --only leaves out"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "--until", "a..b")) },
                "viewctl watch: --until needs a name or a condition, not 'a..b'"
            ),
            (
                usageMessage { try Viewctl.settings(arguments("ping", "--json", "--plain")) },
                "viewctl ping: --json and --plain exclude each other"
            ),
            (
                usageMessage { try Viewctl.settings(arguments("ping", "-t", "soon")) },
                "viewctl ping: --timeout needs a number of seconds, such as 2 or 0.5, not 'soon'"
            ),
        ]
        for (found, expected) in cases { #expect(found == expected) }
    }

    @Test func `Global options go before the verb or after it`() throws {
        for words in [["-s", "/bus", "-t", "0.5", "ping"], ["ping", "--socket", "/bus", "-t0.5"]] {
            let settings = try Viewctl.settings(arguments(words))
            #expect(settings.socket == "/bus" && settings.timeout == .milliseconds(500))
        }
    }

    @Test func `Another daemon is given by its name, and not beside a socket`() throws {
        for words in [["--daemon", "kitchend", "ping"], ["ping", "--daemon=kitchend"]] {
            let settings = try Viewctl.settings(arguments(words))
            #expect(settings.daemon == "kitchend" && settings.socket == nil)
        }
        #expect(try Viewctl.settings(arguments("ping")).daemon == .busd)
        #expect(
            usageMessage {
                try Viewctl.settings(arguments("ping", "-s", "/s", "--daemon", "kitchend"))
            }
                == "viewctl ping: --socket and --daemon exclude each other")
        #expect(
            usageMessage { try Viewctl.settings(arguments("ping", "--daemon", "Kitchen")) }
                == "viewctl ping: --daemon 'Kitchen': a daemon's name must have 1 to 32 characters: "
                + "lowercase letters, digits and '-', with a letter first")
    }

    @Test func `The help fits on 80 columns`() throws {
        let names = Viewctl.commands.map { $0.name }
        for words in [["--help"]] + names.map({ [$0, "--help"] }) {
            guard case .show(let text) = try Viewctl.program.parse(words) else { throw NotRun() }
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }
}
