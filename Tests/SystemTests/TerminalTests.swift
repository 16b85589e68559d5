import Glibc
import TestSupport
import Testing

/// The scoreboard in real terminals.
@Suite(.needs("tmux"), .showsScreens)
struct TerminalTests {
    private let tmux: Tmux

    init() throws { tmux = try Tmux() }

    @Test(.needs("curl"))
    func `The run script starts a game at once, and its servers end with the scoreboard`() throws {
        let home = try Folder()
        let socket = home("busd/busd.sock")
        let programs = try Products.path("busd").dropLast("/busd".count)
        try tmux.open(
            "court",
            "env HOME=\(home.path) XDG_RUNTIME_DIR=\(home.path) BUSD_SOCKET= "
                + "\(Package.path("scripts/run.sh")) \(programs)")
        try tmux.awaitText(#/Hawks +paused +Jets/#, "a paused game", in: "court")
        try tmux.awaitText(#/In a second terminal: 'make view' /#, "a hint", in: "court")
        try tmux.awaitText(#/http://127.0.0.1:[0-9]+/scoreboard/1/#, "its page", in: "court")
        let page = try #require(
            try tmux.screen("court").firstMatch(of: #/http://[^ \n]+/#).map { String($0.output) })
        #expect(try Child.run("curl", "-sS", page).output.contains("<title>Hawks 0 - 0 Jets"))
        let watcher = try Conversation(with: socket)
        #expect(try watcher.ask("subscribe scoreboard/1/home/1")?.contains(#""ok""#) == true)
        try watcher.line(with: #"{"live""#)

        try tmux.press("Space", "2", in: "court")
        #expect(
            try watcher.line()?.contains(#""twoPointMoveCount":{"text":"1","count":1}"#) == true)
        try tmux.awaitText(#/Ann +0 +1 +0 +0 +0/#, "Ann's basket", in: "court")
        try tmux.press("q", in: "court")
        #expect(try watcher.line()?.hasPrefix(#"{"bye":{"code":"closing""#) == true)
        try tmux.awaitText(#/ended with 0/#, "the end", in: "court")
        #expect(access(socket, F_OK) != 0)
        // curl cannot connect.
        #expect(try Child.run("curl", "-s", page).status == 7)
    }

    @Test func `Without a terminal the run script plays and prints the example`() throws {
        let programs = try Products.path("busd").dropLast("/busd".count)
        let outcome = try Child.run(Package.path("scripts/run.sh"), String(programs))
        outcome.expect(output: outcome.output)
        #expect(outcome.output.contains(#"{"finished":{"isFinished":true,"winner":"home"}}"#))
        #expect(outcome.output.contains("Hawks win"))
    }

    @Test func `A container view, a content view and a script share one game`() throws {
        let bus = try BusFixture()
        let scoreboard = "env BUSD_SOCKET=\(bus.socket) \(try Products.path("scoreboard"))"
        let script = try bus.connect()
        try script.send(
            #"send games createGame {"home":{"name":"A","players":["Ann","Bo","Cy"]},"#
                + #""away":{"name":"B","players":["Dee","Eli","Fay"]}}"#)
        try tmux.open("wall", "\(scoreboard) --view container 1")
        try tmux.open("hand", columns: 40, rows: 12, "\(scoreboard) --view content 1")
        try tmux.awaitText(#/A +paused +B/#, "a paused game", in: "wall")
        try tmux.awaitText(#/Ann/#, "the players", in: "hand")

        let watcher = try bus.connect()
        try watcher.send(#"{"op":"subscribe","to":"scoreboard/1","only":["score"]}"#)
        #expect(try watcher.line()?.contains(#""ok""#) == true)
        #expect(try watcher.line()?.contains(#""text":"0 - 0""#) == true)
        #expect(try watcher.line()?.hasPrefix(#"{"live""#) == true)

        try script.send("send scoreboard/1 togglePause")
        try tmux.awaitText(#/running/#, "a running game", in: "wall")
        try tmux.press("2", in: "hand")
        #expect(try watcher.line()?.contains(#""text":"2 - 0""#) == true)
        for _ in 1...7 { try script.send("send scoreboard/1/home/2 twoPointMove") }
        try tmux.awaitText(#/A wins?/#, "the winner", in: "wall")
        for points in stride(from: 4, through: 16, by: 2) {
            #expect(try watcher.line()?.contains(#""text":"\#(points) - 0""#) == true)
        }
        try tmux.press("q", in: "hand")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "hand")
    }

    @Test(arguments: [(columns: 120, rows: 40), (columns: 70, rows: 20)])
    func `A screen that continues has the size that its terminal has then`(
        columns: Int, rows: Int
    ) throws {
        let bus = try BusFixture()
        try tmux.open("court", "exec bash --norc --noprofile -i")
        // Bash starts with the prompt `bash-5.2#`.
        try tmux.awaitText(#/bash-[0-9.]+[#$]/#, "a prompt", in: "court")
        let scoreboard = "BUSD_SOCKET=\(bus.socket) \(try Products.path("scoreboard"))"
        try tmux.press(scoreboard, "Enter", in: "court")
        try awaitHint(inRow: 32)
        try tmux.resize("court", columns: 90, rows: 28)
        try awaitHint(inRow: 28)

        try tmux.press("C-z", in: "court")
        try tmux.awaitText(#/Stopped/#, "a stopped program", in: "court")
        try tmux.resize("court", columns: columns, rows: rows)
        // tmux tells the terminal its size a little later.
        let isResized = #"[ "$(stty size)" = "\#(rows) \#(columns)" ]"#
        try tmux.press("until \(isResized); do :; done; fg", "Enter", in: "court")
        try awaitHint(inRow: rows)
        try tmux.press("n", in: "court")
        try tmux.awaitText(#/esc back/#, "a form", in: "court")
        try awaitHint(inRow: rows)
    }

    @Test func `Ctrl-Z stops a screen that is drawing`() throws {
        let bus = try BusFixture()
        let script = try bus.connect()
        try script.send(
            #"send games createGame {"home":{"name":"A","players":["Ann","Bo","Cy"]},"#
                + #""away":{"name":"B","players":["Dee","Eli","Fay"]}}"#)
        let folder = try Folder()
        let scoreboard = "BUSD_SOCKET=\(bus.socket) exec \(try Products.path("scoreboard")) 1"
        try tmux.open("court", "exec bash --norc --noprofile -i")
        try tmux.awaitText(#/bash-[0-9.]+[#$]/#, "a prompt", in: "court")
        try tmux.press("(echo $BASHPID > \(folder("id")); \(scoreboard))", "Enter", in: "court")
        try tmux.awaitText(#/A +paused +B/#, "a paused game", in: "court")
        let id = try folder.text(of: "id").dropLast()

        // While the terminal takes no more, the next tick of the clock lasts until Ctrl-Z.
        try tmux.press("C-s", in: "court")
        try script.send("send scoreboard/1 togglePause")
        try eventually("a write that waits for the terminal") {
            try Child.run("cat", "/proc/\(id)/wchan").output
        } is: {
            $0 == "wait_woken"
        }
        try tmux.press("C-z", in: "court")
        try tmux.awaitText(#/Stopped/#, "a stopped program", in: "court")
    }

    /// Waits until the last row of a screen, which has hints, is this row of the terminal.
    private func awaitHint(inRow row: Int) throws {
        let above = String(repeating: #"[^\n]*\n"#, count: row - 1)
        let pattern = try Regex("^\(above) +[a-z]+ [^\n]*\n$", as: Substring.self)
        try tmux.awaitText(pattern, "hints in row \(row)", in: "court")
    }
}
