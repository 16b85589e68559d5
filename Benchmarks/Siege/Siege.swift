import Glibc
import Measures

/// One case after the other, each at a daemon of its own and with a witness.
struct Siege {
    /// Bytes that a client that does not read may cost: 1.1 MiB.
    static let mostPerClient = 1_153_434

    let busd: String
    let report = Report()

    static let cases: [(name: String, run: @Sendable (Siege) -> Void)] = [
        ("quiet", { $0.quiet() }), ("connections", { $0.connections() }),
        ("silent", { $0.silent() }), ("descriptors", { $0.outOfDescriptors() }),
        ("storm", { $0.storm() }), ("pipeline", { $0.pipeline() }), ("hogs", { $0.hogs() }),
        ("unread", { $0.unread() }), ("stopped", { $0.stoppedReaders() }),
        ("total", { $0.manyStoppedReaders() }), ("endless", { $0.endlessLines() }),
        ("passed", { $0.passedDescriptors() }), ("vanished", { $0.vanished() }),
        ("errors", { $0.errors() }),
    ]

    /// All of them, or those that are named.
    func run(only names: [String]) {
        let known = Self.cases.map(\.name)
        if let wrong = names.first(where: { !known.contains($0) }) {
            stop("\(wrong) is none of \(known.joined(separator: ", "))")
        }
        for (name, run) in Self.cases where names.isEmpty || names.contains(name) { run(self) }
    }

    /// What is done to the daemon while a witness looks on.
    func attack(_ daemon: Daemon, witnessP99: Double = 0.05, _ attack: () -> Void) {
        let witness = WitnessProcess(at: daemon)
        attack()
        report.row(witness.testify(), p99: witnessP99)
        if !daemon.isAlive { report.row("the daemon", "lives", "is dead", .promise(false)) }
    }

    /// Nobody but the witness, for comparison.
    func quiet() {
        report.title("Nobody")
        let daemon = Daemon(busd)
        report.row("memory at the start", bytes: daemon.memory, atMost: 25 << 20)
        attack(daemon, witnessP99: 0.02) { sleep(2) }
    }
}

extension Daemon {
    /// As many connections as are wanted.
    func connect(_ count: Int) -> [Peer] {
        (0..<count).map { _ in
            guard let peer = Peer(socket) else { stop("busd accepts nobody") }
            return peer
        }
    }

    /// The share of a core that it needs for so long.
    func processorShare(seconds: Double) -> Double {
        let (before, start) = (processorTime, Clock.now)
        usleep(UInt32(seconds * 1e6))
        return (processorTime - before) / (Clock.now - start)
    }
}
