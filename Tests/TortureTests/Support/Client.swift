import BusdClient
import BusdEventLoop
import BusdProtocol
import Glibc
import Testing

/// A connection that a test writes and reads for, several of them in one thread.
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

    /// What a dead daemon is told is lost, and no error.
    func send(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(bytes.count): break
        case .ended: hasEnded = true
        case let other: throw GaveUp(description: "a line can't be sent: \(other)")
        }
    }

    /// How many bytes are taken, without waiting. A daemon that has closed takes none; what it said
    /// before is still to be read.
    @discardableResult
    func offer(_ bytes: ArraySlice<UInt8>) -> Int {
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .ended, .failed:
            readOn()
            return 0
        }
    }

    /// Says a line, with its own descriptor so many times along it.
    func sendItself(_ times: Int, along line: String) {
        let passed = [Int32](repeating: socket.number, count: times)
        #expect(pass("\(line)\n", with: passed, on: socket.number))
    }

    /// The next line that has come already.
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

    /// Reads what has come, without waiting.
    func readOn() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .bytes(let count): bytes += buffer[..<count]
        case .wouldBlock: break
        case .ended, .failed: hasEnded = true
        }
    }

    /// Whether there is one by now.
    func hasLine() throws -> Bool {
        _ = try Client.wait(for: [self], until: .now)
        return bytes[read...].contains(UInt8(ascii: "\n"))
    }

    /// Waits for the next line; `nil` when the daemon has closed.
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

    /// Waits until one of them has something to read, and reads it; false when the time is over.
    static func wait(for clients: [Client], until moment: Moment) throws -> Bool {
        var entries = clients.map {
            pollfd(fd: $0.socket.number, events: Int16(POLLIN), revents: 0)
        }
        let found = poll(&entries, nfds_t(entries.count), moment.milliseconds)
        guard found > 0 else { return false }
        for (entry, client) in zip(entries, clients) where entry.revents != 0 { client.readOn() }
        return true
    }
}

/// How the bus has answered.
enum Answer {
    /// With the events of a `send`, where it caused any.
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
    /// Asks, and waits for the answer; `nil` when the daemon died over it. Events are passed over.
    func ask(_ request: String) throws -> Answer? {
        try send(request)
        return try answer()
    }

    /// The next answer; `nil` when the daemon died over it. Events are passed over.
    func answer() throws -> Answer? {
        while let line = try line() {
            if let answer = Answer(line) { return answer }
        }
        return nil
    }

    /// The value of `ok`.
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
