import Glibc
import Measures

/// Sixteen clients, each of which sends the next move when the last is answered.
struct Writers {
    static let count = 16
    private let clients: [Client]
    private var began = [Double](repeating: 0, count: count)
    private var sent = 0

    init(_ daemon: Daemon, games: Int) {
        clients = (0..<Self.count).compactMap { _ in Client(daemon.socket) }
        let team = #""players":["a","b","c"]"#
        for number in 1...games {
            let teams = #""home":{"name":"H\#(number)",\#(team)},"away":{"name":"A",\#(team)}"#
            let line = #"{"op":"send","to":"games","event":{"createGame":{\#(teams)}},"id":1}"#
            clients[0].send(line)
            clients[0].awaitAnswer()
        }
    }

    mutating func run(seconds: Double, _ latencies: inout Latencies) {
        let start = Clock.now
        for index in clients.indices { next(index) }
        var entries = clients.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        var open = clients.count
        while open > 0 {
            poll(&entries, nfds_t(entries.count), -1)
            let isOver = Clock.now - start > seconds
            for index in clients.indices where entries[index].revents != 0 {
                clients[index].awaitAnswer()
                latencies.note(Clock.now - began[index])
                if isOver { open -= 1 } else { next(index) }
            }
        }
        latencies.elapsed += Clock.now - start
    }

    /// Each has a player of a game that few share.
    private mutating func next(_ index: Int) {
        sent += 1
        began[index] = Clock.now
        let player =
            "scoreboard/\(1 + index / 6)/\(index % 6 < 3 ? "home" : "away")/\(1 + index % 3)"
        clients[index].send(
            #"{"op":"send","to":"\#(player)","event":"foulMove","key":"\#(sent)","id":\#(sent)}"#)
    }
}
