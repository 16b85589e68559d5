import BusdBroker
import BusdHosting
import BusdProtocol
public import Testing

/// A client of a `TestBus`. It fails the test for each line that arrives and was not expected.
public final class TestConnection {
    private let bus: TestBus
    let slot: ConnectionSlot?
    private var received: [UInt8] = []
    private let creationLocation: SourceLocation
    var isAwaited = false
    /// Whether the bus reads what the client sends.
    public internal(set) var isRead = true
    /// Whether the bus has closed the connection, or has refused it.
    public internal(set) var isClosed = false
    /// The number of bytes that the socket takes before the client has to read; `nil`: no limit.
    private var room: Int?
    private var isGone = false

    init(_ bus: TestBus, slot: ConnectionSlot?, sourceLocation: SourceLocation) {
        self.bus = bus
        self.slot = slot
        creationLocation = sourceLocation
    }

    deinit { expectNothing(sourceLocation: creationLocation) }

    // MARK: Sending

    /// Sends all lines at once, and lets the bus work until nothing is left to do.
    public func send(_ lines: String...) {
        send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Sends bytes, which need not be whole lines, and lets the bus work until nothing is left to
    /// do.
    public func send(bytes: [UInt8]) {
        guard let slot else { return }
        bytes.withUnsafeBytes { bus.bus.received($0, on: slot) }
        bus.settle()
    }

    /// The client sends no more requests, but still reads.
    public func endInput() {
        if let slot { bus.bus.inputEnded(slot) }
        bus.settle()
    }

    /// The client disconnects.
    public func disconnect() {
        isGone = true
        if let slot { bus.bus.vanished(slot) }
        bus.settle()
    }

    // MARK: Receiving

    /// From now on the socket takes `room` bytes, and no more until the client reads.
    public func stall(after room: Int = 0) { self.room = room }

    /// The client reads everything from now on.
    public func readOn() {
        room = nil
        bus.settle()
    }

    /// The client reads this many bytes, so that its socket has room for as many.
    public func makeRoom(_ bytes: Int) {
        if let room { self.room = room + bytes }
        bus.settle()
    }

    var hasRoom: Bool { room != 0 }

    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard !isGone else { return .failed }
        let count = min(bytes.count, room ?? .max)
        take(Array(bytes.prefix(count)))
        if let room { self.room = room - count }
        return .took(count)
    }

    func take(_ bytes: [UInt8]) { received.append(contentsOf: bytes) }

    /// Removes and returns the whole lines that have arrived and were not expected yet.
    public func takeLines() -> [String] {
        let lines = received.split(separator: .lineFeed, omittingEmptySubsequences: false)
        guard let rest = lines.last else { return [] }
        received = Array(rest)
        return lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Expects exactly these lines, and no others. A `…` stands for any text.
    public func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let received = takeLines()
        let isRight =
            received.count == lines.count
            && zip(lines, received).allSatisfy { isLike($1, pattern: $0) }
        guard !isRight else { return }
        let difference = difference(expected: lines, received: received)
        Issue.record(
            Comment(rawValue: "lines differ (− expected, + received):\n\(difference)"),
            sourceLocation: sourceLocation)
    }

    /// Expects that no other line has arrived.
    public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        let received = takeLines()
        guard !received.isEmpty else { return }
        let difference = difference(expected: [], received: received)
        Issue.record(
            Comment(rawValue: "unexpected lines:\n\(difference)"),
            sourceLocation: sourceLocation)
    }

    private func isLike(_ text: String, pattern: String) -> Bool {
        var rest = Substring(text)
        let pieces = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard let first = pieces.first, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for (index, piece) in pieces.enumerated().dropFirst() {
            if index == pieces.count - 1 { return rest.hasSuffix(piece) }
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty
    }
}

extension Substring {
    func firstRange(of piece: Substring) -> Range<Index>? {
        var at = startIndex
        while at <= endIndex {
            if self[at...].hasPrefix(piece) { return at..<index(at, offsetBy: piece.count) }
            guard at < endIndex else { return nil }
            at = index(after: at)
        }
        return nil
    }
}
