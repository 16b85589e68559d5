import Glibc
import TestSupport
import Testing

/// `viewctl watch --format`, alone and in real bars.
@Suite(.needs("i3blocks", "tmux"), .showsScreens)
struct BarTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func serve() throws -> BusFixture { try .keepingGames(in: folder) }

    private func watch(_ words: String...) throws -> Child {
        try folder.viewctl(["watch", "scoreboard/1", "--format"] + words)
    }

    /// Where the configurations of Examples/Bars find viewctl.
    private var path: String {
        get throws {
            "\(try Products.folder):\(getenv("PATH").map { String(cString: $0) } ?? "")"
        }
    }

    private let score = "{teams.home} {score.text}"

    @Test func `A line is printed when it changes, and the bar survives all ends`() throws {
        let bar = try watch(score, "--away", "no game")
        #expect(try bar.output.line() == "no game")
        let first = try serve()
        try first.createGame()
        #expect(try bar.output.line() == "Owls 0 - 0")
        // Neither the line nor its events change.
        try first.send("scoreboard/1/away/1", "foulMove")
        try first.send("scoreboard/1", "togglePause")
        try first.send("scoreboard/1/home/1", "twoPointMove")
        #expect(try bar.output.line() == "Owls 2 - 0")
        try first.kill()
        #expect(try bar.output.line() == "no game")
        let second = try serve()
        #expect(try bar.output.line() == "Owls 2 - 0")
        try second.send("games", "deleteGame", #"{"game":"1"}"#)
        #expect(try bar.output.line() == "no game")
        try second.send("games", "restoreGame", #"{"game":"1"}"#)
        #expect(try bar.output.line() == "Owls 2 - 0")
        bar.signal(SIGINT)
        // There are no messages, which polybar would show.
        try bar.outcome().expect(status: 130)
    }

    @Test func `A bar starts with the score, not with the text of no game`() throws {
        let bus = try serve()
        try bus.createGame()
        try watch(score, "--away", "no game", "-n1").outcome().expect(output: "Owls 0 - 0\n")
    }

    @Test func `A bar sleeps while nothing changes that it shows`() throws {
        let bus = try serve()
        try bus.createGame()
        try bus.createGame()
        let bar = try watch("{score.text}")
        #expect(try bar.output.line() == "0 - 0")
        let before = try sleeps(of: bar)
        let scorer = try bus.connect()
        // A turn of the daemon for each. The bar would wake up for each that it subscribes to.
        for _ in 0..<50 {
            for event in ["1 togglePause", "1/home/1 foulMove", "2 togglePause"] {
                try scorer.send("send scoreboard/\(event)")
                #expect(try scorer.ask("ping") == #"{"ok":{}}"#)
            }
        }
        try bus.send("scoreboard/1/home/1", "onePointMove")
        #expect(try bar.output.line() == "1 - 0")
        // Two, for the score; some more if the machine has to read its files again.
        #expect(try sleeps(of: bar) - before < 10)
    }

    /// How often a process has waited for something.
    private func sleeps(of child: Child) throws -> Int {
        let status = try Child.run("cat", "/proc/\(child.pid)/status").output
        let count = status.firstMatch(of: #/\nvoluntary_ctxt_switches:\t([0-9]+)/#)?.output.1
        return try #require(count.flatMap { Int($0) })
    }

    @Test func `With a rate, the last change is not lost`() throws {
        let bus = try serve()
        try bus.createGame()
        let bar = try watch("{score.home}", "--every", "0.3")
        #expect(try bar.output.line() == "0")
        let scorer = try bus.connect()
        for _ in 0..<14 { try scorer.send("send scoreboard/1/home/1 onePointMove") }
        #expect(try scorer.ask("ping") == #"{"ok":{}}"#)
        var lines: [String] = []
        while lines.last != "14", let line = try bar.output.line() { lines.append(line) }
        // The game is played within two rates on all but the slowest machines.
        #expect(lines.last == "14")
        #expect(Set(lines).count == lines.count)
    }

    @Test func `Members make lines of JSON`() throws {
        let bus = try serve()
        try bus.createGame(home: #"<b>\"&"#)
        try folder.viewctl([
            "watch", "scoreboard/1", "--member", "text={teams.home}", "--member",
            "class={paused.isPaused}", "--bar", "waybar", "-n1",
        ]).outcome().expect(output: #"{"text":"&lt;b&gt;&quot;&amp;","class":"true"}"# + "\n")
    }

    // `make test-bars` shows the pictures of i3blocks, polybar and Waybar.

    @Test func `The program i3blocks shows a hostile name as text`() throws {
        let bus = try serve()
        try bus.createGame(home: #"<i>\"%{F}&#(x)"#)
        let bar = try Child(
            ["i3blocks", "-c", Package.path("Examples/Bars/i3blocks.conf")],
            environment: ["BUSD_SOCKET": bus.socket, "PATH": try path])
        let shown = #""full_text":"‹i›\"%{F}+#(x) <b>0 - 0</b> Jets""#
        while case let line = try #require(try bar.output.line()), !line.contains(shown) {
            #expect(!line.contains("<i>"))
        }
    }

    @Test func `The program tmux shows a hostile name as text, and runs nothing`() throws {
        let bus = try serve()
        try bus.createGame(home: "#(touch mark)#[bg=red]A")
        let tmux = try Tmux()
        try tmux.open(
            "outer", columns: 160,
            "cd '\(folder.path)'; unset TMUX; export PATH='\(try path)' BUSD_SOCKET='\(bus.socket)'; "
                + "tmux -S '\(folder("inner"))' -f '\(Package.path("Examples/Bars/tmux.conf"))' "
                + "new-session cat")
        try tmux.awaitText(#/#\(touch mark\)#\[bg=red\]A 0 - 0 Jets/#, "the name", in: "outer")
        #expect(access(folder("mark"), F_OK) != 0)
        _ = try Child.run("tmux", "-S", folder("inner"), "kill-server")
    }
}
