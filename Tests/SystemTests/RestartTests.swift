import Glibc
import TestSupport
import Testing

/// What a daemon restores from its state folder.
struct RestartTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func serve() throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")])
    }

    private func score(_ bus: BusFixture) throws -> String? {
        let line = try bus.connect().ask("get scoreboard/1")
        return try Child.run(
            "jq", "-c", "[.ok.events | add | .score.text, .paused.isPaused, .undoable.canUndo]",
            input: line ?? ""
        ).output
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `A game with answered changes is there after a restart, paused`(signal: Int32) throws {
        let first = try serve()
        let scorer = try first.connect()
        try scorer.send(
            #"send games createGame {"home":{"name":"A","players":["a","b","c"]},"#
                + #""away":{"name":"B","players":["d","e","f"]}}"#,
            "send scoreboard/1 togglePause")
        #expect(
            try scorer.ask(
                #"{"op":"send","to":"scoreboard/1/home/1","event":"twoPointMove","id":1}"#)?
                .hasPrefix(#"{"ok":{"seq":["#) == true)
        #expect(try score(first) == #"["2 - 0",false,true]"# + "\n")
        first.daemon.signal(signal)
        _ = try first.daemon.outcome()

        let second = try serve()
        #expect(try score(second) == #"["2 - 0",true,true]"# + "\n")
        let returned = try second.connect()
        try returned.send("send scoreboard/1 undo")
        #expect(try returned.ask("ping") == #"{"ok":{}}"#)
        #expect(try score(second) == #"["0 - 0",true,false]"# + "\n")
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `Drafts survive a planned stop, but no kill`(signal: Int32) throws {
        let first = try serve()
        let author = try first.connect()
        for line in [
            #"{"op":"send","to":"game-creator/a","id":1,"event":{"teamNameChanged":"#
                + #"{"side":"home","name":"Hawks"}}}"#,
            #"{"op":"send","to":"game-creator/a","id":1,"event":{"playerNameChanged":"#
                + #"{"side":"away","index":1,"name":"Bo"}}}"#,
            #"{"op":"send","to":"book-creator/b","id":1,"event":{"nameChanged":{"name":"Kana"}}}"#,
            #"{"op":"send","to":"book-creator/b","id":1,"event":"nextTapped"}"#,
            #"{"op":"send","to":"book-creator/b","id":1,"event":"#
                + #"{"cardsChanged":{"text":"a - b"}}}"#,
        ] {
            #expect(try author.ask(line)?.hasPrefix(#"{"ok":{"seq":["#) == true)
        }
        let creators = ["game-creator/a", "book-creator/b"]
        let drafts = try creators.map { try events(of: $0, first) }
        #expect(drafts[0].contains("Hawks") && drafts[1].contains("a - b"))
        first.daemon.signal(signal)
        _ = try first.daemon.outcome()

        let second = try serve()
        let later = try creators.map { try events(of: $0, second) }
        if signal == SIGTERM {
            #expect(later == drafts)
        } else {
            #expect(later == (try creators.map { try events(of: $0 + "-new", second) }))
        }
    }

    private func events(of address: String, _ bus: BusFixture) throws -> String {
        let line = try bus.connect().ask("get \(address)")
        return try Child.run("jq", "-c", ".ok.events", input: line ?? "").output
    }

    @Test func `A second daemon on the same state folder is refused`() throws {
        let first = try serve()
        let second = try Child.run(
            try Products.path("busd"), "--socket", folder("new/busd.sock"),
            "--state", folder("state"))
        #expect((1...125).contains(second.status))
        #expect(second.errors.contains(folder("state")), "\(second.errors)")
        #expect(access(folder("new"), F_OK) != 0)
        #expect(try first.connect().ask("ping") == #"{"ok":{}}"#)
    }

    @Test(arguments: ["busd.sock", "view.sock"])
    func `A daemon whose socket is taken is refused, and makes no folder`(taken: String) throws {
        let first = try serve()
        let second = try Child.run(
            try Products.path("busd"), "--state", folder("another"),
            "--socket", folder("new/busd.sock"), "--view-socket", folder(taken))
        #expect(second.status == 1)
        #expect(second.errors == "busd: \(folder(taken)): another daemon listens there\n")
        #expect(access(folder("another"), F_OK) != 0)
        #expect(access(folder("new"), F_OK) != 0)
        #expect(try first.connect().ask("ping") == #"{"ok":{}}"#)
    }

    @Test func `Only the daemon's user may use the state folder`() throws {
        let bus = try serve()
        try Child.run("stat", "-c", "%a", folder("state")).expect(output: "700\n")
        try Child.run("find", folder("state"), "-type", "f", "!", "-perm", "600").expect()
        #expect(try bus.stop().status == 0)
    }
}
