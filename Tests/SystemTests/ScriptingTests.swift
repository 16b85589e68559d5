import Glibc
import TestSupport
import Testing

/// Parts of viewctl for scripts, with a real daemon.
struct ScriptingTests {
    private let viewctl: String
    private let bus: BusFixture

    init() throws {
        viewctl = try Products.path("viewctl")
        bus = try BusFixture()
        let game =
            #"{"home":{"name":"A\\B","players":["Ann"]},"away":{"name":"Jets","players":["Bo"]}}"#
        #expect(try bus.run(viewctl, "send", "games", "createGame", game).status == 0)
    }

    // MARK: get

    @Test func `Paths are printed as one value per line`() throws {
        try bus.run(
            viewctl, "get", "scoreboard/1", "score.home", "teams.home", "finished.winner",
            "paused.isPaused", "players.home", "players.home.0", "players.home.7"
        ).expect(
            output: "0\nA\\\\B\n\ntrue\n[\"scoreboard/1/home/1\"]\nscoreboard/1/home/1\n\n")
        try bus.run(viewctl, "get", "scoreboard/1", "score.hom").expect(
            status: 64, errors: "viewctl get: score has no field 'hom'\n  did you mean home?\n")
        try bus.run(viewctl, "get", "scoreboard/9", "score.home").expect(
            status: 2,
            errors: "viewctl: there is no view model and no kind scoreboard/9 "
                + "(unknownViewModel)\n  did you mean scoreboard/1 or scoreboard?\n")
    }

    // MARK: send

    @Test func `The lines of standard input are sent in order, and refused ones are named`() throws
    {
        let lines = """
            scoreboard/1/home/1 twoPointMove
            scoreboard/1 setClock   {"time": "01:00"}\u{20}

            scoreboard/1 renameTeam {"side":"home","name":"Hawks","was":"Owls"}
            scoreboard//1 undo
            scoreboard/1
            scoreboard/1 setClock {"time":
            scoreboard/1/home/1 onePointMove
            """
        let outcome = try bus.run(viewctl, "send", "-", input: lines)
        #expect(outcome.status == 2)
        #expect(
            outcome.output.split(separator: "\n").allSatisfy { $0.contains(#""changed":true"#) })
        #expect(outcome.output.split(separator: "\n").count == 3)
        let errors = outcome.errors.split(separator: "\n").sorted()
        #expect(errors.count == 4)
        #expect(errors[0].hasPrefix("viewctl: line 4: scoreboard/1 renameTeam: "))
        #expect(errors[0].hasSuffix("(stale)"))
        #expect(
            errors[1...].map(String.init) == [
                "viewctl: line 5: 'scoreboard//1' is not an address",
                "viewctl: line 6: the event is missing",
                "viewctl: line 7: the payload is not JSON: expected a value, at byte 9",
            ])
        try bus.run(viewctl, "get", "scoreboard/1", "score.home").expect(output: "3\n")
    }

    @Test func `Thousands of lines are sent, and a line without end is refused`() throws {
        let say = (1...3_000).map { "echo/me say {\"text\":\"\($0)\"}\n" }.joined()
        let long = String(repeating: "x", count: 200_000)
        let outcome = try bus.run(
            viewctl, "send", "-", input: say + long + "\necho/me say {\"text\":\"last\"}")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "viewctl: line 3001: the line has more than 65536 bytes\n")
        #expect(outcome.output.split(separator: "\n").count == 3_001)
    }

    @Test func `A send that changes nothing has its own status if that is asked for`() throws {
        let pause = ["send", "scoreboard/1", "pause"]
        try bus.start([viewctl] + pause).outcome().expect(output: "{\"changed\":false}\n")
        try bus.start([viewctl] + pause + ["--expect-change"]).outcome().expect(
            status: 6, output: "{\"changed\":false}\n")
        try bus.run(viewctl, "send", "-", "-x", input: "scoreboard/1 pause\n").expect(
            status: 6, output: "{\"changed\":false}\n",
            errors: "viewctl: line 1: scoreboard/1 pause: nothing has changed\n")
    }

    // MARK: watch

