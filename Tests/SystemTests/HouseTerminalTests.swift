import Glibc
import TestSupport
import Testing

/// `viewctl house` in a terminal.
@Suite(.needs("tmux", "redis-server"), .showsScreens)
struct HouseTerminalTests {
    private let tmux: Tmux
    private let redis: RedisFixture
    private let folders: [Folder]

    init() throws {
        tmux = try Tmux()
        redis = try RedisFixture()
        folders = [try Folder(), try Folder()]
    }

    private func serve(_ place: Int) throws -> BusFixture {
        try BusFixture(
            in: folders[place],
            options: [
                "--state", folders[place]("state"), "--house", "league", "--log",
                "unix:\(redis.socket)", "--member", "m\(place)",
            ])
    }

    private func show(_ bus: BusFixture, in name: String, _ variables: String = "") throws {
        let command = "\(try Products.path("viewctl")) house"
        try tmux.open(name, "env \(variables) BUSD_SOCKET=\(bus.socket) \(command)")
    }

    @Test func `The table shows changes of its house, and returns after a restart`() throws {
        let first = try serve(0)
        try show(first, in: "table")
        try tmux.awaitText(#/league: following/#, "the house", in: "table")
        try tmux.awaitText(#/\* m0 +\S+ +0 +now/#, "the own daemon", in: "table")
        let second = try serve(1)
        try tmux.awaitText(#/m1 +\S+ +0 +now/#, "another daemon", in: "table")
        try second.connect().send(
            #"send games createGame {"home":{"name":"A","players":["a","b","c"]},"#
                + #""away":{"name":"B","players":["d","e","f"]}}"#)
        try tmux.awaitText(#/\* m0 +\S+ +1 +now/#, "an entry", in: "table")
        try tmux.resize("table", columns: 40, rows: 5)
        try tmux.awaitText(#/^league: following\n/#, "the small table", in: "table")

        try tmux.resize("table", columns: 100, rows: 20)

        first.daemon.signal(SIGKILL)
        _ = try first.daemon.outcome()
        try tmux.awaitText(#/reconnecting/#, "the loss", in: "table")
        let again = try serve(0)
        try tmux.awaitText(#/m0 +\S+ +1 +now[^$]*q quit/#, "the house again", in: "table")
        try tmux.press("q", in: "table")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "table")
        #expect(try again.stop().status == 0)
    }

    @Test func `Ctrl-C ends the table, and a dumb terminal gets the table once`() throws {
        let bus = try serve(0)
        try show(bus, in: "table")
        try tmux.awaitText(#/league: following/#, "the house", in: "table")
        try tmux.press("C-c", in: "table")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "table")
        try show(bus, in: "dumb", "TERM=dumb")
        try tmux.awaitText(
            #/printing the table\nleague: following\n[^$]*ended with 0/#, "the table",
            in: "dumb")
    }

    @Test
    func `A daemon without a house is reported by viewctl house, in a terminal or not`() throws {
        let bus = try BusFixture()
        try show(bus, in: "table")
        try tmux.awaitText(
            #/viewctl: this daemon is not in a house[^$]*ended with 2/#, "the reason", in: "table")
        let printed = try bus.run(try Products.path("viewctl"), "house")
        #expect(printed.status == 2 && printed.output.isEmpty)
        #expect(printed.errors.hasPrefix("viewctl: this daemon is not in a house"))
    }
}
