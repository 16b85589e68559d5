import Glibc
import Measures

extension Siege {
    /// Single requests of one client to a daemon with 10,000 games (40,000 view models): alone, and
    /// while the client watches much already. The witness sends every millisecond.
    func largeRequests() {
        let daemon = Daemon(busd)
        report.title("10,000 games, and one request at a time: longest wait of another client")
        makeGames(daemon, 10_000)
        var client = daemon.connect(1)[0]
        for request in Self.requestsOfMany { longestWait(request, daemon, client) }
        longestWait("close", daemon) {
            client = daemon.connect(1)[0]
            usleep(200_000)
        }
        longestWait(Self.subscribeToAll, daemon, client)
        longestWait("close while all view models wait", daemon) {
            client.send(Self.subscribeToAll)
            usleep(5_000)
            client = daemon.connect(1)[0]
            usleep(200_000)
        }
        longestWait("all view models fall asleep, a minute later", daemon) { sleep(65) }
    }

    private static let subscribeToAll = #"{"op":"subscribe","to":"**","id":1}"#

    /// In this order, so most of them find a client that watches much.
    private static let requestsOfMany =
        [
            #"{"op":"list","id":1}"#, #"{"op":"list","to":"*/*/*/zz","id":1}"#,
            #"{"op":"describe","id":1}"#, #"{"op":"get","to":"games","id":1}"#,
            subscribeToAll, subscribeToAll,
        ]
        + [
            #""**","only":["score"]"#, #""**","only":["score","time"]"#, #""**","only":[]"#,
            #""**""#, #""scoreboard/**""#, #""*/*""#, #""scoreboard/*/*/*","only":["name"]"#,
            #""zz/*""#, #""*/*/*/zz""#, #""scoreboard/1""#,
        ].map { #"{"op":"subscribe","to":\#($0),"id":1}"# }
        + [
            #"{"op":"list","id":1}"#, #"{"op":"list","to":"*/*/*/zz","id":1}"#,
            #"{"op":"send","to":"games","event":{"deleteGame":{"game":"5"}},"id":1}"#,
            #"{"op":"send","to":"games","event":{"restoreGame":{"game":"5"}},"id":1}"#,
            #"{"op":"send","to":"scoreboard/7","event":"resume","id":1}"#,
        ]
        + ["*/*/*/zz", "zz/*", "scoreboard/*/*/*", "**", "scoreboard/**", "*/*"].map {
            #"{"op":"unsubscribe","to":"\#($0)","id":1}"#
        } + [subscribeToAll]

    private func longestWait(_ request: String, _ daemon: Daemon, _ client: Peer) {
        longestWait(String(request.dropLast(#","id":1}"#.utf8.count)) + "}", daemon) {
            client.send(request)
            let answer = client.line(within: 60) { $0.isAnswer && $0.id == 1 }
            client.send(#"{"op":"ping","id":2}"#)
            let end = client.line(within: 60) { $0.isAnswer && $0.id == 2 }
            if answer?.begins(with: #"{"ok":"#) != true || end == nil {
                stop("busd does not answer \(request)")
            }
        }
    }

    private func longestWait(_ title: String, _ daemon: Daemon, _ work: () -> Void) {
        let witness = WitnessProcess(at: daemon, everyMilliseconds: 1)
        work()
        // The witness sends some events in any case.
        usleep(20_000)
        let figures = witness.finish()
        report.row(
            title, "at most 10 ms", milliseconds(figures.most),
            figures.isIntact ? .goal(figures.most <= 0.01) : .promise(false))
    }

    private func makeGames(_ daemon: Daemon, _ count: Int) {
        let maker = daemon.connect(1)[0]
        let games = (0..<count).map { number in
            let teams = ["home", "away"].map {
                #""\#($0)":{"name":"T\#(number)","players":["P\#(number)"]}"#
            }
            return #"{"createGame":{\#(teams.joined(separator: ","))}}"#
        }
        for (number, game) in games.enumerated() {
            let request = #"{"op":"send","to":"games","event":\#(game),"id":\#(number)}"#
            if maker.ask(request)?.id != number { stop("cannot make games") }
        }
    }
}