    @Test func `A program runs for each event, one at a time`() throws {
        let program = bus.folder("program.sh")
        try bus.folder.write(
            """
            #!/bin/sh
            printf '%s|%s|%s|%s|' "$EVENT_FROM" "$EVENT_NAME" "$EVENT_SEQ" "$EVENT_text"
            cat
            [ "$EVENT_text" != '$(exit)' ]
            """, to: "program.sh")
        try Child.run("chmod", "+x", program).expect()
        let watching = try bus.start([
            viewctl, "watch", "echo/me", "--exec", program, "--count", "3",
        ])
        let asker = try bus.connect()
        while try asker.ask("get bus/views")?.contains(#""to":"echo/me""#) == false {}
        try asker.send(
            #"send echo/me say {"text":"a b"}"#, #"send echo/me say {"text":"$(exit)"}"#,
            #"send echo/me say {"text":"é"}"#)
        func line(_ seq: Int, _ text: String) -> String {
            "echo/me|said|\(seq)|\(text)|"
                + #"{"from":"echo/me","seq":\#(seq),"event":{"said":{"text":"\#(text)"}}}"# + "\n"
        }
        try watching.outcome().expect(
            output: line(1, "a b") + line(2, "$(exit)") + line(3, "é"),
            errors: "viewctl: \(program) ended with status 1\n")
        for (path, reason) in ["/no/such": "No such file or directory", "/": "Is a directory"] {
            try bus.run(viewctl, "watch", "games", "--exec", path).expect(
                status: 64,
                errors: "viewctl watch: --exec: \(path): \(reason)\n"
                    + "Try 'viewctl watch --help'.\n")
        }
    }

    @Test func `A watch resumes where the run before has ended`() throws {
        let file = bus.folder("cursor")
        func watch(_ count: Int, _ errors: String = "") throws -> [Substring] {
            let outcome = try bus.run(
                viewctl, "watch", "scoreboard/1", "--resume", file, "--only", "score", "-n",
                "\(count)")
            #expect(outcome.status == 0)
            #expect(outcome.errors == errors)
            return outcome.output.split(separator: "\n").filter { $0.contains("\"score\"") }
        }
        func score(_ points: Int) throws {
            for _ in 0..<points {
                #expect(
                    try bus.run(viewctl, "send", "scoreboard/1/home/1", "onePointMove").status == 0)
            }
        }
        #expect(try watch(1).first?.contains(#""text":"0 - 0""#) == true)
        // The run ended within the snapshot.
        try score(1)
        #expect(try watch(1).first?.contains(#""text":"1 - 0""#) == true)
        let live = try bus.run(
            viewctl, "watch", "scoreboard/1", "--resume", file, "-t", "1", "--only", "paused")
        #expect(live.status == 3)
        try score(3)
        let rest = try watch(3)
        #expect(rest.map { $0.contains("snapshot") } == [false, false, false])
        #expect(rest.last?.contains(#""text":"4 - 0""#) == true)
        try bus.folder.write("k3:1\n", to: "cursor")
        #expect(
            try watch(
                1,
                "viewctl: the daemon does not have all events since the last run: the present values "
                    + "follow\n"
            ).count == 1)
        try bus.folder.write("nonsense\n", to: "cursor")
        try bus.run(viewctl, "watch", "scoreboard/1", "--resume", file).expect(
            status: 65, errors: "viewctl: \(file) has no cursor: remove it to begin anew\n")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [false, true])
    func `After a signal, the resume file has what was printed`(
        signal: Int32, runsProgram: Bool
    ) throws {
        let file = bus.folder("cursor")
        let sender = try bus.connect()
        try sender.send(#"{"op":"subscribe","to":"echo/s","only":[]}"#)
        let program = runsProgram ? ["--exec", "/bin/cat"] : []
        for round in 1...8 {
            let watching = try bus.start(
                [viewctl, "watch", "echo/s", "--resume", file, "--as", "w\(round)"] + program)
            while try sender.ask("get bus/views")?.contains(#""w\#(round)""#) != true {}
            for _ in 1...60 { try sender.send(#"send echo/s say {"text":"x"}"#) }
            var lines: [String] = []
            while lines.count < round {
                guard let line = try watching.output.line() else { break }
                if line.contains(#""event""#) { lines.append(line) }
            }
            watching.signal(signal)
            let outcome = try watching.outcome()
            #expect(outcome.status == 128 + signal)
            lines += outcome.output.split(separator: "\n").map(String.init)
            let last = try #require(lines.last { $0.contains(#""event""#) })
            let seq = try #require(last.firstMatch(of: /"seq":(\d+)/)?.1)
            let noted = try bus.folder.text(of: "cursor")
            #expect(noted.hasSuffix(":\(seq)\n"), "round \(round)")
        }
    }

    // MARK: who

    @Test func `Clients are listed by user, with what they watch`() throws {
        let view = try bus.connect()
        try view.send(#"{"op":"hello","protocol":1,"name":"court"}"#, "subscribe games/** list")
        try view.line(with: #""live":"games/**""#)
        let who = try bus.run(viewctl, "who")
        #expect(who.status == 0)
        #expect(
            who.output.contains(
                #""name":"court","as":"list","to":"games/**","access":"control""#))
        let user = try Child.run("id", "-un").output.dropLast()
        #expect(who.output.hasPrefix(#"{"user":"\#(user)","uid":"#))
        let table = try bus.run(viewctl, "who", "--plain")
        #expect(table.output.hasPrefix("USER"))
        #expect(table.output.contains("games/**"))
    }
}
