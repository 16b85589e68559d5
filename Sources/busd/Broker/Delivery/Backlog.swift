import BusdProtocol

/// The lines that wait for a connection's socket, in order, and the places of catch-ups among them.
///
/// `lines` has the kind and the length of each line, `bytes` has the text of all. The socket takes
/// bytes from the front, up to the place of a catch-up. Then the catch-up puts its lines there
/// (`fill`), until it is complete and its place goes. `drop` removes events and puts a catch-up in
/// their place.
struct Backlog {
    // The properties that each delivery reads come first; see `Outgoing`.
    private var lines: [QueuedLine] = []
    /// Lines before this index have been written.
    private var next = 0
    private var bytes = ByteQueue()
    /// The last catch-up, if it can show what is dropped or arrives next: no line behind it
    /// requires a new one.
    private(set) var openCatchUp: Int?
    /// Bytes of lines that can be dropped.
    private(set) var eventBytes = 0
    /// The part of `eventBytes` that is shared.
    private(set) var sharedEventBytes = 0
    /// Bytes of answers.
    private(set) var answerBytes = 0

    /// Bytes that are not shared and cannot be dropped.
    var keptBytes: Int { bytes.ownCount - (eventBytes - sharedEventBytes) }
    /// Bytes of all lines.
    var length: Int { bytes.count }
    var isEmpty: Bool { next == lines.count }

    /// The number of the catch-up with its place at the front.
    var catchUpAtFront: Int? {
        guard next < lines.count, case .catchUp(let number) = lines[next].kind else { return nil }
        return number
    }

    /// The time when the oldest line that can be dropped was emitted.
    var oldestEventTime: Instant? {
        for line in lines[next...] where !line.isBegun {
            if case .event(_, _, _, _, let at) = line.kind { return at }
        }
        return nil
    }

    // MARK: In

    /// Queues a line with its LF.
    ///
    /// - Parameter shares: the shared parts of the line, in the indices of the slice.
    mutating func append(
        _ line: ArraySlice<UInt8>, _ kind: Queued, isBegun: Bool = false,
        _ shares: [Text.Inset] = []
    ) {
        bytes.append(line, shares)
        append(
            QueuedLine(
                kind: kind, length: line.count, isBegun: isBegun,
                sharedLength: shares.reduce(0) { $0 + $1.bytes.bytes.count }))
    }

    mutating func append(_ text: Text, _ kind: Queued) {
        bytes.append(text)
        append(
            QueuedLine(kind: kind, length: text.length, sharedLength: text.length - text.own.count))
    }

    /// Appends the place of a catch-up. `isOpen`: it can show what is dropped or arrives next.
    mutating func append(catchUp number: Int, isOpen: Bool) {
        append([], .catchUp(number))
        openCatchUp = isOpen ? number : nil
    }

    private mutating func append(_ line: QueuedLine) {
        lines.append(line)
        tally(line, 1)
        switch line.kind {
        case .joined, .gone: openCatchUp = nil
        case .event, .answer, .notice, .catchUp: break
        }
    }

    /// Puts lines of the catch-up at the front before its place, and removes the place if it is
    /// complete.
    mutating func fill(_ lines: [(text: Text, kind: Queued)], isComplete: Bool) {
        guard let number = catchUpAtFront else { return }
        var text = Text()
        let added = lines.map { line in
            text.append(line.text)
            return QueuedLine(kind: line.kind, length: line.text.length)
        }
        self.lines.replaceSubrange(next..<(isComplete ? next + 1 : next), with: added)
        bytes.prepend(text)
        for line in added { tally(line, 1) }
        if isComplete, openCatchUp == number { openCatchUp = nil }
        tidy()
    }

    // MARK: Out

