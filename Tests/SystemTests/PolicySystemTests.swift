import Glibc
import TestSupport
import Testing

/// A policy, as users of the machine meet it: real sockets, and clients with other user ids.
@Suite(.needsRoot, .showsScreens)
struct PolicySystemTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        chmod(folder.path, 0o755)
    }

    private var policy: String { folder("policy") }

    private static let text = """
        # A comment
        @4444  send  scoreboard/** game-creator/*
        4001   send  games:createGame
        4002   -     games
        4003   -     **
        *      send  echo/*

        """

    private func serve(_ text: String = Self.text) throws -> BusFixture {
        try folder.write(text, to: "policy")
        let bus = try BusFixture(
            in: folder, options: ["--state", ":memory:", "--policy", policy], reports: true)
        // Here the policy alone decides, not the mode of the socket.
        chmod(bus.socket, 0o666)
        return bus
    }

    /// What a client of the user is answered, one line for each request.
    private func answers(_ requests: [String], user: Int, groups: String?, _ bus: BusFixture) throws
        -> [String]
    {
        let ids = ["--reuid=\(user)", "--regid=\(user)"]
        let groups = groups.map { ["--groups=\($0)"] } ?? ["--clear-groups"]
        let client = try Child(
            ["setpriv"] + ids + groups + ["socat", "-t60", "-", "UNIX-CONNECT:\(bus.socket)"],
            input: requests.joined(separator: "\n") + "\n")
        let outcome = try client.outcome()
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// `+`, or the code of the error; for a `list`, the number of rows.
    private func verdict(_ line: String) -> String {
        if let code = line.firstRange(of: #""code":""#) {
            return String(line[code.upperBound...].prefix { $0 != "\"" })
        }
        guard line.hasPrefix(#"{"ok":{"viewModels""#) else { return "+" }
        return "\(line.split(separator: "{").count - 2)"
    }

    private static let game = """
        {"createGame":{"home":{"name":"H","players":["A"]},"away":{"name":"J","players":["B"]}}}
        """

    /// Each row has a request, and its answer for root, for 4001, for 4002 in the group 4444, for
    /// 4003, for 4004, and for the user and group that the kernel shows for foreign ones.
    private static let table: [(String, [String])] = [
        ("get games", ["+", "+", "-", "-", "+", "+"]),
        ("list games", ["1", "1", "0", "0", "1", "1"]),
        ("describe games", ["+", "+", "-", "-", "+", "+"]),
        ("get games2", ["-", "-", "-", "-", "-", "-"]),
        (#"{"op":"send","to":"games","event":\#(game),"id":1}"#, ["+", "+", "-", "-", "n", "n"]),
        ("get scoreboard/1", ["+", "+", "+", "-", "+", "+"]),
        ("list scoreboard/1/home/*", ["1", "1", "1", "0", "1", "1"]),
        (
            #"{"op":"send","to":"scoreboard/1","event":"togglePause","id":1}"#,
            ["+", "n", "+", "-", "n", "n"]
        ),
        ("get game-creator/x", ["+", "+", "+", "-", "+", "+"]),
        ("get game-creator/new", ["+", "-", "+", "-", "-", "-"]),
        ("get echo/x", ["+", "+", "+", "-", "+", "+"]),
        (
            #"{"op":"send","to":"echo/x","event":{"say":{"text":"x"}},"id":1}"#,
            ["+", "+", "+", "-", "+", "+"]
        ),
        ("get bus/policy", ["+", "-", "-", "-", "-", "-"]),
        ("get bus/views", ["+", "+", "+", "-", "+", "+"]),
        (
            #"{"op":"send","to":"games","event":{"deleteGame":{"game":"1"}},"id":1}"#,
            ["+", "n", "-", "-", "n", "n"]
        ),
    ]

    @Test func `Each user gets what the policy says, for each request, address and event`() throws {
        let users: [(Int, String?)] = [
            (0, nil), (4_001, nil), (4_002, "4444"), (4_003, nil), (4_004, nil),
            (65_534, "65534"),
        ]
        for (column, (user, groups)) in users.enumerated() {
            let folder = try Folder()
            chmod(folder.path, 0o755)
            try folder.write(Self.text, to: "policy")
            let bus = try BusFixture(
                in: folder, options: ["--state", ":memory:", "--policy", folder("policy")],
                reports: true)
            chmod(bus.socket, 0o666)
            let root = try bus.connect()
            _ = try root.ask(#"{"op":"send","to":"games","event":\#(Self.game),"id":1}"#)
            _ = try root.ask("get game-creator/x")
            let lines = try answers(
                Self.table.map(\.0), user: user, groups: groups, bus)
            let names = ["unknownViewModel": "-", "notAllowed": "n"]
            let found = lines.map { verdict($0) }.map { names[$0] ?? $0 }
            #expect(found == Self.table.map { $0.1[column] }, "user \(user)")
            #expect(try bus.stop().status == 0)
        }
    }

    @Test func `A reload loses no client, and a bad file changes nothing`() throws {
        let bus = try serve()
        let root = try bus.connect()
        _ = try root.ask(#"{"op":"send","to":"games","event":\#(Self.game),"id":1}"#)
        try folder.write("* - nothing\nann send\n", to: "policy")
        try bus.run(try Products.path("busd"), "policy", "reload").expect(
            status: 1,
            errors: """
                busd: the policy stays as it is:
                \(policy):2:5: add where, such as scoreboard/**

                """)
        #expect(try answers(["get games"], user: 4_001, groups: nil, bus)[0].hasPrefix("{\"ok\""))
        try folder.write("* - games\n", to: "policy")
        try bus.run(try Products.path("busd"), "policy", "reload").expect(
            output: "\(policy): the policy was read again\n")
        #expect(
            try answers(["get games"], user: 4_001, groups: nil, bus) == [
                #"{"error":{"code":"unknownViewModel","message":"there is no view model games"}}"#
            ])
        #expect(try bus.stop().status == 0)
    }

    @Test(.needs("tmux"))
    func `The lists of scoreboard and books end and come back with the policy`() throws {
        let bus = try serve("* send **\n")
        let root = try bus.connect()
        _ = try root.ask(#"{"op":"send","to":"games","event":\#(Self.game),"id":1}"#)
        let tmux = try Tmux()
        let user = "setpriv --reuid=4001 --regid=4001 --clear-groups env HOME=/ TERM=screen"
        for program in ["scoreboard", "books"] {
            let path = try Products.path(program)
            try tmux.open(program, "\(user) BUSD_SOCKET=\(bus.socket) \(path)")
        }
        try tmux.awaitText(#/No books yet/#, "the library", in: "books")
        try tmux.awaitText(#/space/#, "the game", in: "scoreboard")
        try tmux.press("g", in: "scoreboard")
        try tmux.awaitText(#/H +0 - 0/#, "the list", in: "scoreboard")
        try folder.write("* - games books\n* send **\n", to: "policy")
        try bus.run(try Products.path("busd"), "policy", "reload").expect(
            output: "\(policy): the policy was read again\n")
        try tmux.awaitText(#/does not show you its games/#, "no games", in: "scoreboard")
        try tmux.awaitText(#/does not show you its books/#, "no books", in: "books")
        try folder.write("* send **\n", to: "policy")
        try bus.run(try Products.path("busd"), "policy", "reload").expect(
            output: "\(policy): the policy was read again\n")
        try tmux.awaitText(#/H +0 - 0/#, "the list again", in: "scoreboard")
        try tmux.awaitText(#/No books yet/#, "the library again", in: "books")
        #expect(try bus.stop().status == 0)
    }

    @Test func `The verb who asks the running daemon, and names the line`() throws {
        let bus = try serve()
        let busd = try Products.path("busd")
        try bus.run(busd, "policy", "who", "4001", "games", "createGame").expect(
            output: """
                look             allowed  no line fits
                make             refused  no line fits
                send createGame  allowed  line 3: 4001 send games:createGame

                """)
        try bus.run(busd, "policy", "who", "4003", "echo/x").expect(
            output: """
                look  refused  line 5: 4003 - **
                make  refused  line 5: 4003 - **
                send  refused  line 5: 4003 - **

                """)
        try bus.run(busd, "policy", "who", "4001", "games").expect(
            output: """
                look             allowed  no line fits
                make             refused  no line fits
                send createGame  allowed  line 3: 4001 send games:createGame
                send others      refused  no line fits

                """)
        try bus.run(busd, "policy", "who", "4001", "bus/users").expect(
            output: "4001 may do nothing: bus/users is for root and the daemon's own user\n")
        try bus.run(busd, "policy", "reload", "--policy", policy).expect(
            status: 64,
            errors: "busd policy: only who uses --policy\nTry 'busd policy --help'.\n")
        try bus.run(busd, "policy", "who", "root", "games").expect(
            output: "root may do everything: the policy does not restrict this user\n")
        #expect(try bus.stop().status == 0)
        try bus.run(busd, "policy", "who", "4001", "games", "creatGame").expect(
            status: 64, errors: "busd: no kind has an event 'creatGame'\n")
    }
}

/// `busd policy check`, and a daemon whose file has faults.
@Suite struct PolicyFileSystemTests {
    private let folder: Folder
    private let busd: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
        try folder.write("* look **\n* sedn games\n* send games:creatGame\n", to: "policy")
    }

    private var faults: String {
        """
        \(folder("policy")):2:3: 'sedn': write -, look or send
        \(folder("policy")):3:14: no kind has an event 'creatGame': did you mean createGame?

        """
    }

    @Test func `A check names each fault with its place`() throws {
        try Child.run(busd, "policy", "check", folder("policy")).expect(
            status: 65, output: faults, errors: "busd: \(folder("policy")): 2 faults\n")
        try folder.write("* look **\n\n* send games:createGame # yes\n", to: "good")
        try Child.run(busd, "policy", "check", folder("good")).expect(
            output: """
                \(folder("good")):3: games never acts here: line 1 decides it
                \(folder("good")): no faults in 2 lines

                """)
        try Child.run(busd, "policy", "check", folder("none")).expect(
            status: 65, output: "\(folder("none")): No such file or directory\n",
            errors: "busd: \(folder("none")): 1 fault\n")
    }

    @Test func `A daemon does not start with a bad file`() throws {
        let words = [
            busd, "--socket", folder("busd.sock"), "--state", ":memory:", "--policy",
            folder("policy"),
        ]
        let faults = faults
        try Child(words).outcome().expect(status: 64, errors: "busd: " + faults)
    }

    @Test func `Without a policy there is none to read again`() throws {
        let bus = try BusFixture()
        for words in [["reload"], ["who", "root", "games"]] {
            try bus.start([busd, "policy"] + words).outcome().expect(
                status: 1,
                errors: "busd: \(bus.socket): no policy that you may read: start the daemon with "
                    + "--policy FILE, and run this command as root or as the daemon's own user\n")
        }
        #expect(try bus.stop().status == 0)
    }
}
