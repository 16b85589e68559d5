import BusdBroker
import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct `The text of a policy` {
    private static let accounts = Accounts(
        find: { kind, name throws(SystemError) in
            if name == "later" { throw SystemError(code: EIO, function: "getpwnam") }
            let users = ["ann": 1_001, "bob": 1_002, "nobody": 65_534, "also-ann": 1_001]
            let groups = ["scorers": 50, "nogroup": 65_534]
            return kind == .user ? users[name] : groups[name]
        }, groups: { _ in [50] })
    private static let events = [
        SendableEvent(name: "createGame"), SendableEvent(name: "deleteGame"),
        SendableEvent(name: "say", formerNames: ["utter"]),
    ]

    private func read(_ text: String) -> (rules: [String], faults: [String]) {
        let reader = PolicyReader(Self.accounts) { Self.events }
        let outcome = reader.read(text)
        let rules = outcome.policy.rules.map { rule in
            "\(rule.line) \(rule.subject) \(rule.right) \(rule.pattern) \(rule.events)"
        }
        let found = (outcome.faults + outcome.warnings)
            .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        return (rules, found.map(\.description))
    }

    @Test func `Lines, comments and spaces are read`() {
        let (rules, faults) = read(
            """
            # who       may    where
            @scorers    send   scoreboard/** game-creator/*

              ann\tsend\tgames:createGame,deleteGame # for now
            1002 - books study/*
            also-ann look **
            @7 - **:say
            *           send   login/*\r
            """)
        #expect(faults == [])
        #expect(
            rules == [
                "2 group(50) send scoreboard/** []", "2 group(50) send game-creator/* []",
                #"4 user(1001) send games ["createGame", "deleteGame"]"#,
                "5 user(1002) nothing books []", "5 user(1002) nothing study/* []",
                "6 user(1001) look ** []", #"7 group(7) nothing ** ["say", "utter"]"#,
                "8 everybody send login/* []",
            ])
    }

    @Test(arguments: [
        ("ann", "1:1: add what ann may do, -, look or send, and where"),
        ("  ann send", "1:7: add where, such as scoreboard/**"),
        ("cid look **", "1:1: there is no user 'cid'"),
        ("@ann look **", "1:1: there is no group 'ann'"),
        ("@ look **", "1:1: no group can have the name ''"),
        ("ann, look **", "1:1: no user can have the name 'ann,'"),
        ("** look **", "1:1: no user can have the name '**'"),
        (
            "nobody look **",
            "1:1: the id 65534 stands for every user that has no id here: no line can name it"
        ),
        (
            "@65534 look **",
            "1:1: the id 65534 stands for every group that has no id here: no line can name it"
        ),
        ("4294967295 look **", "1:1: an id is at most 4294967294"),
        ("99999999999999999999 look **", "1:1: an id is at most 4294967294"),
        ("-1 look **", "1:1: there is no user '-1'"),
        ("later look **", "1:1: cannot look up the user 'later' now: Input/output error"),
        ("ann sned **", "1:5: 'sned': write -, look or send"),
        ("ann Send **", "1:5: 'Send': write -, look or send"),
        (
            "ann send a//b",
            "1:10: 'a//b' is no pattern: write names with / between; * stands for one name, and a "
                + "last ** for any number"
        ),
        (
            "ann send **/a",
            "1:10: '**/a' is no pattern: write names with / between; * stands for one name, and a "
                + "last ** for any number"
        ),
        ("ann send games:", "1:16: add the name of an event here, or remove the mark before it"),
        ("ann send a:say,", "1:16: add the name of an event here, or remove the mark before it"),
        ("ann look a:say", "1:5: a line with events decides sends only: write send or -"),
        (
            "ann send a games:say,creatGame",
            "1:22: no kind has an event 'creatGame': did you mean createGame?"
        ),
        (
            "ann send é:say",
            "1:10: 'é' is no pattern: write names with / between; * stands for one name, and a "
                + "last ** for any number"
        ),
        ("ann send a:b:c", "1:12: no kind has an event 'b:c'"),
        ("ann send a:utter", "1:12: no kind has an event 'utter'"),
        (
            "ann send a\rbob send b",
            "1:10: 'a\rbob' is no pattern: write names with / between; * stands for one name, and a "
                + "last ** for any number"
        ),
        ("\u{FEFF}ann send a", "1:1: no user can have the name '\u{FEFF}ann'"),
        ("ann\0 send a", "1:1: no user can have the name 'ann\0'"),
    ])
    func `A fault is named with its place`(text: String, fault: String) {
        #expect(read(text).faults == [fault])
        #expect(read("\n* look **\n" + text + "\n").faults == ["3" + fault.dropFirst()])
    }

    @Test func `A line about a missing user or group is no fault, and matches nobody`() {
        let outcome = PolicyReader(Self.accounts) { Self.events }
            .read("cid send **\n@gone - books\nann look a\n")
        #expect(outcome.faults == [])
        #expect(
            outcome.warnings.map(\.description) == [
                "1:1: there is no user 'cid'", "2:1: there is no group 'gone'",
            ])
        #expect(outcome.policy.rules.map(\.line) == [3])
    }

    @Test(arguments: [
        ("* look **\nann - books", ["f:2: books never acts here: line 1 decides it"]),
        ("ann look books\n* - books", []),
        ("ann look a/*\nann send a/b/c", []),
        ("ann look a/**\nann send a", ["f:2: a never acts here: line 1 decides it"]),
        (
            "ann - echo/*:say\nann send echo/b:say",
            ["f:2: echo/b never acts here: line 1 decides it"]
        ),
        (
            "ann - echo/*:say\nann send echo/b:say,createGame",
            ["f:2: no view model at echo/b has the event createGame"]
        ),
        ("ann - echo/*:say\nbob send echo/b:say", []),
        ("ann send games:say", ["f:1: no view model at games has the event say"]),
        ("ann send echo/*:say", []),
        ("ann send *:createGame", []),
        ("ann send */*:createGame", ["f:1: no view model at */* has the event createGame"]),
    ])
    func `A line that can never act is named`(text: String, warnings: [String]) throws {
        let events = [
            SendableEvent(name: "createGame", place: Pattern("games")),
            SendableEvent(name: "say", place: Pattern("echo/*")),
        ]
        let policy = PolicyReader(Self.accounts) { events }.read(text).policy
        let content = PolicyFile.Content(text: text, policy: policy)
        #expect(PolicyReview(content, "f", events).warnings == warnings)
    }

    @Test func `Only root and the own user may decide what the path leads to`() throws {
        let folder = try Folder()
        try folder.write("* look **\n", to: "policy")
        func problem(_ path: String) -> String? { PathTrust.problem(of: path) }
        #expect(problem(folder("policy")) == nil)
        symlink(folder("policy"), folder("link"))
        #expect(problem(folder("link")) == nil)
        chmod(folder("policy"), 0o662)
        #expect(problem(folder("link"))?.hasPrefix("more users than the owner may change") == true)
        chmod(folder("policy"), 0o600)
        chmod(folder.path, 0o777)
        #expect(
            problem(folder("policy"))?.hasPrefix("more users than the owner may replace") == true)
        chmod(folder.path, 0o700)
        symlink("loop", folder("loop"))
        #expect(problem(folder("loop")) == "Too many levels of symbolic links")
        #expect(problem(folder("none")) == "No such file or directory")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `The file, its folder and its link of another user are refused`() throws {
        let folder = try Folder()
        mkdir(folder("inner"), 0o755)
        try folder.write("* look **\n", to: "inner/policy")
        symlink("inner/policy", folder("link"))
        for name in ["inner/policy", "inner", "link"] {
            lchown(folder(name), 4_001, 0)
            let problem = PathTrust.problem(of: folder("link"))
            #expect(problem?.contains("belongs to user 4001: chown it to root") == true, "\(name)")
            lchown(folder(name), 0, 0)
        }
        #expect(PathTrust.problem(of: folder("link")) == nil)
    }

    @Test func `All faults are named in order, and other lines are kept`() {
        let (rules, faults) = read("ann send a:x\nann\nbob send b\ncid look c\n")
        #expect(rules == [#"1 user(1001) send a ["x"]"#, "3 user(1002) send b []"])
        #expect(faults.map { $0.prefix(4) } == ["1:12", "2:1:", "4:1:"])
    }

    @Test func `Each fault of a line is named`() {
        let (rules, faults) = read("cid sned a:x a//b *:say\nann look a:say,x\n")
        #expect(rules == [])
        #expect(
            faults.map { String($0.prefix { $0 != "'" }) } == [
                "1:1: there is no user ", "1:5: ", "1:12: no kind has an event ", "1:14: ",
                "2:5: a line with events decides sends only: write send or -",
                "2:16: no kind has an event ",
            ])
    }

    @Test func `Any text is a policy or has faults`() {
        let pieces = [
            "ann", "@scorers", "*", "1", "@", "-", "look", "send", "a/b", "**", "*/x", ":", ",",
            "say", " ", "\t", "\n", "\r", "#", "é", "\u{301}", "\0", "\u{FEFF}", "65534", "/", "..",
        ]
        var random = SeededGenerator(seed: 39)
        var (good, bad) = (0, 0)
        for _ in 0..<20_000 {
            let count = random.number(0...12)
            let text = (0..<count).map { _ in pieces[random.number(0..<pieces.count)] }.joined()
            let (rules, faults) = read(text)
            let lines = text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false)
            #expect(
                faults.allSatisfy { fault in
                    Int(fault.prefix { $0 != ":" }).map { 1...lines.count ~= $0 } ?? false
                })
            if faults.isEmpty { good += 1 } else { bad += 1 }
            #expect(faults.isEmpty || rules.count < 8)
        }
        #expect(good > 100 && bad > 100)
    }

    @Test func `A text without lines is a policy`() {
        for text in ["", "\n", "# nothing", " \t\r\n"] {
            #expect(read(text).rules == [])
            #expect(read(text).faults == [])
        }
    }
}

