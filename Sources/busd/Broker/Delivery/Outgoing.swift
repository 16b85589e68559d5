import BusdProtocol

/// Lines on their way to the socket of one connection: the lines of this turn, and the backlog of
/// earlier ones.
///
/// A delivery reads thousands of these values one after the other. So they are in an array of their
/// own, apart from `Connection`, and the properties that each delivery reads are the first: this
/// helps the processor's cache.
struct Outgoing {
    /// The connection gets events.
    private(set) var isHearing = false
    /// The connection closes when everything is written.
    private(set) var isFinishing = false
    /// The lines of this turn.
    private(set) var ranges = LineRanges()
    /// Bytes of these lines that are for this connection alone.
    private(set) var turnAnswerBytes = 0
    /// For some events of this turn: the `seq` of the event queued before each, because a filter
    /// has left out the events in between.
    private var previous: [(line: Int, seq: Int)] = []
    /// Earlier lines that the socket has not taken.
    private(set) var backlog = Backlog()

    /// It has lines of this turn for this connection alone.
    var isAnswered: Bool { turnAnswerBytes > 0 }

    /// Nothing waits for the socket.
    var isWritten: Bool { ranges.isEmpty && backlog.isEmpty }

    mutating func hear(_ isHearing: Bool) { self.isHearing = isHearing }

    mutating func finish() { isFinishing = true }

    mutating func countAnswer(_ bytes: Int) { turnAnswerBytes += bytes }

    /// Adds the line of an event. Returns whether it is the first line of this turn.
    @inline(__always)
    mutating func add(_ line: Int, after previous: Int?) -> Bool {
        if let previous { self.previous.append((line, previous)) }
        return ranges.add(line..<(line + 1))
    }

    /// Adds the lines of a run. Returns whether they are the first lines of this turn.
    @inline(__always)
    mutating func add(run lines: Range<Int>) -> Bool { ranges.add(run: lines) }

    private mutating func clearTurn() {
        ranges.removeAll()
        turnAnswerBytes = 0
        if !previous.isEmpty { previous = [] }
    }

    // MARK: The backlog

    /// Queues the lines of this turn; see `Delivery.queueTurn`.
    mutating func queueTurn(
        _ turn: borrowing TurnLog, after taken: Int, _ address: (ModelID) -> Address
    ) -> Bool {
        guard !ranges.isEmpty else { return false }
        let (ranges, all) = (ranges, previous)
        clearTurn()
        var previous = all[...]
        var left = taken
        ranges.forEach { range in
            for line in range {
                let text = turn.text(of: line)
                let kind = turn.queued(of: line, &previous, address)
                if left >= text.count {
                    left -= text.count
                } else {
                    backlog.append(
                        text.dropFirst(left), kind, isBegun: left > 0, turn.shares(of: line))
                    left = 0
                }
            }
        }
        return true
    }

    mutating func queue(_ text: Text, _ kind: Queued) { backlog.append(text, kind) }

    mutating func queue(catchUp number: Int, isOpen: Bool) {
        backlog.append(catchUp: number, isOpen: isOpen)
    }

    mutating func fill(_ lines: Lines, isComplete: Bool) {
        backlog.fill(lines, isComplete: isComplete)
    }

    mutating func wrote(_ count: Int) { backlog.wrote(count) }

    mutating func drop(request: Int?, last: Int) -> [Backlog.Dropped] {
        backlog.drop(request: request, last: last)
    }

    // MARK: Writing

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
