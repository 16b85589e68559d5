import Glibc
import Testing

@testable import BusdOptions

@Suite struct ParseTests {
    private func refusal(by program: Program, _ words: String...) -> String? {
        #expect(throws: UsageError.self) { try program.parse(words) }?.message
    }

    @Test func `An empty command line is valid`() throws {
        let arguments = try #require(try daemon.run())

        #expect(arguments.verb == nil)
        #expect(arguments[.socket] == nil)
        #expect(!arguments.has(.quiet))
        #expect(arguments.operands == [])
    }

    @Test(arguments: [
        ["--socket", "/a", "--quiet"], ["--socket=/a", "--quiet"], ["-s", "/a", "-q"],
        ["-qs/a"], ["--so", "/a", "--q"],
    ])
    func `An option has a long form and a short one`(words: [String]) throws {
        guard case .run(let arguments) = try daemon.parse(words) else {
            Issue.record("not run")
            return
        }

        #expect(arguments[.socket] == "/a")
        #expect(arguments.has(.quiet))
        #expect(arguments[.quiet] == nil)
        #expect(arguments[.state] == nil)
    }

    @Test func `The last of several equal options counts`() throws {
        #expect(try daemon.run("-sa", "-sb")?[.socket] == "b")
    }

    @Test func `An argument may be empty, or look like an option`() throws {
        #expect(try daemon.run("--socket=")?[.socket] == "")
        #expect(try daemon.run("--socket", "--quiet")?[.socket] == "--quiet")
    }

    @Test func `Options may follow operands, until two dashes`() throws {
        let arguments = try #require(
            try client.run("-sa", "send", "echo/1", "-t", "2", "say", "--", "--if-seq"))

