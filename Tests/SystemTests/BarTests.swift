import Glibc
import TestSupport
import Testing

/// `viewctl watch --format`, alone and in real bars.
@Suite(.needs("i3blocks", "tmux"))
struct BarTests {
    private let viewctl: String
    private let folder: Folder
    private var environment: [String: String] { ["BUSD_SOCKET": folder("busd.sock")] }

    init() throws {
        viewctl = try Products.path("viewctl")
        folder = try Folder()
    }

    private func serve() throws -> ServedBus {
        try ServedBus(in: folder, options: ["--state", folder("state")])
    }

    private func createGame(_ bus: ServedBus, home: String = "Owls") throws {
        let game =
            #"{"home":{"name":"\#(home)","players":["Ann"]},"away":{"name":"Jets","players":["Bo"]}}"#
        #expect(try bus.run(viewctl, "send", "games", "createGame", game).status == 0)
    }

    private func send(_ bus: ServedBus, _ words: String...) throws {
        #expect(try bus.start([viewctl, "send"] + words).outcome().status == 0)
    }

    private func watch(_ words: String...) throws -> Child {
        try Child([viewctl, "watch", "scoreboard/1", "--format"] + words, environment: environment)
    }

    private let score = "{teams.home} {score.text}"

    @Test func `a line is printed when it changes, and the bar survives all ends`() throws {
        let bar = try watch(score, "--away", "no game")
        #expect(try bar.output.line() == "no game")
        let first = try serve()
        try createGame(first)
        #expect(try bar.output.line() == "Owls 0 - 0")
        // Neither the line nor its events change.
        try send(first, "scoreboard/1/away/1", "foulMove")
        try send(first, "scoreboard/1", "togglePause")
        try send(first, "scoreboard/1/home/1", "twoPointMove")
        #expect(try bar.output.line() == "Owls 2 - 0")
        first.daemon.signal(SIGKILL)
        #expect(try bar.output.line() == "no game")
        _ = try first.daemon.outcome()
        let second = try serve()
        #expect(try bar.output.line() == "Owls 2 - 0")
        try send(second, "games", "deleteGame", #"{"game":"1"}"#)
        #expect(try bar.output.line() == "no game")
        try send(second, "games", "restoreGame", #"{"game":"1"}"#)
        #expect(try bar.output.line() == "Owls 2 - 0")
        bar.signal(SIGINT)
        let outcome = try bar.outcome()
        #expect(outcome.status == 130 && outcome.output == "")
    }

    @Test func `with a rate, the last change is not lost`() throws {
        let bus = try serve()
        try createGame(bus)
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

    @Test func `members make lines of JSON`() throws {
        let bus = try serve()
        try createGame(bus, home: #"<b>\"&"#)
        try bus.run(
            viewctl, "watch", "scoreboard/1", "--member", "text={teams.home}", "--member",
            "class={paused.isPaused}", "--bar", "waybar", "-n1"
        ).expect(output: #"{"text":"&lt;b&gt;&quot;&amp;","class":"true"}"# + "\n")
    }

    @Test func `i3blocks shows a hostile name as text`() throws {
        let bus = try serve()
        try createGame(bus, home: #"<i>\"%{F}&#(x)"#)
        try folder.write(
            """
            [score]
            markup=pango
            interval=persist
            command='\(viewctl)' watch scoreboard/1 --format '<b>{teams.home}</b>' --bar i3blocks

            """, to: "blocks")
        let bar = try Child(["i3blocks", "-c", folder("blocks")], environment: environment)
        let shown = #""full_text":"<b>‹i›\"%{F}＆#(x)</b>""#
        while let line = try bar.output.line(), !line.contains(shown) {
            #expect(!line.contains("<i>"))
        }
    }

    @Test func `tmux shows a hostile name as text, and runs nothing`() throws {
        let bus = try serve()
        try createGame(bus, home: "#(touch mark)#[bg=red]A")
        try folder.write(
            """
            set -g status-interval 1
            set -g status-left ""
            set -g status-right-length 200
            set -g status-right "#('\(viewctl)' watch scoreboard/1 --bar tmux \
            --format 'is {teams.home}.')"

            """, to: "tmux.conf")
        let tmux = try Tmux()
        try tmux.open(
            "outer", columns: 160,
            "cd '\(folder.path)'; unset TMUX; BUSD_SOCKET='\(bus.socket)' tmux -S '\(folder("inner"))' "
                + "-f '\(folder("tmux.conf"))' new-session cat")
        try tmux.awaitText(#/is #\(touch mark\)#\[bg=red\]A\./#, "the name", in: "outer")
        #expect(access(folder("mark"), F_OK) != 0)
        _ = try Child.run("tmux", "-S", folder("inner"), "kill-server")
    }
}
