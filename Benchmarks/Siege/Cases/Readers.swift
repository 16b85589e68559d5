import Glibc
import Measures

extension Siege {
    func stoppedReaders() {
        report.title("20 stopped readers of a view model with 10,000 events per second, for 5 s")
        let daemon = Daemon(busd)
        attack(daemon, witnessP99: 0.01) {
            let readers = stopped(20, daemon)
            let before = daemon.memory
            daemon.forgetPeak()
            let last = publish(daemon, seconds: 5)
            report.row(
                "memory for each reader, at most", bytes: (daemon.peak - before) / 20,
                atMost: Self.mostPerClient)
            resume(readers, last)
        }
    }

    /// Together they have more unread events than the daemon may hold.
    func manyStoppedReaders() {
        report.title("400 stopped readers, for 2 s")
        let daemon = Daemon(busd)
        attack(daemon) {
            let readers = stopped(400, daemon)
            let before = daemon.memory
            daemon.forgetPeak()
            let last = publish(daemon, seconds: 2)
            // Waiting bytes are limited to 64 MiB; the rest is bookkeeping for each line.
            report.row("memory for all, at most", bytes: daemon.peak - before, atMost: 192 << 20)
            resume(readers, last)
        }
    }

    private func stopped(_ count: Int, _ daemon: Daemon) -> [Peer] {
        let readers = daemon.connect(count)
        for reader in readers {
            reader.send("subscribe game-creator/busy")
            if reader.line(within: 10, { $0.begins(with: #"{"live":"#) }) == nil {
                stop("cannot subscribe")
            }
        }
        return readers
    }

    /// Returns the last name that was sent.
    private func publish(_ daemon: Daemon, seconds: Double) -> Int {
        let peer = daemon.connect(1)[0]
        let start = Clock.now
        var (sent, bytes) = (0, [UInt8]())
        while Clock.now - start < seconds || !bytes.isEmpty {
            // Keeps the rate, even if this process was delayed.
            let due = Int(min(Clock.now - start, seconds) * 10_000)
            while sent < due, bytes.count < 1 << 16 {
                sent += 1
                let event = #"{"teamNameChanged":{"side":"home","name":"\#(sent)"}}"#
                bytes += #"{"op":"send","to":"game-creator/busy","event":\#(event)}"#.utf8
                bytes.append(UInt8(ascii: "\n"))
            }
            bytes.removeFirst(peer.offer(bytes[...]))
            usleep(1_000)
        }
        let took = Clock.now - start
        bytes += "ping\n".utf8
        while !bytes.isEmpty, !peer.hasEnded {
            bytes.removeFirst(peer.offer(bytes[...]))
            usleep(1_000)
        }
        if peer.line(within: 10, \.isAnswer) == nil { stop("busd does not answer") }
        report.row("events sent per second", "", grouped(Int(Double(sent) / took)))
        return sent
    }

    private func resume(_ readers: [Peer], _ last: Int) {
        var views = readers.map(Resumed.init)
        let start = Clock.now
        while Clock.now - start < 10, !views.allSatisfy({ $0.name == last }) {
            waitForAny(views.filter { $0.name != last }.map(\.peer), until: Clock.now + 0.1)
            for place in views.indices { views[place].readAvailable(Clock.now - start) }
        }
        let count = views.count
        let informed = views.count { $0.gaps == 1 }
        let right = views.count { $0.name == last && $0.isExact }
        let slowest = views.map(\.took).max() ?? 0
        report.row(
            "they read again: get one gap", "\(count)", "\(informed)", .promise(informed == count))
        report.row(
            "exact count, order and last state", "\(count)", "\(right)", .promise(right == count))
        report.row(
            "the slowest is current after", "at most 1 s", milliseconds(slowest),
            .goal(slowest <= 1))
    }
}

/// A view that reads again.
private struct Resumed {
    let peer: Peer
    private(set) var gaps = 0
    /// The last team name that it was shown.
    private(set) var name: Int?
    /// Whether every event has had the expected `seq`.
    private(set) var isExact = true
    private(set) var took = 0.0
    private var seq: Int?

    init(_ peer: Peer) { self.peer = peer }

    mutating func readAvailable(_ now: Double) {
        peer.readAvailable()
        while let line = peer.takeLine() { take(line, now) }
    }

    private mutating func take(_ line: Line, _ now: Double) {
        if let missed = line.begins(with: #"{"gap":"#) ? line.number(after: #""missed":"#) : nil {
            gaps += 1
            seq = (seq ?? 0) + missed
        } else if line.begins(with: #"{"from":"#), let number = line.number(after: #""seq":"#) {
            let isSnapshot = line.has(#""snapshot":true"#)
            if let seq { isExact = isExact && number == (isSnapshot ? seq : seq + 1) }
            seq = number
            if let shown = line.number(after: #""draft":{"home":{"name":""#) { name = shown }
            took = now
        }
    }
}
