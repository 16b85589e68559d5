import Glibc
import Measures

/// A well-behaved client in a separate process. It sends an event to an echo every 5 ms, or more
/// often, even if earlier events have not arrived, and measures when each arrives.
struct Witness {
    private let peer: Peer
    /// Seconds between two events.
    private let interval: Double
    private let address = "echo/witness-\(getpid())"
    private var sentAt: [Double] = []
    /// Bytes that the socket has not accepted yet.
    private var unsent: ArraySlice<UInt8> = []
    private var delays: [Double] = []
    private var answered = 0
    private var lastSeq = 0
    private var gaps = 0
    private var wrong = 0
    private var isLive = false

    init(_ socket: String, everyMilliseconds interval: Int) {
        guard let peer = Peer(socket) else { stop("the witness cannot connect") }
        self.peer = peer
        self.interval = Double(interval) / 1000
        peer.send(#"{"op":"subscribe","to":"\#(address)"}"#)
    }

    /// Runs until standard input ends, and then prints its figures.
    mutating func run() {
        while !isLive, peer.line(within: 10, { _ in true }).map({ take($0) }) != nil {}
        print("ready")
        fflush(nil)
        var next = Clock.now
        while !isStandardInputReadable(), !peer.hasEnded {
            if Clock.now >= next {
                send()
                next += interval
            }
            exchange(until: next)
        }
        let end = Clock.now + 10
        while delays.count < sentAt.count || answered < sentAt.count, !peer.hasEnded,
            Clock.now < end
        {
            exchange(until: end)
        }
        let all = Sample(delays)
        let figures = [sentAt.count, delays.count, answered, gaps, wrong, peer.hasEnded ? 1 : 0]
        let times = [50, 99, 100].map { Int(all.percentile($0) * 1e6) }
        print((figures + times).map(String.init).joined(separator: " "))
    }

    private mutating func send() {
        let number = sentAt.count
        sentAt.append(Clock.now)
        let event = #"{"say":{"text":"\#(number)"}}"#
        unsent += #"{"op":"send","to":"\#(address)","event":\#(event),"id":\#(number)}"#.utf8
        unsent.append(UInt8(ascii: "\n"))
    }

    /// After a pause of the machine, all missed events are sent at once. They may not fit into the
    /// socket.
    private mutating func exchange(until moment: Double) {
        if !unsent.isEmpty { unsent = unsent.dropFirst(peer.offer(unsent)) }
        guard waitForAny([peer], until: moment) else { return }
        peer.readAvailable()
        while let line = peer.takeLine() { take(line) }
    }

    private mutating func take(_ line: Line) {
        if line.begins(with: #"{"from":"#) {
            let (seq, number) = (line.number(after: #""seq":"#), line.number(after: #""text":""#))
            if seq != lastSeq + 1 || number != delays.count { wrong += 1 }
            lastSeq = seq ?? lastSeq
            if let number, sentAt.indices.contains(number) {
                delays.append(Clock.now - sentAt[number])
            }
        } else if line.begins(with: #"{"ok":{"seq":"#) {
            if line.id != answered { wrong += 1 }
            answered += 1
        } else if line.begins(with: #"{"gap":"#) {
            gaps += 1
        } else if line.begins(with: #"{"live":"#) {
            isLive = true
        } else if !line.begins(with: #"{"ok":"#) {
            wrong += 1
        }
    }

    private func isStandardInputReadable() -> Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}

/// The figures of a witness; times in seconds.
struct WitnessFigures {
    private let figures: [Int]

    init?(_ text: String) {
        figures = text.split(separator: " ").compactMap { Int($0) }
        guard figures.count == 9 else { return nil }
    }

    var sent: Int { figures[0] }
    var lost: Int { sent - min(figures[1], figures[2]) }
    var gaps: Int { figures[3] }
    var wrong: Int { figures[4] }
    var wasClosed: Bool { figures[5] == 1 }
    var p50: Double { Double(figures[6]) / 1e6 }
    var p99: Double { Double(figures[7]) / 1e6 }
    var most: Double { Double(figures[8]) / 1e6 }

    /// No event was lost, doubled, out of order or refused.
    var isIntact: Bool { lost == 0 && gaps == 0 && wrong == 0 && !wasClosed && sent > 0 }
}

/// The process of a witness.
final class WitnessProcess {
    private let process: pid_t
    /// The socket that is its standard input and output.
    private let line: Int32

    init(at daemon: Daemon, everyMilliseconds interval: Int = 5) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        if socketpair(AF_UNIX, kind, 0, &ends) != 0 { stop("cannot create a pair of sockets") }
        line = ends[0]
        process = spawn(
            ["/proc/self/exe", "witness", daemon.socket, "\(interval)"], [ends[1], ends[1], 2])
        close(ends[1])
        if readLine(within: 10) != "ready" { stop("the witness cannot subscribe") }
    }

    /// Ends the process, and returns its figures.
    func finish() -> WitnessFigures {
        shutdown(line, Int32(SHUT_WR))
        let text = readLine(within: 20)
        close(line)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        guard let figures = text.flatMap(WitnessFigures.init) else { stop("the witness is gone") }
        return figures
    }

    private func readLine(within seconds: Double) -> String? {
        var text: [UInt8] = []
        var entry = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
        let end = Clock.now + seconds
        while poll(&entry, 1, Int32(max(0, (end - Clock.now) * 1000))) > 0 {
            var byte: UInt8 = 0
            guard read(line, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }
}