        #expect(arguments.verb == "send")
        #expect(arguments[.socket] == "a")
        #expect(arguments[.timeout] == "2")
        #expect(!arguments.has(.ifSeq))
        #expect(arguments.operands == ["echo/1", "say", "--if-seq"])
    }

    @Test func `A program's option after the verb beats the one before it`() throws {
        #expect(try client.run("-t1", "list", "-t2")?[.timeout] == "2")
    }

    @Test func `Operands may be missing or many if the verb allows it`() throws {
        #expect(try client.run("list")?.operands == [])
        #expect(try client.run("list", "a")?.operands == ["a"])
        #expect(try client.run("watch")?.operands == [])
        #expect(try client.run("watch", "a", "-q", "b", "c")?.operands == ["a", "b", "c"])
        #expect(try client.run("--", "list", "-")?.operands == ["-"])
    }

    @Test func `A verb may be left out if the program does not require one`() throws {
        let program = Program(
            "busd", version: "1", "", verbs: [Verb("check", "")], isVerbRequired: false)

        #expect(try program.run()?.verb == nil)
        #expect(try program.run("check")?.verb == "check")
        #expect(refusal(by: program, "chekc") == "unknown verb 'chekc'")
    }

    @Test func `A program with operands takes a first word that is no verb for one of them`() throws
    {
        #expect(try shelf.run()?.operands == [])
        #expect(try shelf.run("3", "-q")?.operands == ["3"])
        #expect(try shelf.run("3", "-q")?.has(.quiet) == true)
        #expect(try shelf.run("3")?.verb == nil)
        #expect(try shelf.run("import", "a")?.verb == "import")
        #expect(refusal(by: shelf, "3", "import") == "unexpected operand 'import'")
        #expect(refusal(by: shelf, "import") == "missing FILE")
    }

    @Test func `An option before a verb is one of the verb`() throws {
        let arguments = try shelf.run("--timeout", "9", "-s", "x", "import", "a")
        #expect(arguments?[.slow] == "9")
        #expect(arguments?[.socket] == "x")
        #expect(try shelf.run("--timeout", "9", "3")?[.timeout] == "9")
        #expect(refusal(by: shelf, "-q", "import", "a") == "unknown option '--quiet'")
        #expect(refusal(by: shelf, "import", "a", "-q") == "unknown option '-q'")
    }

    @Test func `A second parse does not depend on the first`() throws {
        #expect(refusal(by: daemon, "-qx") == "unknown option '-x'")
        #expect(try daemon.run("-q")?.has(.quiet) == true)
    }

    // Refusals

    @Test func `An unknown option is named in the error`() {
        #expect(refusal(by: daemon, "--scoket", "a") == "unknown option '--scoket'")
        #expect(refusal(by: daemon, "--scoket=a") == "unknown option '--scoket'")
        #expect(refusal(by: daemon, "-qx") == "unknown option '-x'")
        #expect(refusal(by: client, "--if-seq", "1", "send") == "unknown option '--if-seq'")
        #expect(refusal(by: client, "list", "-q") == "unknown option '-q'")
        #expect(refusal(by: client, "list", "a", "--x") == "unknown option '--x'")
        #expect(refusal(by: daemon, "-qé", "-q") == "unknown option '-qé'")
    }

    @Test func `An ambiguous beginning of an option is reported with all matches`() {
        #expect(refusal(by: daemon, "--s=a") == "'--s' is ambiguous: use --socket or --state")
    }

    @Test func `A missing or unexpected argument of an option is reported`() {
        #expect(refusal(by: daemon, "--socket") == "--socket needs an argument, PATH")
        #expect(refusal(by: daemon, "-qs") == "-s needs an argument, PATH")
        #expect(refusal(by: daemon, "--quiet=1") == "--quiet takes no argument")
    }

    @Test func `Missing or unexpected operands are named in the error`() {
        #expect(refusal(by: daemon, "now") == "unexpected operand 'now'")
        #expect(refusal(by: client, "list", "a", "b") == "unexpected operand 'b'")
        #expect(refusal(by: client, "send") == "missing ADDRESS")
        #expect(refusal(by: client, "send", "a") == "missing EVENT")
    }

    @Test func `A missing or unknown verb is reported`() {
        #expect(refusal(by: client) == "missing verb")
        #expect(refusal(by: client, "-t1") == "missing verb")
        #expect(refusal(by: client, "lsit") == "unknown verb 'lsit'")
        #expect(refusal(by: client, "") == "unknown verb ''")
    }

    @Test func `An operand in an error is escaped for a terminal`() {
        let message = refusal(by: daemon, "\u{1B}[31mé\u{9B}\n")

        #expect(message == "unexpected operand '\\u{1B}[31mé\\u{009B}\\n'")
    }

    @Test func `A usage error refers to the help`() {
        let error = #expect(throws: UsageError.self) { try client.parse(["send", "-x"]) }

        #expect(
            error?.description == """
                viewctl send: unknown option '-x'
                Try 'viewctl send --help'.
                """)
    }

    @Test func `The function getopt itself prints nothing`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            #expect(throws: UsageError.self) { try daemon.parse(["--x"]) }
            #expect(throws: UsageError.self) { try daemon.parse(["-s"]) }
        }
        #expect(result?.standardErrorContent.isEmpty == true)
    }

    // Conversions

    @Test func `An option may be a whole number in a range`() throws {
        func number(_ text: String) throws -> Int? {
            try client.run("send", "a", "b", "--if-seq=\(text)")?.integer(.ifSeq, in: 0...10)
        }
        #expect(try client.run("list")?.integer(.ifSeq, in: 0...10) == nil)
        #expect(try number("0") == 0)
        #expect(try number("10") == 10)
        for text in ["", "-1", "11", "1.0", "x", "99999999999999999999"] {
            let error = #expect(throws: UsageError.self) { try number(text) }
            #expect(
                error?.description == """
                    viewctl send: --if-seq needs a whole number from 0 to 10, not '\(text)'
                    Try 'viewctl send --help'.
                    """)
        }
    }

    @Test func `An option may be seconds with a fraction`() throws {
        func seconds(_ text: String) throws -> Duration? {
            try client.run("list", "-t\(text)")?.seconds(.timeout)
        }
        #expect(try client.run("list")?.seconds(.timeout) == nil)
        #expect(try seconds("2") == .seconds(2))
        #expect(try seconds("0.25") == .milliseconds(250))
        #expect(try seconds("0") == .zero)
        #expect(try seconds("1000000000") == .seconds(1_000_000_000))
        for text in ["-1", "1000000001", "1e3", "inf", "nan", "0x1", ".", "1.2.3", " 1"] {
            let error = #expect(throws: UsageError.self) { try seconds(text) }
            #expect(
                error?.message
                    == "--timeout needs a number of seconds, such as 2 or 0.5, not '\(text)'")
        }
    }

    @Test func `A path may be any text but an empty one`() throws {
        #expect(try daemon.run()?.path(.socket) == nil)
        #expect(try daemon.run("-s", "/a b")?.path(.socket) == "/a b")

        let error = #expect(throws: UsageError.self) { try daemon.run("-s", "")?.path(.socket) }
        #expect(error?.message == "--socket needs a path, not ''")
    }

    @Test func `An option may be one of a few words`() throws {
        #expect(try daemon.run()?.choice(.state) == nil)
        #expect(try daemon.run("--state=b")?.choice(.state) == "b")

        let error = #expect(throws: UsageError.self) {
            try daemon.run("--state=c")?.choice(.state)
        }
        #expect(error?.message == "--state needs a or b, not 'c'")
    }

    @Test func `A program may make a usage error by itself`() throws {
        let error = try #require(try daemon.run()).error("no home")

        #expect(error.description == "busd: no home\nTry 'busd --help'.")
    }
}
