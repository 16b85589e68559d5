import Glibc
import Measures

extension Siege {
    /// Half of the clients send lines without an end. The others stop at the length limit.
    func endlessLines() {
        report.title("200 clients with lines that never end")
        let daemon = Daemon(busd)
        attack(daemon) {
            let before = daemon.memory
            let peers = daemon.connect(200)
            daemon.forgetPeak()
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
            var sent = [Int](repeating: 0, count: peers.count)
            let start = Clock.now
            while Clock.now - start < 3 {
                waitForAny(peers, toWrite: true, until: Clock.now + 0.1)
                for place in peers.indices {
                    // Every second client stops at the length limit of a line.
                    let left = place.isMultiple(of: 2) ? piece.count : piece.count - sent[place]
                    sent[place] += peers[place].offer(piece[..<left])
                }
            }
            report.row("sent", "", size(sent.reduce(0, +)))
            report.row(
                "memory for all, at most", bytes: daemon.peak - before,
                atMost: 200 * 80 << 10 + 16 << 20)
        }
    }

    /// Clients that fill both directions, so that the daemon waits for them to read, and then end.
    func vanished() {
        report.title("50 clients that fill both directions, and end")
        let daemon = Daemon(busd)
        let descriptors = daemon.descriptorsInUse
        attack(daemon) {
            var peers = daemon.connect(50)
            for peer in peers {
                var pipeline = Pipeline { #"{"op":"help","id":\#($0)}"# }
                while pipeline.offer(to: peer) > 0 || waits(peer, Clock.now + 0.02) {}
            }
            peers = []
            let gone = wait(atMost: 10) { daemon.descriptorsInUse <= descriptors + 1 }
            report.row(
                "noticed within", "5 s", gone.map { milliseconds($0) } ?? "never",
                gone == nil ? .promise(false) : .goal((gone ?? 10) <= 5))
            let share = daemon.processorShare(seconds: 1)
            report.row(
                "processor then", "at most 5 % with witness", percent(share),
                share > 0.5 ? .promise(false) : .goal(share <= 0.05))
        }
    }

    private func waits(_ peer: Peer, _ end: Double) -> Bool {
        var entry = pollfd(fd: peer.file, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, Int32(max(0, (end - Clock.now) * 1000))) > 0
    }

    /// Lines that are no requests. A client that is disconnected for them connects again.
    func errors() {
        for count in [1, 100] {
            report.title("Only errors, for 2 s; number of clients: \(count)")
            let daemon = Daemon(busd)
            attack(daemon) {
                let lines = daemon.logLines
                var (peers, reconnects, answers) = (daemon.connect(count), 0, 0)
                let start = Clock.now
                for peer in peers { peer.send("{", "nonsense", "[]") }
                while Clock.now - start < 2 {
                    waitForAny(peers, until: Clock.now + 0.1)
                    for place in peers.indices {
                        peers[place].readAvailable()
                        while let line = peers[place].takeLine() {
                            if line.begins(with: #"{"error""#) { answers += 1 }
                        }
                        guard peers[place].hasEnded else { continue }
                        peers[place] = daemon.connect(1)[0]
                        peers[place].send("{", "nonsense", "[]")
                        reconnects += 1
                    }
                }
                let perSecond = Double(daemon.logLines - lines) / 2
                report.row("errors answered per second", "", grouped(answers / 2))
                report.row("closed, and connected again", "", grouped(reconnects))
                report.row(
                    "lines in the log per second", "at most \(count == 1 ? 10 : 100)",
                    text(perSecond, 1), .promise(perSecond <= (count == 1 ? 10 : 100)))
            }
        }
    }
}
