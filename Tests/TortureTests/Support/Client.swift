import BusdClient
import BusdEventLoop
import BusdProtocol
import Glibc
import Testing

/// A connection to a daemon. One thread of a test can use many.
final class Client {
    private let socket: Descriptor
    private var bytes: [UInt8] = []
    private var read = 0
    /// The daemon has closed, or died.
    private(set) var hasEnded = false

    init(_ path: String) throws {
        switch connectUnix(path: path) {
        case .connected(let socket): self.socket = socket
        case .backlogFull: throw GaveUp(description: "\(path): too many wait")
        case .failed(let error): throw error
        }
    }

    /// A line to a dead daemon is lost, and is no error.
    func send(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(bytes.count): break
        case .ended: hasEnded = true
        case let other: throw GaveUp(description: "a line can't be sent: \(other)")
        }
    }

    /// Writes without waiting, and returns the number of bytes taken. A daemon that has closed
    /// takes none; its earlier lines can still be read.
    @discardableResult
    func offer(_ bytes: ArraySlice<UInt8>) -> Int {
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .ended, .failed:
            readAvailable()
            return 0
        }
    }

    /// Sends a line, and passes its own descriptor this many times with it.
    func sendItself(_ times: Int, along line: String) {
        let passed = [Int32](repeating: socket.number, count: times)
        #expect(pass("\(line)\n", with: passed, on: socket.number))
    }

    /// The next line that has already been read.
    func takeLine() throws -> BusLine? {
        guard let end = bytes[read...].firstIndex(of: UInt8(ascii: "\n")) else {
            bytes.removeFirst(read)
            read = 0
            return nil
        }
        defer { read = end + 1 }
        let document = JSONDocument()
        var limits = Limits()
        limits.line = 1 << 24
        limits.values = .max
        try document.read(bytes[read..<end].span, limits: limits)
        return BusLine(try #require(document.root))
    }

    /// Reads bytes that have arrived, without waiting.
    func readAvailable() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .bytes(let count): bytes += buffer[..<count]
        case .wouldBlock: break
        case .ended, .failed: hasEnded = true
        }
    }

    /// Whether a line has arrived.
    func hasLine() throws -> Bool {
        _ = try Client.wait(for: [self], until: .now)
        return bytes[read...].contains(UInt8(ascii: "\n"))
    }

    /// Waits for the next line; `nil` if the daemon has closed.
    func line() throws -> BusLine? {
        let deadline = Moment.deadline
        while true {
            if let line = try takeLine() { return line }
            if hasEnded { return nil }
            guard try Client.wait(for: [self], until: deadline) else {
                throw GaveUp(description: "waited for a line in vain")
            }
        }
    }

    /// Waits until some of the clients have something to read, and reads it; false after `moment`.
    static func wait(for clients: [Client], until moment: Moment) throws -> Bool {
        var entries = clients.map {
            pollfd(fd: $0.socket.number, events: Int16(POLLIN), revents: 0)
        }
        let found = poll(&entries, nfds_t(entries.count), moment.milliseconds)
        guard found > 0 else { return false }
        for (entry, client) in zip(entries, clients) where entry.revents != 0 {
            client.readAvailable()
        }
        return true
    }
}

/// The answer to a request.
enum Answer {
    /// `seq`: the numbers of the events that a `send` caused, if any.
    case done(seq: ClosedRange<Int>?, isDuplicate: Bool)
    case refused(WireError)

    init?(_ line: BusLine) {
        switch line {
        case .ok(let value, _):
            let seq = value["seq"].map { Array($0.elements.compactMap(\.integer)) }
            var range: ClosedRange<Int>?
            if let seq, seq.count == 2, seq[0] <= seq[1] { range = seq[0]...seq[1] }
            self = .done(seq: range, isDuplicate: value["duplicate"]?.boolean ?? false)
        case .refusal(let error, _): self = .refused(error)
        default: return nil
        }
    }

    var isDone: Bool {
        if case .done = self { true } else { false }
    }

    var code: WireError.Code? {
        if case .refused(let error) = self { error.code } else { nil }
    }
}

extension Client {
    /// Sends a request and waits for its answer; `nil` if the daemon dies first. Skips events.
    func ask(_ request: String) throws -> Answer? {
        try send(request)
        return try answer()
    }

    /// Waits for the next answer; `nil` if the daemon dies first. Skips events.
    func answer() throws -> Answer? {
        while let line = try line() {
            if let answer = Answer(line) { return answer }
        }
        return nil
    }

    /// Sends a request, and returns the value of `ok` in its answer.
    func value(_ request: String) throws -> JSONValue {
        try send(request)
        while let line = try line() {
            if case .ok(let value, _) = line { return value }
            if case .refusal(let error, _) = line {
                throw GaveUp(description: "\(request): \(error)")
            }
        }
        throw GaveUp(description: "\(request): the daemon has closed")
    }
}
