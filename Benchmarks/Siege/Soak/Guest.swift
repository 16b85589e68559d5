import Glibc
import Measures

/// A client that connects, behaves in one manner, and leaves.
final class Guest {
    enum Manner: CaseIterable {
        case reads
        /// Reads half a kilobyte ten times per second.
        case slow
        /// Reads nothing in the first half of its time, then everything.
        case stopped
        /// Sends all its requests at once, and ends its input.
        case halfClosed
        /// Reads nothing, and leaves.
        case killed
        case asks
        /// Makes a view model that no other client uses.
        case makes
        case invalid
    }

    let peer: Peer
    private let manner: Manner
    private let start: Double
    private let end: Double
    private var nextRead: Double

    init(at socket: String, number: Int, _ now: Double, _ random: inout SplitMix64) {
        guard let peer = Peer(socket) else { stop("busd does not accept a connection") }
        self.peer = peer
        manner = Manner.allCases[random.below(Manner.allCases.count)]
        start = now
        end = now + 1 + Double(random.below(20_000)) / 1_000
        nextRead = now
        switch manner {
        case .asks:
            for _ in 0...random.below(20) { peer.send("list", "get games", "describe games") }
        case .invalid:
            peer.send("{", #"{"op":"hello","nonsense":1}"#, "get nobody", "send a b", "[]")
        case .makes: peer.send("send echo/guest-\(number) say {\"text\":\"\(number)\"}")
        default: for _ in 0...random.below(4) { subscribe(&random) }
        }
        if manner == .halfClosed { peer.endInput() }
    }

    private func subscribe(_ random: inout SplitMix64) {
        let places = [
            "echo/busy", "scoreboard/1", "scoreboard/*", "games", "scoreboard/2/**", "**",
            "game-creator/busy", "bus/views",
        ]
        let only = random.below(3) == 0 ? #","only":["score","said"]"# : ""
        peer.send(#"{"op":"subscribe","to":"\#(places[random.below(places.count)])"\#(only)}"#)
    }

    /// Whether it reads bytes as soon as they arrive.
    var isReading: Bool {
        switch manner {
        case .slow, .stopped, .killed: false
        default: true
        }
    }

    func act(_ now: Double) {
        switch manner {
        case .slow where now >= nextRead:
            peer.readAvailable(most: 512)
            nextRead = now + 0.1
        case .stopped where now - start > (end - start) / 2: peer.readAvailable()
        case .slow, .stopped, .killed: return
        default: peer.readAvailable()
        }
        peer.forget()
    }

    func isDone(_ now: Double) -> Bool { now > end || peer.hasEnded }
}

/// Sends a thousand events per second to two games, an echo and a draft. The number of view models
/// does not grow.
final class Scorer {
    private let peer: Peer
    private var bytes: [UInt8] = []
    private var steps = 0
    private(set) var sentCount = 0
    private var games = 0

    init(_ daemon: Daemon) {
        peer = daemon.connect(1)[0]
        for _ in 1...2 { createGame() }
        _ = peer.ask("ping")
    }

    private func createGame() {
        let team = #"{"name":"T","players":["a","b","c"]}"#
        send(
            #"{"op":"send","to":"games","event":{"createGame":{"home":\#(team),"away":\#(team)}}}"#)
        games += 1
        flush()
    }

    private func send(_ line: String) {
        bytes += line.utf8
        bytes.append(UInt8(ascii: "\n"))
        sentCount += 1
    }

    private func flush() { bytes.removeFirst(peer.offer(bytes[...])) }

    /// Sends the events that are due `start` seconds after the begin.
    func sendDue(since start: Double) {
        peer.readAvailable()
        peer.forget()
        while sentCount < Int(start * 1_000), bytes.count < 1 << 16 { step() }
        flush()
    }

    private func step() {
        steps += 1
        switch steps % 4 {
        case 0: send(#"{"op":"send","to":"scoreboard/1/home/1","event":"onePointMove"}"#)
        case 1: send(#"{"op":"send","to":"scoreboard/1","event":"undo"}"#)
        case 2:
            let event = #"{"say":{"text":"\#(steps)"}}"#
            send(#"{"op":"send","to":"echo/busy","event":\#(event),"key":"\#(steps)"}"#)
        default:
            let event = #"{"teamNameChanged":{"side":"home","name":"\#(steps)"}}"#
            send(#"{"op":"send","to":"game-creator/busy","event":\#(event)}"#)
        }
        // Games are created and deleted as well.
        guard steps % 1_000 == 0 else { return }
        createGame()
        send(#"{"op":"send","to":"games","event":{"deleteGame":{"game":"\#(games)"}}}"#)
    }
}
