import Glibc
import Measures

/// A nonblocking connection to busd.
final class Peer {
    let file: Int32
    private var bytes: [UInt8] = []
    private var start = 0
    private(set) var hasEnded = false

    /// `nil` if busd does not accept it within ten seconds.
    init?(_ path: String) {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if file < 0 { stop("there is no descriptor left") }
        var wait = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        if !connect(file, to: path) {
            close(file)
            return nil
        }
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
    }

    deinit { close(file) }

    // MARK: Writing

    /// Returns the number of bytes that the socket accepted.
    @discardableResult
    func offer(_ bytes: ArraySlice<UInt8>) -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno != EAGAIN { hasEnded = true }
        return max(0, count)
    }

    /// Sends lines that fit into the socket's buffer.
    func send(_ lines: String...) {
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        if offer(bytes[...]) != bytes.count, !hasEnded { stop("busd does not read \(lines)") }
    }

    /// Ends the input of busd: no more requests.
    func endInput() { shutdown(file, Int32(SHUT_WR)) }

    // MARK: Reading

    /// Reads the bytes that have arrived, and returns their number.
    @discardableResult
    func readAvailable(most: Int = 1 << 16) -> Int {
        var total = 0
        while total < most, !hasEnded {
            let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                let count = read(file, buffer.baseAddress, min(buffer.count, most - total))
                if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
                return count
            }
            if count == 0 || count < 0 && errno != EAGAIN { hasEnded = true }
            if count <= 0 { break }
            total += count
        }
        return total
    }

    /// Drops the lines that were read and not taken.
    func forget() {
        bytes.removeAll(keepingCapacity: true)
        start = 0
    }

    func takeLine() -> Line? {
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            bytes.removeFirst(start)
            start = 0
            return nil
        }
        defer { start = end + 1 }
        return Line(bytes: bytes[start..<end])
    }

    /// The next line that is wanted; earlier lines are dropped. `nil`: timed out.
    func line(within seconds: Double = 10, _ isWanted: (Line) -> Bool = { _ in true }) -> Line? {
        let end = Clock.now + seconds
        while true {
            while let line = takeLine() { if isWanted(line) { return line } }
            if hasEnded || !waitForAny([self], until: end) { return nil }
            readAvailable()
        }
    }

    /// Sends a line and waits for the answer. Events in between are dropped.
    func ask(_ request: String, within seconds: Double = 10) -> Line? {
        send(request)
        return line(within: seconds, \.isAnswer)
    }
}

/// Waits until one of them is readable, or with `toWrite` writable. Returns false if timed out.
@discardableResult
func waitForAny(_ peers: [Peer], toWrite: Bool = false, until moment: Double) -> Bool {
    let asked = Int16(toWrite ? POLLIN | POLLOUT : POLLIN)
    var entries = peers.map { pollfd(fd: $0.file, events: asked, revents: 0) }
    let milliseconds = max(0, (moment - Clock.now) * 1000).rounded(.up)
    return poll(&entries, nfds_t(entries.count), Int32(milliseconds)) > 0
}

/// A line of busd, compared as bytes: its keys have a fixed order.
struct Line {
    let bytes: ArraySlice<UInt8>

    var isAnswer: Bool { begins(with: #"{"ok":"#) || begins(with: #"{"error":"#) }

    func begins(with text: String) -> Bool { bytes.starts(with: text.utf8) }

    /// The integer after the first occurrence of a text.
    func number(after mark: String) -> Int? {
        guard let place = place(after: mark) else { return nil }
        let digits = bytes[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The integer `id` of an answer, which is its last key.
    var id: Int? {
        let digits = bytes.dropLast().reversed().prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        return Int(String(decoding: digits.reversed(), as: UTF8.self))
    }

    func has(_ mark: String) -> Bool { place(after: mark) != nil }

    private func place(after mark: String) -> Int? {
        let mark = Array(mark.utf8)
        guard bytes.count >= mark.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - mark.count))
            .first { bytes[$0...].starts(with: mark) }
            .map { $0 + mark.count }
    }
}
