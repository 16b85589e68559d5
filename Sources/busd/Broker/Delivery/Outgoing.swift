/// Lines on their way to the socket of one connection: the lines of this turn, and the backlog of
/// earlier ones.
///
/// A delivery reads thousands of these values one after the other. So they are in an array of their
/// own, apart from `Connection`, and the properties that each delivery reads are the first: this
/// helps the processor's cache.
struct Outgoing {
    /// The connection gets events.
    var isHearing = false
    /// The connection closes when everything is written.
    var isFinishing = false
    /// The lines of this turn.
    var ranges = LineRanges()
    /// Bytes of these lines that are for this connection alone.
    private(set) var turnAnswerBytes = 0
    /// For some events of this turn: the `seq` of the event queued before each, because a filter
    /// has left out the events in between.
    private var previous: [(line: Int, seq: Int)] = []
    /// Earlier lines that the socket has not taken.
    var backlog = Backlog()

    /// It has lines of this turn for this connection alone.
    var isAnswered: Bool { turnAnswerBytes > 0 }

    /// Nothing waits for the socket.
    var isWritten: Bool { ranges.isEmpty && backlog.isEmpty }

    mutating func countAnswer(_ bytes: Int) { turnAnswerBytes += bytes }

    /// Adds the line of an event. Returns whether it is the first line of this turn.
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

    /// Writes the lines of this turn, unless a backlog has to be written first. Returns `nil` if
    /// nothing more is to be done.
    ///
    /// - Parameter most: bytes that are offered to the socket; `nil`: all.
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

    /// The offset of the last long shared line in the bytes of `ranges`; `nil`: there is none.
    func startOfLastShared(in turn: borrowing TurnLog) -> Int? {
        turn.startOfLastShared(in: ranges)
    }
}

extension Delivery {
    /// What the bus has to do about a connection after its lines were written.
    enum FlushResult {
        /// Everything is written, and the connection is to be closed.
        case finished
        /// The socket took this many bytes of the turn's lines; the others have to be queued.
        case left(after: Int)
        /// As above, but the socket may take more: only the beginning of a long shared line was
        /// offered.
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
