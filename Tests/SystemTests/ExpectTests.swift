import Glibc
import TestSupport
import Testing

/// `viewctl expect`, with daemons of its own.
struct ExpectTests {
    private let viewctl: String
    private let folder: Folder

    init() throws {
        viewctl = try Products.path("viewctl")
        folder = try Folder()
    }

    private func expect(_ text: String, _ options: String...) throws -> Child.Outcome {
        try folder.write(text, to: "file")
        return try Child([viewctl, "expect", folder("file")] + options).outcome()
    }

    private let head = """
        # Two clients of one echo.
        ann> subscribe echo/a
        ann< {"ok":{"to":"echo/a","matched":["echo/a"],"resumed":false}}
        ann< {"live":"echo/a","cursor":"$start",…}

        """

    private let said = """
        bo> {"op":"send","to":"echo/a","event":{"say":{"text":"hi"}},"ifSeq":"$start","id":1}
        ann< {"from":"echo/a","seq":1,…"event":{"said":{"text":"hi"}}}
        bo< {"ok":{"seq":[1,1],"changed":true},"id":1}

        """

    @Test func `A transcript that holds says so`() throws {
        try expect(head + said).expect(output: "\(folder("file")): 2 steps, as expected\n")
    }

    @Test func `A daemon's folder is removed with all that is in it`() throws {
        try folder.write(head + said, to: "file")
        mkdir(folder("temporary"), 0o700)
        let run = try Child(
            [viewctl, "expect", folder("file")], environment: ["TMPDIR": folder("temporary")])
        try run.outcome().expect(output: "\(folder("file")): 2 steps, as expected\n")
        #expect(TestSupport.names(in: folder("temporary")) == [])
    }

    @Test func `A difference names the file, the line and the client`() throws {
        try expect(head + said.replacing("text\":\"hi\"}}}", with: "text\":\"ho\"}}}")).expect(
            status: 2,
            errors: "\(folder("file")):6: ann: "
                + #"expected {"from":"echo/a","seq":1,…"event":{"said":{"text":"ho"}}}"#
                + "\n  but got "
                + #"{"from":"echo/a","seq":1,"cause":{"connection":2,"id":1},"event":{"said":"#
                + #"{"text":"hi"}}}"# + "\n")
        // The daemon answers a ping after all that was sent before, so nothing is missed.
        try expect(head + "ann> list echo/a\n").expect(
            status: 2,
            errors: "\(folder("file")):5: ann: not expected: "
                + #"{"ok":{"viewModels":[{"address":"echo/a","kind":"echo","views":1,"seq":0}]}}"#
                + "\n")
    }

    @Test func `The clock moves by itself never, and by a step exactly`() throws {
        let team = #"{"name":"T","players":["a"]}"#
        try expect(
            """
            ann> send games createGame {"home":\(team),"away":\(team)}
            ann> send scoreboard/1 resume
            @ 61.5
            ann> get scoreboard/1
            ann< {"ok":{…{"time":{"text":"01:01.5"}}…}}
            """
        ).expect(output: "\(folder("file")): 4 steps, as expected\n")
    }

    @Test(arguments: [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
        40,
    ])
    func `A signal removes the folder and ends the daemon`(signal: Int32) throws {
        try folder.write(head + "ann< never\n", to: "file")
        // The daemon tells that it runs, and how it ends.
        try folder.write(
            "#!/bin/sh\necho $$ >'\(folder("daemon"))'\nexec '\(try Products.path("busd"))' \"$@\"\n",
            to: "program")
        chmod(folder("program"), 0o755)
        mkfifo(folder("daemon"), 0o600)
        mkdir(folder("temporary"), 0o700)
        let run = try Child(
            [viewctl, "expect", folder("file"), "--program", folder("program")],
            environment: ["TMPDIR": folder("temporary"), "SWIFT_BACKTRACE": "enable=no"])
        let daemon = try #require(pid_t(try folder.text(of: "daemon").dropLast()))
        run.signal(signal)
        try run.outcome().expect(status: 128 + signal)
        #expect(kill(daemon, 0) != 0 && errno == ESRCH)
        #expect(TestSupport.names(in: folder("temporary")) == [])
    }

    @Test func `An update keeps comments, values and ellipses`() throws {
        let old =
            head + "ann< {\"gone\":\"never\"}\n" + said.replacing("\"seq\":1", with: "\"seq\":2")
            + "# the end\n"
        let outcome = try expect(old, "--update")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output == "\(folder("file")): updated in 2 places\n")
        let text = try folder.text(of: "file")
        #expect(
            text == head
                + said.replacing(
                    #"{"from":"echo/a","seq":1,…"event""#,
                    with: #"{"from":"echo/a","seq":1,"cause":{"connection":2,"id":1},"event""#)
                + "# the end\n")
        try Child([viewctl, "expect", folder("file"), "-u"]).outcome().expect(
            output: "\(folder("file")): 2 steps, as expected\n")
    }

    @Test func `A broken transcript is refused with its place`() throws {
        try expect("ann> ping\nhello\n").expect(
            status: 65,
            errors:
                "\(folder("file")):2: it is neither NAME> REQUEST, NAME< LINE, @ SECONDS, nor a "
                + "# comment\n"
        )
        try expect("ann> get $x\n").expect(
            status: 65, errors: "\(folder("file")):1: $x was not captured\n")
        try Child([viewctl, "expect", folder("none")]).outcome().expect(
            status: 65, errors: "viewctl: \(folder("none")): No such file or directory\n")
        try expect("ann> ping\n", "--program", "/bin/false").expect(
            status: 1, errors: "\(folder("file")): the daemon does not start: \n")
        try expect("ann> ping\n", "--program", "/no/such").expect(
            status: 1, errors: "viewctl: /no/such: No such file or directory\n")
    }

    @Test func `Each transcript of the examples holds`() throws {
        let names = try Package.names(in: "Examples/Transcripts")
        #expect(names.count >= 9)
        let files = names.map { Package.path("Examples/Transcripts/\($0)") }
        let outcome = try Child([viewctl, "expect"] + files).outcome()
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output.split(separator: "\n").count == files.count)
    }
}
