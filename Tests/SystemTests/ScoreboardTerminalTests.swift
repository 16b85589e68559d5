import BusdGamesEvents
import Glibc
import TestSupport
import Testing

/// Corrections at the court, in real terminals.
@Suite(.needs("tmux"), .showsScreens)
struct ScoreboardTerminalTests {
    private let tmux: Tmux
    private let folder: Folder

    init() throws {
        tmux = try Tmux()
        folder = try Folder()
    }

    private func serve() throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")])
    }

    /// A against B, five a side.
    private func createGame(_ bus: BusFixture) throws {
        let answer = try bus.connect().ask(
            #"{"op":"send","to":"games","id":1,"event":{"createGame":{"#
                + #""home":{"name":"A","players":["Ann","Bo","Cy","Dee","Eli"]},"#
                + #""away":{"name":"B","players":["Fay","Gil","Hal","Ike","Jo"]}}}}"#)
        #expect(answer?.hasPrefix(#"{"ok""#) == true)
    }

    private func open(
        _ name: String, _ bus: BusFixture, _ arguments: String, columns: Int = 100, rows: Int = 28
    ) throws {
        let scoreboard = "env BUSD_SOCKET=\(bus.socket) \(try Products.path("scoreboard"))"
        try tmux.open(name, columns: columns, rows: rows, "\(scoreboard) \(arguments)")
    }

    @Test func `A scorer corrects plays, a name and the clock`() throws {
        let bus = try serve()
        try createGame(bus)
        try open("court", bus, "1")
        try tmux.awaitText(#/x Eli +0 .* m Jo +0/#, "ten players with their letters", in: "court")
        try tmux.press("e", "2", "m", "f", in: "court")
        try tmux.awaitText(#/e Bo +0 +1 +0 +0 +0 /#, "the points", in: "court")
        try tmux.awaitText(#/m Jo +0 +0 +0 +0 +1\n/#, "the foul", in: "court")

        try tmux.press("l", in: "court")
        try tmux.awaitText(
            #/ 1 +00:00\.0 +Bo +A +2 points\n +▸ +2 +00:00\.0 +Jo +B +a foul/#, "both plays",
            in: "court")
        try tmux.press("i", in: "court")
        try tmux.awaitText(#/▸ +2 +00:00\.0 +Fay +B +a foul/#, "the other player", in: "court")
        try tmux.press("Up", "t", in: "court")
        try tmux.awaitText(#/Take out 2 points of Bo\? y/n/#, "a question", in: "court")
        try tmux.press("y", in: "court")
        try tmux.awaitText(#/▸ +1 +00:00\.0 +Fay +B +a foul/#, "one play", in: "court")
        try tmux.press("Escape", in: "court")
        try tmux.awaitText(#/i Fay +0 +0 +0 +0 +1\n/#, "the corrected foul", in: "court")
        try tmux.awaitText(#/e Bo +0 +0 +0 +0 +0 /#, "no points", in: "court")

        try tmux.press("c", in: "court")
        try tmux.awaitText(#/Corrections/#, "the fields", in: "court")
        try tmux.press("ces", "Enter", in: "court")
        try tmux.awaitText(#/Aces +paused +B/#, "the new name", in: "court")

        let watcher = try bus.connect()
        try watcher.send(#"{"op":"subscribe","to":"scoreboard/1","only":["time"]}"#)
        #expect(try watcher.line()?.contains(#""ok""#) == true)
        #expect(try watcher.line()?.contains("00:00.0") == true)
        #expect(try watcher.line()?.hasPrefix(#"{"live""#) == true)
        // Each key waits for the answer to the one before it.
        try tmux.press(">", ">", "-", "<", "+", in: "court")
        for time in ["00:10.0", "00:20.0", "00:19.0", "00:09.0", "00:10.0"] {
            #expect(try watcher.line()?.contains(time) == true)
        }
    }

    @Test func `Keys that are pressed fast are undone and done again one by one`() throws {
        let bus = try serve()
        try createGame(bus)
        try open("court", bus, "1", columns: 60, rows: 15)
        try tmux.awaitText(#/▸w Ann/#, "the players", in: "court")
        try tmux.press("121fuuyu", in: "court")
        try tmux.press("l", in: "court")
        try tmux.awaitText(
            #/ 1 +00:00\.0 +Ann +A +1 point\n[ ▸]+2 +00:00\.0 +Ann +A +2 points\n\n/#,
            "two of four plays", in: "court")
    }

    @Test func `After a restart a screen offers to go on where the clock would be`() throws {
        let first = try serve()
        try createGame(first)
        try open("court", first, "1")
        try tmux.awaitText(#/A +paused +B/#, "a paused game", in: "court")
        try tmux.press("Space", in: "court")
        try tmux.awaitText(#/A +running +B/#, "a running game", in: "court")
        first.daemon.signal(SIGKILL)
        _ = try first.daemon.outcome()

        let second = try serve()
        try tmux.awaitText(
            #/stopped by a restart at \d\d:\d\d: b starts it at \d\d:\d\d\.\d/#, "the offer",
            in: "court")
        try open("wall", second, "1", columns: 60, rows: 15)
        try tmux.awaitText(#/stopped by a restart at \d\d:\d\d\n/#, "no offer", in: "wall")
        try tmux.press("b", in: "court")
        try tmux.awaitText(#/A +running +B/#, "a running game", in: "court")
        try tmux.awaitText(#/running/#, "a running game", in: "wall")
    }

    @Test func `A draft is sent again after a kill, with its rules`() throws {
        let first = try serve()
        try open("court", first, "--draft court", columns: 60, rows: 15)
        try tmux.awaitText(#/No games yet/#, "an empty list", in: "court")
        try tmux.press("n", in: "court")
        try tmux.awaitText(#/draft court/#, "the form", in: "court")
        try tmux.press("Owls", "BTab", "5", "BTab", "BTab", "21", in: "court")
        try tmux.awaitText(#/Points to win 21 +Margin 2 +Players 5/#, "the rules", in: "court")
        try tmux.awaitText(#/The name of home player 1 is missing/#, "a problem", in: "court")
        first.daemon.signal(SIGKILL)
        _ = try first.daemon.outcome()

        let second = try serve()
        let view = try second.connect()
        try view.send("subscribe game-creator/court")
        // The names are sent last.
        try view.line(with: "Owls")
        try open("table", second, "--draft court")
        try tmux.awaitText(#/No games yet/#, "an empty list", in: "table")
        try tmux.press("n", in: "table")
        try tmux.awaitText(#/Team Owls/#, "the name", in: "table")
        try tmux.awaitText(#/Points to win 21 +Margin 2 +Players 5/#, "the rules", in: "table")
        // The cursor is at the end of the draft.
        try tmux.press("Ann", in: "table")
        try tmux.awaitText(#/1 Ann/#, "the next name", in: "court")
        try tmux.press("Escape", in: "court")
        try tmux.awaitText(#/No games yet/#, "an empty list", in: "court")
        try tmux.press("a", in: "table")
        try tmux.awaitText(#/1 Anna/#, "the draft", in: "table")
    }

    @Test func `Two scorers who undo one mistake take back one move`() throws {
        let bus = try serve()
        try createGame(bus)
        let scorer = try bus.connect()
        try scorer.send("send scoreboard/1/home/1 foulMove", "send scoreboard/1/home/1 foulMove")
        try open("one", bus, "1")
        try tmux.awaitText(#/w Ann +0 +0 +0 +0 +2 /#, "two fouls", in: "one")
        #expect(
            try scorer.ask(
                #"{"op":"send","to":"scoreboard/1","id":1,"event":{"undo":{"moves":2}}}"#)?
                .hasPrefix(#"{"ok""#) == true)
        #expect(
            try scorer.ask(
                #"{"op":"send","to":"scoreboard/1","id":2,"event":{"undo":{"moves":2}}}"#)?
                .contains(#""code":"stale""#) == true)
        try tmux.awaitText(#/w Ann +0 +0 +0 +0 +1 /#, "one foul", in: "one")
    }

    @Test func `Lines of standard input are commands, each with an answer`() throws {
        let bus = try serve()
        try createGame(bus)
        let scoreboard = try Products.path("scoreboard")
        let lines = #"ann 2\nJO foul\n\nzoe 1\nundo\nundo\nredo\n+10\nundo\nundo"#
        let outcome = try bus.run(
            "bash", "-c", "printf '\(lines)' | '\(scoreboard)' --plain 1")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let answers = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("A ") }
        #expect(
            answers == [
                "2 points of Ann", "a foul of Jo", "no player is called zoe",
                "took back a foul of Jo", "took back 2 points of Ann", "did 2 points of Ann again",
                "the clock was moved", "took back 2 points of Ann", "nothing was taken back",
            ])
        #expect(outcome.output.contains("A 2 - 0 B  00:00.0  paused\n"))
        #expect(outcome.output.contains("A 2 - 0 B  00:10.0  paused\n"))
    }

    @Test func `A loop keeps its input while each game is followed until it is finished`() throws {
        let bus = try serve()
        try createGame(bus)
        try createGame(bus)
        let scorer = try bus.connect()
        for game in 1...2 {
            for _ in 1...8 { try scorer.send("send scoreboard/\(game)/home/1 twoPointMove") }
        }
        #expect(try scorer.ask("ping") == #"{"ok":{}}"#)
        let scoreboard = try Products.path("scoreboard")
        let outcome = try bus.run(
            "bash", "-c",
            "printf '1\\n2\\n' | while read -r game; do '\(scoreboard)' --until-finished \"$game\"; "
                + "done")
        outcome.expect(
            output: "A 16 - 0 B  00:00.0  A win\nA 16 - 0 B  00:00.0  A win\n")
    }

    @Test func `A missing game and a missing daemon are named`() throws {
        let bus = try serve()
        let scoreboard = try Products.path("scoreboard")
        try bus.run(scoreboard, "--once", "99").expect(
            status: 2, errors: "scoreboard: there is no game 99, or it is deleted\n")
        try open("court", bus, "99")
        try tmux.awaitText(
            #/scoreboard: there is no game 99, or it is deleted\nended with 2/#, "why", in: "court")
        try Child.run(scoreboard, "--once", "--socket", "/nowhere/s", "--timeout", "0.1").expect(
            status: 1,
            errors: "scoreboard: no daemon listens at /nowhere/s: "
                + "start one with busd --socket /nowhere/s\n")
        try tmux.open("alone", "\(scoreboard) --socket /nowhere/s")
        try tmux.awaitText(
            #/\n +connecting: no daemon listens at /nowhere/s: start one with busd --socket/#,
            "the reason",
            in: "alone")
    }

    @Test func `A deleted game stays in the list, from which it is taken back`() throws {
        let bus = try serve()
        try createGame(bus)
        try createGame(bus)
        try open("court", bus, "1", columns: 60, rows: 15)
        try tmux.awaitText(#/A +00:00\.0 paused +B/#, "a game", in: "court")
        try tmux.press("g", in: "court")
        try tmux.awaitText(#/▸ +2 +A +0 - 0 +B +paused +\d{4}-\d\d-\d\d/#, "two games", in: "court")
        try tmux.press("d", "y", in: "court")
        try tmux.awaitText(#/▸ +2 +A 0 - 0 B +deleted: u takes it back/#, "a mark", in: "court")
        try tmux.press("Enter", in: "court")
        try tmux.awaitText(#/this game is deleted: u takes it back/#, "a notice", in: "court")
        try tmux.press("u", in: "court")
        try tmux.awaitText(#/▸ +2 +A +0 - 0 +B +paused/#, "the game", in: "court")
        try tmux.press("/zz", in: "court")
        try tmux.awaitText(#/No team has this name/#, "no games", in: "court")
        try tmux.press("Escape", in: "court")
        try tmux.awaitText(#/ 1 +A +0 - 0 +B/#, "both games", in: "court")
    }
}
