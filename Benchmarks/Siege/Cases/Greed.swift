import Glibc
import Measures

extension Siege {
    /// Sends a million requests, as fast as the socket accepts them.
    func pipeline() {
        report.title("A client that pipelines a million requests")
        let daemon = Daemon(busd)
        attack(daemon, witnessP99: 0.02) {
            let peer = daemon.connect(1)[0]
            let start = Clock.now
            var requests = Pipeline(most: 1_000_000) { #"{"op":"ping","id":\#($0)}"# }
            var (answered, isInOrder) = (0, true)
            while answered < 1_000_000, !peer.hasEnded, Clock.now - start < 60 {
                waitForAny([peer], toWrite: !requests.isTaken, until: Clock.now + 1)
                if !requests.isTaken { requests.offer(to: peer) }
                peer.readAvailable()
                while let line = peer.takeLine() {
                    isInOrder = isInOrder && line.id == answered
                    answered += 1
                }
            }
            let rate = Int(Double(answered) / (Clock.now - start))
            report.row(
                "answered, in order", "1,000,000",
                "\(grouped(answered)), \(isInOrder ? "yes" : "no")",
                .promise(answered >= 1_000_000 && isInOrder))
            report.row("requests per second", "", grouped(rate))
        }
    }

    /// Expensive requests from the user of the witness, with 4,000 view models that have long,
    /// similar addresses.
    func expensiveRequests() {
        for kind in ExpensiveRequest.allCases {
            attack([kind], "A client that \(kind.rawValue)", p99: 0.02)
        }
        let all = (0..<4).flatMap { _ in ExpensiveRequest.allCases }
        attack(all, "20 clients that do all this at once", p99: 0.05)
    }

    private func attack(_ kinds: [ExpensiveRequest], _ title: String, p99: Double) {
        report.title(title)
        let daemon = Daemon(busd)
        let maker = daemon.connect(1)[0]
        for number in 1_000..<5_000 {
            if maker.ask("get echo/\(ExpensiveRequest.long)\(number)") == nil {
                stop("cannot make view models")
            }
        }
        attack(daemon, witnessP99: p99) {
            let peers = daemon.connect(kinds.count)
            var pipelines = kinds.map { kind in Pipeline { kind.request($0) } }
            let (start, before) = (Clock.now, daemon.processorTime)
            var bytes = 0
            while Clock.now - start < 2 {
                waitForAny(peers, toWrite: true, until: Clock.now + 0.1)
                for place in peers.indices {
                    pipelines[place].offer(to: peers[place])
                    bytes += peers[place].readAvailable()
                    peers[place].forget()
                }
            }
            let took = Clock.now - start
            let rate = size(Int(Double(bytes) / took))
            let share = percent((daemon.processorTime - before) / took)
            report.row("bytes of answers; processor of the daemon", "", "\(rate)/s; \(share)")
        }
    }

    /// Clients that send requests and never read.
    func unread() {
        report.title("20 clients that send requests and never read")
        let daemon = Daemon(busd)
        attack(daemon) {
            let before = daemon.memory
            let peers = daemon.connect(20)
            var pipelines = peers.map { _ in Pipeline { #"{"op":"help","id":\#($0)}"# } }
            daemon.forgetPeak()
            // Until no socket has accepted bytes for half a second.
            var last = Clock.now
            while Clock.now - last < 0.5 {
                for place in peers.indices where pipelines[place].offer(to: peers[place]) > 0 {
                    last = Clock.now
                }
                usleep(500)
            }
            report.row(
                "memory for each, at most", bytes: (daemon.peak - before) / 20,
                atMost: Self.mostPerClient)
            let share = daemon.processorShare(seconds: 1)
            report.row(
                "processor then", "at most 5 % with witness", percent(share),
                share > 0.5 ? .promise(false) : .goal(share <= 0.05))
            readAll(peers, &pipelines)
        }
    }

    private func readAll(_ peers: [Peer], _ pipelines: inout [Pipeline]) {
        var complete = 0
        for place in peers.indices {
            var answered = 0
            let whole = pipelines[place].taken
            while answered < whole, peers[place].line(within: 5)?.id == answered {
                answered += 1
            }
            if answered == whole { complete += 1 }
        }
        report.row(
            "then they read: all answers arrive in order", "20", "\(complete)",
            .promise(complete == 20))
    }
}

/// Expensive requests.
private enum ExpensiveRequest: String, CaseIterable {
    case list = "lists 4,000 view models, again and again"
    case typo = "asks for addresses that nearly exist"
    case join = "joins 4,000 view models, again and again"
    case deep = "sends the deepest lines"
    case wide = "sends the longest lines"

    static let long = String(repeating: "a", count: 50)

    func request(_ number: Int) -> String {
        switch self {
        case .list: #"{"op":"list","id":\#(number)}"#
        case .typo: "get ecko/\(Self.long)-zzz"
        case .join: "subscribe **"
        case .deep: Self.deepLine
        case .wide: Self.wideLine
        }
    }

    private static let deepLine =
        #"{"op":"ping","x-a":"# + String(repeating: "[", count: 31)
        + String(repeating: "]", count: 31) + "}"
    private static let wideLine =
        #"{"op":"ping","x-a":["#
        + Array(repeating: "12345678901234", count: 4_080).joined(separator: ",") + "]}"
}

/// A sequence of requests, sent in large pieces.
struct Pipeline {
    private let request: (Int) -> String
    private let most: Int
    private var bytes: [UInt8] = []
    private var offered = 0
    private var made = 0

    /// - Parameter most: the number of requests; endless by default.
    init(most: Int = .max, _ request: @escaping (Int) -> String) {
        self.request = request
        self.most = most
    }

    /// Number of requests that the socket has accepted whole.
    var taken: Int { made - bytes[offered...].count { $0 == UInt8(ascii: "\n") } }
    var isTaken: Bool { made == most && offered == bytes.count }

    /// Returns the number of bytes that the socket accepted.
    @discardableResult
    mutating func offer(to peer: Peer) -> Int {
        if offered == bytes.count {
            offered = 0
            bytes = []
            while bytes.count < 1 << 16, made < most {
                bytes += "\(request(made))\n".utf8
                made += 1
            }
        }
        let count = peer.offer(bytes[offered...])
        offered += count
        return count
    }
}
