import Glibc
import Measures

extension Siege {
    /// A refused client connects again at once.
    func outOfDescriptors() {
        report.title("64 descriptors, 200 clients that connect again when refused, for 5 s")
        let daemon = Daemon(busd, descriptors: 64)
        attack(daemon, witnessP99: 0.02) {
            let (start, before, lines) = (Clock.now, daemon.processorTime, daemon.logLines)
            var peers = daemon.connect(200)
            var (refused, informed) = (0, 0)
            while Clock.now - start < 5 {
                waitForAny(peers, until: Clock.now + 0.1)
                for place in peers.indices {
                    let peer = peers[place]
                    peer.readAvailable()
                    if peer.takeLine()?.has(#""code":"overloaded""#) == true { informed += 1 }
                    guard peer.hasEnded else { continue }
                    refused += 1
                    peers[place] = Peer(daemon.socket) ?? peer
                }
            }
            let took = Clock.now - start
            let share = (daemon.processorTime - before) / took
            let newLines = daemon.logLines - lines
            // The limit of connections follows the descriptors, so each is refused at once.
            report.row("processor", "", percent(share))
            report.row(
                "lines in the log", "at most 10", "\(newLines)", .promise(newLines <= 10))
            report.row("refused", "", "\(refused)")
            report.row(
                "of these with the reason", "at least 99 %",
                percent(Double(informed) / Double(max(1, refused))),
                .promise(refused > 0 && informed * 100 >= refused * 99))
            peers = []
            recover(daemon)
        }
    }

    private func recover(_ daemon: Daemon) {
        let took = wait(atMost: 10) {
            guard let line = Peer(daemon.socket)?.ask("ping", within: 2) else { return false }
            return line.begins(with: #"{"ok""#)
        }
        report.row(
            "after they have left: a newcomer is answered within", "1 s",
            took.map { milliseconds($0) } ?? "never",
            took == nil ? .promise(false) : .goal((took ?? 10) <= 1))
    }

    /// SCM_RIGHTS: 253 descriptors with every ping, the most that Linux accepts in a message.
    func passedDescriptors() {
        report.title("A client that passes its own socket 101,200 times")
        let daemon = Daemon(busd)
        attack(daemon) {
            let peer = daemon.connect(1)[0]
            if peer.ask("ping") == nil { stop("busd does not answer") }
            let before = daemon.descriptorsInUse
            var answered = 0
            for _ in 0..<400 {
                guard peer.pass(Array(repeating: peer.file, count: 253), with: "ping\n") else {
                    stop("cannot pass descriptors")
                }
                if peer.line(within: 5) != nil { answered += 1 }
            }
            let more = daemon.descriptorsInUse - before
            report.row("pings answered", "400", "\(answered)", .promise(answered == 400))
            report.row("descriptors left in the daemon", "0", "\(more)", .promise(more == 0))
        }
    }
}

extension Peer {
    /// Sends one message with descriptors.
    func pass(_ descriptors: [Int32], with text: String) -> Bool {
        let header = MemoryLayout<cmsghdr>.size
        let length = header + descriptors.count * MemoryLayout<Int32>.size
        // CMSG_ALIGN
        var control = [UInt8](repeating: 0, count: (length + 7) / 8 * 8)
        control.withUnsafeMutableBytes { bytes in
            var head = cmsghdr()
            head.cmsg_len = length
            head.cmsg_level = SOL_SOCKET
            head.cmsg_type = Int32(SCM_RIGHTS)
            bytes.storeBytes(of: head, as: cmsghdr.self)
            descriptors.withUnsafeBytes { bytes[header...].copyBytes(from: $0) }
        }
        var data = Array(text.utf8)
        return control.withUnsafeMutableBytes { control in
            data.withUnsafeMutableBytes { data in
                var part = iovec(iov_base: data.baseAddress, iov_len: data.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(file, &message, Int32(MSG_NOSIGNAL)) == data.count
                }
            }
        }
    }
}
