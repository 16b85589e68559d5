import Glibc
import Measures

extension Siege {
    /// Opens as many connections as busd allows.
    func connections() {
        report.title("4,096 connections")
        let daemon = Daemon(busd)
        let (memory, descriptors) = (daemon.memory, daemon.descriptorsInUse)
        var peers: [Peer] = []
        attack(daemon) {
            let start = Clock.now
            // The witness has the last of 4,096 connections.
            peers = daemon.connect(4_095)
            for peer in peers { peer.send("ping") }
            let answered = peers.count { $0.line(within: 20) != nil }
            let took = Clock.now - start
            report.row("answered", "4,095", grouped(answered), .promise(answered == 4_095))
            report.row(
                "from the first connect to the last answer", "at most 1 s", milliseconds(took),
                .goal(took <= 1))
        }
        report.row(
            "memory of an idle connection", bytes: (daemon.memory - memory) / 4_095,
            atMost: 6 << 10)
        let share = daemon.processorShare(seconds: 2)
        report.row(
            "processor while they are idle", "at most 0.1 %", percent(share),
            share > 0.5 ? .promise(false) : .goal(share <= 0.001))
        attack(daemon) {
            refused(daemon)
            peers = []
            let gone = wait(atMost: 10) { daemon.descriptorsInUse <= descriptors + 1 }
            report.row(
                "after all have left: descriptors are free within", "2 s",
                gone.map { milliseconds($0) } ?? "never", .promise(gone != nil))
        }
        report.row("memory after they have left", "", "\(size(daemon.memory - memory)) more")
    }

    /// Connections above the limit are refused with the reason.
    private func refused(_ daemon: Daemon) {
        var (informed, longest) = (0, 0.0)
        for _ in 0..<100 {
            let start = Clock.now
            guard let peer = Peer(daemon.socket),
                let line = peer.line(), line.has(#""code":"overloaded""#)
            else { continue }
            longest = max(longest, Clock.now - start)
            if peer.line(within: 1) == nil, peer.hasEnded { informed += 1 }
        }
        report.row(
            "100 more get the reason and are closed", "100", "\(informed)",
            .promise(informed == 100))
        report.row(
            "longest wait of one of them", "at most 100 ms", milliseconds(longest),
            .goal(longest <= 0.1))
    }

    func silent() {
        report.title("1,000 silent connections")
        let daemon = Daemon(busd)
        attack(daemon) {
            let silent = daemon.connect(1_000)
            var delays: [Double] = []
            for _ in 0..<100 {
                let start = Clock.now
                if Peer(daemon.socket)?.ask("ping") != nil { delays.append(Clock.now - start) }
                usleep(10_000)
            }
            let all = Sample(delays)
            let count = delays.count
            report.row("newcomers answered", "100", "\(count)", .promise(count == 100))
            report.row(
                "a newcomer's first answer: p50, most", "at most 100 ms",
                "\(milliseconds(all.median)), \(milliseconds(all.most))", .goal(all.most <= 0.1))
            withExtendedLifetime(silent) {}
        }
    }

    /// Connects and leaves again and again; every second client sends a ping.
    func storm() {
        report.title("Connect and leave, for 3 s")
        let daemon = Daemon(busd)
        let descriptors = daemon.descriptorsInUse
        attack(daemon) {
            let (start, before) = (Clock.now, daemon.processorTime)
            var (count, memory) = (0, 0)
            while Clock.now - start < 3 {
                let peer = Peer(daemon.socket)
                if count.isMultiple(of: 2) { peer?.send("ping") }
                count += 1
                // The allocator has its memory by now, so later growth is a leak.
                if count == 5_000 { memory = daemon.memory }
            }
            let took = Clock.now - start
            let rate = Double(count) / took
            report.row(
                "connections per second", "at least 5,000", grouped(Int(rate)), .goal(rate >= 5_000)
            )
            report.row(
                "processor for each", "",
                "\(text((daemon.processorTime - before) / Double(count) * 1e6, 1)) µs")
            let gone = wait(atMost: 10) { daemon.descriptorsInUse <= descriptors + 1 }
            report.row(
                "descriptors are free again", "yes", gone == nil ? "no" : "yes",
                .promise(gone != nil))
            if memory > 0 {
                report.row(
                    "memory for the later connections", bytes: daemon.memory - memory,
                    atMost: 2 << 20)
            }
        }
    }
}
