/// Lines on their way to the socket of one connection.
///
/// Thousands are looked at one after the other, so what each delivery reads stands together, for
/// the sake of the processor's cache.
struct Outgoing {
    /// Events are written to it.
    var isHearing = false
    /// It closes when everything is written.
    var isFinishing = false
    /// Its lines of this turn.
    var ranges = LineRanges()
    /// Bytes of these that are for no other connection.
    private(set) var turnAnswerBytes = 0
    /// For events of this turn that a filter let through: the last `seq` in line before each, if
    /// that is not the one before it.
    private var previous: [(line: Int, seq: Int)] = []
    /// Lines of earlier turns that the socket has not taken.
    var backlog = Backlog()

    /// It has private lines in this turn.
    var isAnswered: Bool { turnAnswerBytes > 0 }

    /// Nothing waits for the socket.
    var isWritten: Bool { ranges.isEmpty && backlog.isEmpty }

    mutating func countAnswer(_ bytes: Int) { turnAnswerBytes += bytes }

    /// Adds the line of an event. Returns whether it is the first.
    @inline(__always)
    mutating func add(_ line: Int, after previous: Int?) -> Bool {
        if let previous { self.previous.append((line, previous)) }
        return ranges.add(line..<(line + 1))
    }

    /// Takes out the lines of this turn.
    mutating func takeTurn() -> (ranges: LineRanges, previous: [(line: Int, seq: Int)]) {
        defer { clearTurn() }
        return (ranges, previous)
    }

    private mutating func clearTurn() {
        ranges.removeAll()
        turnAnswerBytes = 0
        if !previous.isEmpty { previous = [] }
    }

    /// Writes the lines of this turn, unless a backlog has to be written first.
    ///
    /// - Parameter most: bytes of these lines; `nil` for all.
    @inline(__always)
    mutating func write(
        _ turn: borrowing TurnLog, _ gathered: inout GatheredLines, most: Int?,
        _ write: (UnsafeRawBufferPointer) -> WriteOutcome
    ) -> Delivery.FlushResult? {
        guard !ranges.isEmpty else { return nil }
        guard backlog.isEmpty else { return .left(after: 0) }
        let (outcome, length) =
            ranges.isSingle
            ? turn.withBytes(of: ranges.last) { (write($0.upTo(most)), $0.count) }
            : gathered.withBytes(of: ranges, in: turn) { (write($0.upTo(most)), $0.count) }
        guard case .took(let count) = outcome else { return .failed }
        guard count == length else {
            return count == most ? .begun(after: count) : .left(after: count)
        }
        clearTurn()
        return isFinishing ? .finished : nil
    }

    /// Where the last long shared line begins, in bytes of this turn.
    func startOfLastShared(in turn: borrowing TurnLog) -> Int? {
        turn.startOfLastShared(in: ranges)
    }
}

extension Delivery {
    /// What has to be done about a connection after its lines were written.
    enum FlushResult {
        /// Everything is written, and the connection closes then.
        case finished
        /// The socket took this many bytes of the turn's lines; the others have to be queued.
        case left(after: Int)
        /// As above, but the socket may take more: its turn was over.
        case begun(after: Int)
        case failed

        /// The socket did not take everything.
        init(_ outcome: WriteOutcome) {
            switch outcome {
            case .took(let count): self = .left(after: count)
            case .failed: self = .failed
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func upTo(_ most: Int?) -> UnsafeRawBufferPointer {
        guard let most else { return self }
        return UnsafeRawBufferPointer(rebasing: prefix(most))
    }
}
