import CEpoll
import Glibc
import Measures

/// Sixteen clients of one or several daemons. Each sends its next move when the last one is
/// answered. They share the cores with busd, so they do little work: one epoll, and lines that are
/// prepared except for their numbers.
public struct Writers {
    public static let count = 16
    private let clients: [Client]
    /// By round, then by client.
    private let lines: [[Line]]
    private let queue = epoll_create1(Int32(EPOLL_CLOEXEC))
    private var began = [Double](repeating: 0, count: count)
    private var moves = [Int](repeating: 0, count: count)
    private var sent: Int
    private let firstRound: Int

    /// A `send`, in parts between which its number is inserted.
    private struct Line {
        let start: [UInt8]
        let middle = Array(#"","id":"#.utf8)
        let end = Array("}\n".utf8)

        /// Each client has its own player; up to six clients share a game.
        init(_ round: Int, _ index: Int) {
            let side = index % 6 < 3 ? "home" : "away"
            let game = 1 + Writers.gamesPerRound * round + index / 6
            let player = "scoreboard/\(game)/\(side)/\(1 + index % 3)"
            start = Array(#"{"op":"send","to":"\#(player)","event":"foulMove","key":""#.utf8)
        }

        func with(_ number: Int) -> [UInt8] {
            let digits = String(number).utf8
            var bytes: [UInt8] = []
            bytes.reserveCapacity(128)
            bytes += start
            bytes += digits
            bytes += middle
            bytes += digits
            bytes += end
            return bytes
        }
    }

    /// A player has at most 2,000 moves, so the clients change to other games before.
    private static let movesPerRound = 1_900
    private static let gamesPerRound = 3
    private static let rounds = 100

    /// - Parameters:
    ///   - part: writers of another part use other games and keys.
    ///   - games: number of games to create; 0: they exist already.
    public init(_ sockets: String..., part: Int = 0, games: Int? = nil) {
        (sent, firstRound) = (part * 100_000_000, part * Self.rounds / 2)
        clients = (0..<Self.count).compactMap { Client(sockets[$0 % sockets.count]) }
        lines = (0..<Self.rounds).map { round in (0..<Self.count).map { Line(round, $0) } }
        for index in clients.indices {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(index)))
            epoll_ctl(queue, EPOLL_CTL_ADD, clients[index].descriptor, &event)
        }
        let team = #""players":["a","b","c"]"#
        for number in 0..<(games ?? Self.rounds * Self.gamesPerRound) {
            let teams = #""home":{"name":"H\#(number)",\#(team)},"away":{"name":"A",\#(team)}"#
            let line = #"{"op":"send","to":"games","event":{"createGame":{\#(teams)}},"id":1}"#
            clients[0].send(line)
            clients[0].awaitAnswer()
        }
    }

    public mutating func run(seconds: Double, _ latencies: inout Latencies) {
        let start = Clock.now
        for index in clients.indices { next(index) }
        var ready = [epoll_event](repeating: epoll_event(), count: Self.count)
        var open = clients.count
        while open > 0 {
            let found = Int(epoll_wait(queue, &ready, Int32(ready.count), -1))
            let isOver = Clock.now - start > seconds
            for event in ready.prefix(max(0, found)) {
                let index = Int(event.data.u64)
                clients[index].awaitAnswer()
                latencies.note(Clock.now - began[index])
                if isOver { open -= 1 } else { next(index) }
            }
        }
        latencies.elapsed += Clock.now - start
    }

    private mutating func next(_ index: Int) {
        let round = (firstRound + moves[index] / Self.movesPerRound) % Self.rounds
        moves[index] += 1
        sent += 1
        began[index] = Clock.now
        clients[index].send(lines[round][index].with(sent))
    }
}