    /// The contiguous bytes at the front that can be written now: at most up to the place of a
    /// catch-up.
    func withWritable<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var length = 0
        for line in lines[next...] {
            if case .catchUp = line.kind { break }
            length += line.length
        }
        return bytes.withFront(most: length, body)
    }

    /// The socket took `count` bytes.
    mutating func wrote(_ count: Int) {
        bytes.removeFirst(count)
        var left = count
        while left > 0, next < lines.count {
            if left < lines[next].length {
                tally(lines[next], -1)
                lines[next].wrote(left)
                tally(lines[next], 1)
                break
            }
            left -= lines[next].length
            tally(lines[next], -1)
            next += 1
        }
        tidy()
    }

    /// Frees the memory of written lines, if they are most.
    private mutating func tidy() {
        if isEmpty {
            self = Backlog()
        } else if next > lines.count / 2 {
            lines.removeFirst(next)
            next = 0
        }
    }

    /// Adds the bytes of a line to the totals, or subtracts them (`sign`).
    private mutating func tally(_ line: QueuedLine, _ sign: Int) {
        let length = sign * line.length  // fits: the sign is 1 or -1
        let sharedLength = sign * line.sharedLength  // fits: as above
        if line.isDroppable {
            eventBytes += length
            sharedEventBytes += sharedLength
        } else if line.isAnswer {
            answerBytes += length
        }
    }

    // MARK: Dropping

    /// A view model with dropped lines.
    struct Dropped {
        let model: ModelID
        let address: Address
        /// The catch-up in the place of its first dropped line.
        let catchUp: Int
        /// The `seq` of the event queued before that; `nil`: the connection was not shown the view
        /// model.
        let previous: Int?
        /// The last `seq` that was dropped.
        fileprivate(set) var last: Int
        /// A later line, after a `subscribe`, shows the view model as of this `seq`.
        fileprivate(set) var shownAt: Int?
    }

    /// Drops every line that can be dropped, and returns their view models.
    ///
    /// A catch-up takes the place of the first dropped line, unless one precedes it. Behind the end
    /// of an answer to `subscribe`, a `gone`, and the catch-up of a request, a new one begins:
    /// otherwise the connection would be shown older state after newer.
    ///
    /// - Parameter request: the number of the catch-up of the request in progress.
    /// - Parameter last: the number of the last catch-up. New ones have higher numbers.
    mutating func drop(request: Int?, last: Int) -> [Dropped] {
        var pass = DroppingPass(request: request, last: last)
        for line in lines[next...] { pass.take(line, from: &bytes) }
        self = pass.kept
        return pass.dropped
    }

    /// Appends a line, with its bytes from the front of another queue.
    fileprivate mutating func move(_ line: QueuedLine, from queue: inout ByteQueue) {
        bytes.move(line.length, from: &queue)
        append(line)
    }
}

/// A pass over a backlog that drops all droppable lines, and builds a new backlog of the rest.
private struct DroppingPass {
    private(set) var kept = Backlog()
    private(set) var dropped: [Backlog.Dropped] = []
    /// The number of the last catch-up.
    private var lastNumber: Int
    private let request: Int?
    /// Index in `dropped` of each view model, until a line that is kept shows it again.
    private var open: [ModelID: Int] = [:]
    /// The last entry used: events of one view model often follow each other.
    private var last: (model: ModelID, index: Int)?
    /// The number of the catch-up for lines that are dropped next; `nil`: a new one begins.
    private var catchUp: Int?

    init(request: Int?, last: Int) {
        self.request = request
        lastNumber = last
    }

    mutating func take(_ line: QueuedLine, from queue: inout ByteQueue) {
        switch line.kind {
        case .event(let model, let address, let seq, let previous, _):
            if line.isDroppable {
                queue.removeFirst(line.length)
                return drop(model, address, seq: seq, previous: previous)
            }
        case .joined(let model, let seq):
            catchUp = nil
            last = nil
            if let model, let index = open.removeValue(forKey: model) {
                dropped[index].shownAt = seq
            }
        case .gone(let model, let isNamed):
            if !isNamed, isUnknown(model) {
                // The connection never learns that the view model existed.
                queue.removeFirst(line.length)
                return
            }
            catchUp = nil
        case .catchUp(let number):
            kept.append(catchUp: number, isOpen: number != request)
            catchUp = number == request ? nil : number
            if number == request { last = nil }
            return
        case .answer, .notice: break
        }
        kept.move(line, from: &queue)
    }

    private mutating func drop(
        _ model: ModelID, _ address: Address, seq: Int, previous: Int?
    ) {
        if let index = last?.model == model ? last?.index : open[model] {
            dropped[index].last = seq
            last = (model, index)
            return
        }
        let index = dropped.count
        open[model] = index
        last = (model, index)
        dropped.append(
            Backlog.Dropped(
                model: model, address: address, catchUp: placeOfCatchUp(), previous: previous,
                last: seq))
    }

    /// The number of the catch-up for a dropped line. Appends its place if a new one begins.
    private mutating func placeOfCatchUp() -> Int {
        if let catchUp { return catchUp }
        lastNumber += 1
        kept.append(catchUp: lastNumber, isOpen: true)
        catchUp = lastNumber
        return lastNumber
    }

    /// Whether the arrival of the view model was dropped.
    private func isUnknown(_ model: ModelID) -> Bool {
        open[model].map { dropped[$0].previous == nil } ?? false
    }
}