@Suite struct `A policy file` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func problem(_ path: String) -> String? {
        do {
            _ = try PolicyFile(path: path).read { [] }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func write(_ bytes: [UInt8], mode: mode_t = 0o644) throws -> String {
        let path = folder("policy")
        try TestSupport.write(bytes, to: path)
        chmod(path, mode)
        return path
    }

    @Test func `A file that cannot be a policy is named with the reason`() throws {
        let path = folder("policy")
        #expect(problem(path) == "\(path): No such file or directory")
        #expect(problem(folder("")) == "\(folder("")): this is not a regular file")
        mkfifo(path, 0o600)
        #expect(problem(path) == "\(path): this is not a regular file")
        unlink(path)
        #expect(problem(try write(Array("* look **\n".utf8))) == nil)
        for mode in [0o666, 0o664, 0o646] as [mode_t] {
            #expect(
                problem(try write(Array("* look **\n".utf8), mode: mode))
                    == "\(path): more users than the owner may change this file: chmod go-w \(path)"
            )
        }
        #expect(problem(try write([0xFF, 0xFE])) == "\(path): the file is not UTF-8")
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: 65_536)
        #expect(problem(try write(comment)) == nil)
        #expect(
            problem(try write(comment + comment)) == "\(path): the file has more than 65536 bytes")
    }

    @Test func `A message names twenty faults at most`() throws {
        let path = try write(Array(String(repeating: "* x **\n", count: 30).utf8))
        let lines = try #require(problem(path)).split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines[0] == "\(path):1:3: 'x': write -, look or send")
        #expect(lines[20] == "and 10 more: the verb policy check shows all")
    }
}
