import Glibc
import Measures

/// Runs the cases one by one, each with its own daemon and a witness.
struct Siege {
    /// The most bytes that the daemon may hold for a client that does not read: 1.1 MiB.
    static let mostPerClient = 1_153_434

    let busd: String
    let report = Report()

    static let cases: [(name: String, run: @Sendable (Siege) -> Void)] = [
        ("quiet", { $0.quiet() }), ("connections", { $0.connections() }),
        ("silent", { $0.silent() }), ("descriptors", { $0.outOfDescriptors() }),
        ("storm", { $0.storm() }), ("pipeline", { $0.pipeline() }),
        ("hogs", { $0.expensiveRequests() }), ("large", { $0.largeRequests() }),
        ("unread", { $0.unread() }), ("stopped", { $0.stoppedReaders() }),
        ("total", { $0.manyStoppedReaders() }), ("endless", { $0.endlessLines() }),
        ("passed", { $0.passedDescriptors() }), ("vanished", { $0.vanished() }),
        ("errors", { $0.errors() }),
    ]

    /// Runs the named cases; without names, all.
    func run(only names: [String]) {
        let known = Self.cases.map(\.name)
        if let wrong = names.first(where: { !known.contains($0) }) {
            stop("there is no case \(wrong); there are \(known.joined(separator: ", "))")
        }
        for (name, run) in Self.cases where names.isEmpty || names.contains(name) { run(self) }
    }

    /// Attacks the daemon while a witness measures its own delays.
    func attack(_ daemon: Daemon, witnessP99: Double = 0.05, _ attack: () -> Void) {
        let witness = WitnessProcess(at: daemon)
        attack()
        report.row(witness.finish(), p99: witnessP99)
        if !daemon.isAlive { report.row("the daemon", "lives", "is dead", .promise(false)) }
    }

    /// The witness alone, for comparison.
    func quiet() {
        report.title("The witness alone")
        let daemon = Daemon(busd)
        report.row("memory at the start", bytes: daemon.memory, atMost: 25 << 20)
        attack(daemon, witnessP99: 0.02) { sleep(2) }
    }
}

extension Daemon {
    /// Opens `count` connections.
    func connect(_ count: Int) -> [Peer] {
        (0..<count).map { _ in
            guard let peer = Peer(socket) else { stop("busd does not accept a connection") }
            return peer
        }
    }

    /// The share of a core that it uses during the next `seconds`.
    func processorShare(seconds: Double) -> Double {
        let (before, start) = (processorTime, Clock.now)
        usleep(UInt32(seconds * 1e6))
        return (processorTime - before) / (Clock.now - start)
    }
}
