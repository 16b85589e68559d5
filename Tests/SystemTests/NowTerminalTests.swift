import Glibc
import TestSupport
import Testing

/// `viewctl top` and `viewctl tap`, with a daemon.
@Suite(.needs("tmux"), .showsScreens)
struct NowTerminalTests {
    private let bus: BusFixture
    private let tmux: Tmux
    private let viewctl: String

    init() throws {
        (bus, tmux) = (try BusFixture(), try Tmux())
        viewctl = try Products.path("viewctl")
    }

    private func open(_ words: String, in name: String, _ variables: String = "") throws {
        try tmux.open(name, "env \(variables) BUSD_SOCKET=\(bus.socket) \(viewctl) \(words)")
    }

    @Test func `The verb top is live on a terminal, until q or Ctrl-C`() throws {
        let client = try bus.connect()
        try client.send(#"{"op":"hello","protocol":1,"name":"court"}"#)
        try open("top", in: "top")
        try tmux.awaitText(#/2 connections/#, "the title", in: "top")
        try tmux.awaitText(#/PID +USER +SENDS.*LOOP +CLIENT/#, "the head", in: "top")
        try tmux.awaitText(#/0\.0% +court/#, "a row", in: "top")
        try tmux.resize("top", columns: 50, rows: 5)
        try tmux.awaitText(#/and 2 more/#, "the small table", in: "top")
        try tmux.press("q", in: "top")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "top")
        try open("top", in: "again")
        try tmux.awaitText(#/2 connections/#, "the title", in: "again")
        try tmux.press("C-c", in: "again")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "again")
        #expect(try bus.stop().status == 0)
    }

    /// A real-time signal is one of them.
    @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGQUIT, 40])
    func `A signal that ends the process first restores the terminal`(signal: Int32) throws {
        let folder = try Folder()
        let command = "env BUSD_SOCKET=\(bus.socket) SWIFT_BACKTRACE=enable=no \(viewctl) top"
        try tmux.open(
            "top", "echo before; sh -c 'echo $$ >\(folder("id")); exec \(command)'")
        try tmux.awaitText(#/1 connection/#, "the title", in: "top")
        kill(try #require(pid_t(try folder.text(of: "id").dropLast())), signal)
        try tmux.awaitText(#/before/#, "the former screen", in: "top")
        let status = try Regex("ended with \(128 + signal)", as: Substring.self)
        try tmux.awaitText(status, "the end", in: "top")
        #expect(try tmux.showsCursor("top"))
        #expect(try bus.stop().status == 0)
    }

    @Test func `The verb top says that the daemon is away`() throws {
        try open("top", in: "top")
        try tmux.awaitText(#/1 connection/#, "the title", in: "top")
        #expect(try bus.stop().status == 0)
        try tmux.awaitText(#/reconnecting/#, "the loss", in: "top")
        try tmux.press("q", in: "top")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "top")
    }

    @Test func `The verb top prints tables with --count, and objects in a pipe`() throws {
        let table = try bus.run(viewctl, "top", "--plain", "--count", "2")
        #expect(table.status == 0 && table.errors.isEmpty)
        let tables = table.output.split(separator: "\n\n")
        #expect(tables.count == 2)
        #expect(tables.allSatisfy { $0.hasPrefix("1 connection\n") && $0.contains("viewctl") })
        let json = try bus.run(viewctl, "top", "-n", "1")
        #expect(json.status == 0 && json.output.split(separator: "\n").count == 1)
        #expect(json.output.hasPrefix(#"{"milliseconds":"#))
        #expect(json.output.contains(#""name":"viewctl","access":"control""#))
        #expect(try bus.run(viewctl, "top", "--count", "0").status == 64)
        #expect(try bus.stop().status == 0)
    }

    @Test func `The verb tap needs the control socket`() throws {
        try bus.run(viewctl, "tap", "--socket", bus.viewSocket).expect(
            status: 2,
            errors:
                "viewctl: only root and the daemon's own user may watch sends, through the control "
                + "socket\n")
        #expect(try bus.stop().status == 0)
    }

    @Test func `The verb tap prints each send, and never a payload`() throws {
        try open("tap --plain", in: "tap")
        let asker = try bus.connect()
        // The tap shows the sends that come after it.
        try asker.await(#""to":"bus/tap""#, inAnswerTo: "get bus/views")
        try asker.send(#"send echo/a say {"text":"secret"}"#)
        try tmux.awaitText(#/echo/a/#, "a send", in: "tap")
        let text = try tmux.screen("tap")
        #expect(text.contains(#/\d\d:\d\d:\d\d  \S+  -  echo\/a  say  changed  \d+ us/#))
        #expect(!text.contains("secret"))
        #expect(try bus.stop().status == 0)
        try tmux.awaitText(#/trying again/#, "the loss", in: "tap")
    }
}
