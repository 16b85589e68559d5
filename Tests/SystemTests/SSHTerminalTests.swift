import Glibc
import TestSupport
import Testing

/// A screen that shows a daemon on another machine.
@Suite(.needs("tmux"), .showsScreens)
struct SSHTerminalTests {
    private let tmux: Tmux

    init() throws { tmux = try Tmux() }

    private func command(_ ssh: FakeSSH, _ words: String) throws -> String {
        "trap : INT; env PATH=\(try ssh.path) scoreboard --host court \(words)"
    }

    @Test func `Ctrl-C while ssh connects ends both, and leaves the terminal as it was`() throws {
        let silent = try FakeSSH(
            #"stty -echo </dev/tty; touch "${0%/*}/asks"; exec cat >/dev/null"#)
        try tmux.open("court", try command(silent, "") + "; stty -a | grep -o '.echo '")
        try eventually("a question of ssh") {
            silent.folder.names
        } is: {
            $0.contains("asks")
        }
        try tmux.press("C-c", in: "court")
        try tmux.awaitText(#/ echo\nended with/#, "the end", in: "court")
        #expect(try !tmux.screen("court").contains("-echo"))
    }

    @Test func `Connecting for longer than a second is reported`() throws {
        let silent = try FakeSSH("exec cat >/dev/null")
        try tmux.open("court", try command(silent, ""))
        try tmux.awaitText(#/scoreboard: connecting to court …/#, "the report", in: "court")
        try tmux.press("C-c", in: "court")
        try tmux.awaitText(#/ended with 130/#, "the end", in: "court")
    }

    @Test func `A screen goes on after ssh was killed, and shows none of its messages`() throws {
        let bus = try BusFixture()
        let ssh = try FakeSSH(#"echo 'a message' >&2; eval "exec $*""#)
        let script = try bus.connect()
        try script.send(
            #"send games createGame {"home":{"name":"A","players":["Ann","Bo","Cy"]},"#
                + #""away":{"name":"B","players":["Dee","Eli","Fay"]}}"#)
        try tmux.open("court", try command(ssh, "--socket \(bus.socket) 1"))
        try tmux.awaitText(#/Ann +0 +0 +0 +0 +0/#, "the players", in: "court")
        try ssh.kill()
        try script.send("send scoreboard/1/home/1 twoPointMove")
        try tmux.awaitText(#/Ann +0 +1 +0 +0 +0/#, "the move", in: "court")
        #expect(try !tmux.screen("court").contains("a message"))
        try tmux.press("q", in: "court")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "court")
    }
}
