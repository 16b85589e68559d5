import Glibc
import TestSupport
import Testing

/// The clients, with a daemon on another machine.
struct SSHTests {
    private let bus: BusFixture
    private let ssh: FakeSSH

    init() throws {
        bus = try BusFixture()
        ssh = try FakeSSH()
    }

    private func createGame() throws {
        try bus.run(
            try Products.path("viewctl"), "send", "games", "createGame",
            #"{"home":{"name":"A","players":["Ann","Bo","Cy"]},"#
                + #""away":{"name":"B","players":["Dee","Eli","Fay"]}}"#, "--plain"
        ).expect(output: "done, seq 1 to 2, made scoreboard/1\n")
    }

    private func say(_ text: String) throws {
        let outcome = try bus.run(
            try Products.path("viewctl"), "send", "echo/x", "say", #"{"text":"\#(text)"}"#)
        outcome.expect(output: outcome.output)
    }

    @Test(arguments: [["list"], ["get", "echo/x"], ["describe", "echo"], ["ping"]])
    func `The program viewctl prints the same through ssh as locally`(words: [String]) throws {
        try say("one")
        let local = try bus.start([try Products.path("viewctl")] + words).outcome()
        let command = [try Products.path("viewctl"), "--host", "court", "--socket", bus.socket]
        let remote = try Child(command + words, environment: ["PATH": try ssh.path]).outcome()
        #expect(remote == local)
        #expect(remote.status == 0)
    }

    @Test func `The program viewctl sends events through ssh`() throws {
        try ssh.run("viewctl", "send", "echo/x", "say", #"{"text":"a"}"#, on: bus.socket)
            .expect(output: #"{"seq":[1,1],"changed":true}"# + "\n")
        try ssh.run(
            "viewctl", "send", "echo/x", "say", #"{"text":"b"}"#, "--events", "--plain",
            on: bus.socket
        ).expect(output: "echo/x  said  text=b\n")
    }

    @Test func `All clients use the host that BUSD_HOST names`() throws {
        try createGame()
        let environment = ["PATH": try ssh.path, "BUSD_HOST": "court"]
        try Child(
            [try Products.path("scoreboard"), "--socket", bus.socket, "--once"],
            environment: environment
        ).outcome().expect(output: "A 0 - 0 B  00:00.0  paused\n")
        try Child(
            [try Products.path("books"), "--socket", bus.socket, "--once"],
            environment: environment
        ).outcome().expect(output: "0% KNOWN\n")
        let login = try Child(
            [try Products.path("busd-login"), "--socket", bus.socket, "--user", "ann"],
            input: "secret\n", environment: environment
        ).outcome()
        #expect(login.status == 5)
    }

    // MARK: A lost connection

    @Test func `The verb watch resumes after ssh was killed, and no event is lost`() throws {
        let watch = try ssh.start("viewctl", "watch", "echo/x", on: bus.socket)
        #expect(try watch.output.line()?.hasPrefix(#"{"live":"echo/x""#) == true)
        try say("one")
        #expect(try watch.output.line()?.hasSuffix(#""event":{"said":{"text":"one"}}}"#) == true)
        try ssh.kill()
        for text in ["two", "three"] { try say(text) }
        // The connection may be back before an event is said, so `live` has no fixed place.
        let lines = try (0..<3).map { _ in try watch.output.line() ?? "" }
        #expect(lines.count { $0.hasPrefix(#"{"live":"echo/x""#) } == 1)
        let events = lines.filter { !$0.hasPrefix(#"{"live":"#) }
        for (line, text) in zip(events, ["two", "three"]) {
            #expect(line.hasSuffix(#""event":{"said":{"text":"\#(text)"}}}"#))
        }
        // The first reason depends on whether the end of ssh or of its output is noticed first.
        let loss = try watch.errors.line()
        #expect(loss?.hasPrefix("viewctl: court: ") == true, "\(loss ?? "")")
        #expect(loss?.hasSuffix("; trying again") == true, "\(loss ?? "")")
        #expect(try watch.errors.line() == "viewctl: connected")
        watch.signal(SIGTERM)
        #expect(try watch.outcome().status == 128 + SIGTERM)
    }

    @Test func `The scoreboard resumes after ssh was killed`() throws {
        try createGame()
        let scoreboard = try ssh.start("scoreboard", "1", on: bus.socket)
        #expect(try scoreboard.output.line() == "A 0 - 0 B  00:00.0  paused")
        try ssh.kill()
        let viewctl = try Products.path("viewctl")
        _ = try bus.run(viewctl, "send", "scoreboard/1/home/1", "twoPointMove")
        #expect(try scoreboard.output.line() == "A 2 - 0 B  00:00.0  paused")
    }

    @Test func `The program books resumes after ssh was killed`() throws {
        let books = try ssh.start("books", on: bus.socket)
        #expect(try books.output.line() == "0% KNOWN")
        try ssh.kill()
        _ = try bus.run(
            try Products.path("books"), "import", "-", "--name", "Kanji", input: "水\twater\n")
        #expect(try books.output.line()?.hasPrefix("1  Kanji  1 card") == true)
    }

    @Test func `The program ssh ends when its client is killed`() throws {
        let daemon = try FakeDaemon()
        let watch = try ssh.start("viewctl", "watch", "echo/x", on: daemon.socket)
        let relay = daemon.accept()
        #expect(try relay.line() == #"{"op":"ping","id":0}"#)
        try relay.send(#"{"ok":{},"id":0}"#)
        #expect(try relay.line()?.hasPrefix(#"{"op":"hello""#) == true)
        #expect(try relay.line()?.hasPrefix(#"{"op":"subscribe""#) == true)
        watch.signal(SIGKILL)
        #expect(try watch.outcome().status == 128 + SIGKILL)
        #expect(try relay.rest() == "")
    }

    // MARK: Failures

    @Test(arguments: ["-oProxyCommand=touch /tmp/x", "ann@-x", "", "a b", "a\u{1B}[2J"])
    func `A host that ssh could misread is refused`(host: String) throws {
        for program in ["viewctl", "scoreboard", "books", "busd-login"] {
            let words = [try Products.path(program), "--host", host]
            let outcome = try Child(
                program == "viewctl" ? words + ["list"] : words,
                environment: ["PATH": try ssh.path]
            ).outcome()
            outcome.expect(status: 64, errors: outcome.errors)
            #expect(
                outcome.errors.contains("--host needs a host for ssh, such as ann@court, not '"))
            #expect(!outcome.errors.contains("\u{1B}"))
        }
        #expect(ssh.folder.names == ["ssh"])
    }

    @Test(arguments: ["viewctl", "scoreboard"])
    func `A missing viewctl on the other machine is reported`(program: String) throws {
        let bare = try FakeSSH(#"PATH=/nonexistent; eval "exec $*""#)
        let outcome =
            try program == "viewctl"
            ? bare.run(program, "list", on: bus.socket) : bare.run(program, on: bus.socket)
        outcome.expect(status: 1, errors: outcome.errors)
        #expect(
            outcome.errors.hasSuffix(
                "\n\(program): court: viewctl is not installed, or not in the PATH of a command "
                    + "that ssh runs\n"))
    }

    @Test func `An ssh that cannot connect is reported, after its own message`() throws {
        let closed = try FakeSSH("echo 'ssh: no route to court' >&2; exit 255")
        for words in [["viewctl", "watch", "echo/x"], ["books"]] {
            let program = [try Products.path(words[0]), "--host", "court"] + words.dropFirst()
            try Child(program, environment: ["PATH": try closed.path]).outcome().expect(
                status: 1,
                errors: "ssh: no route to court\n\(words[0]): court: ssh cannot connect\n")
        }
    }

    @Test func `A missing daemon on the other machine is reported by its relay`() throws {
        try ssh.run("viewctl", "list", on: "/nonexistent/it's.sock").expect(
            status: 1,
            errors: "viewctl: no daemon listens at /nonexistent/it's.sock\n"
                + "viewctl: no daemon listens at court:/nonexistent/it's.sock: "
                + "start one there\n")
    }

    @Test func `A remote shell that prints a greeting is reported`() throws {
        let chatty = try FakeSSH(#"echo Welcome; eval "exec $*""#)
        let outcome = try chatty.run("viewctl", "list", on: bus.socket)
        outcome.expect(
            status: 1,
            errors: "viewctl: cannot use the daemon at court:\(bus.socket): its first line is "
                + "'Welcome'; a shell that ssh starts there must print nothing by itself\n")
    }

    @Test func `The timeout also counts while ssh connects`() throws {
        let silent = try FakeSSH("exec cat >/dev/null")
        try silent.run("viewctl", "list", "--timeout", "0.1", on: bus.socket).expect(
            status: 1, errors: "viewctl: court: timed out while connecting\n")
    }
}

/// `viewctl relay` by itself.
struct RelayTests {
    @Test func `The relay passes on all requests and answers of a pipe, and then ends`() throws {
        let bus = try BusFixture()
        let requests = (1...200).map { #"{"op":"get","to":"games","id":\#($0)}\n"# }.joined()
        let command = #"printf '\#(requests)' | viewctl relay"#
        let outcome = try Child(
            ["bash", "-c", command],
            environment: ["PATH": try FakeSSH().path, "BUSD_SOCKET": bus.socket]
        ).outcome()
        let lines = outcome.output.split(separator: "\n")
        #expect(zip(1..., lines).allSatisfy { $1.hasSuffix(#"},"id":\#($0)}"#) })
        outcome.expect(output: outcome.output)
        #expect(lines.count == 200)
    }

    @Test func `Without a daemon the relay fails as other commands do`() throws {
        try Child.run(try Products.path("viewctl"), "relay", "--socket", "/nonexistent/s").expect(
            status: 1, errors: "viewctl: no daemon listens at /nonexistent/s\n")
    }

    @Test func `The relay connects to this machine, whatever host BUSD_HOST names`() throws {
        let bus = try BusFixture()
        try Child(
            [try Products.path("viewctl"), "relay", "--socket", bus.socket], input: "ping\n",
            environment: ["BUSD_HOST": "court"]
        ).outcome().expect(output: #"{"ok":{}}"# + "\n")
        let outcome = try Child.run(try Products.path("viewctl"), "relay", "--host", "court")
        #expect(outcome.status == 64)
    }

    @Test func `The relay passes 5 MB in each direction with a slow reader`() throws {
        let daemon = try FakeDaemon()
        let line = String(repeating: "0123456789", count: 9) + "abcdefghi\n"
        let text = String(repeating: line, count: 50_000)
        try daemon.folder.write(text, to: "text")
        // The reader takes 100 bytes at a time.
        let command = "viewctl relay <text | dd ibs=100 obs=100 status=none | cksum"
        let child = try Child(
            ["bash", "-c", "cd '\(daemon.folder.path)'; \(command)"],
            environment: ["PATH": try FakeSSH().path, "BUSD_SOCKET": daemon.socket])
        let relay = daemon.accept()
        #expect(try relay.rest() == text)
        try relay.sendAll(Array(text.utf8))
        relay.endInput()
        let sum = try Child.run("cksum", daemon.folder("text")).output.split(separator: " /")[0]
        try child.outcome().expect(output: sum + "\n")
    }

    @Test func `The relay ends when its output is closed, although its input goes on`() throws {
        let bus = try BusFixture()
        let command = "mkfifo f; exec 3<>f; echo ping >&3; viewctl relay <&3 | head -n1"
        try Child(
            ["bash", "-c", "cd '\(bus.folder.path)'; \(command)"],
            environment: ["PATH": try FakeSSH().path, "BUSD_SOCKET": bus.socket]
        ).outcome().expect(output: #"{"ok":{}}"# + "\n")
    }
}
