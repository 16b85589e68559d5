import BusdProtocol

/// What a connection's socket did not take: lines in order, each with what may become of it.
struct Backlog {
    // First what each delivery looks at; see `Connection`.
    private var entries: [Entry] = []
    private var next = 0
    private var bytes = ByteQueue()
    private var lastGap = 0
    /// Bytes of events that may be dropped.
    private(set) var eventBytes = 0
    /// Bytes of the snapshots of view models that have come, which may be dropped too.
    private(set) var arrivalBytes = 0
    /// Bytes of all that may be dropped.
    var heldBytes: Int { eventBytes + arrivalBytes }
    /// Bytes of these that are not its own.
    private var heldSharedBytes = 0
    /// Bytes of what was asked for and not read.
    private(set) var answerBytes = 0
    /// Bytes of its own that can't be dropped.
    var keptBytes: Int { bytes.ownCount - (heldBytes - heldSharedBytes) }
    /// Bytes of all that waits.
    var length: Int { bytes.count }

    init() {}

    var isEmpty: Bool { next == entries.count }

    /// The gaps of this number are to be told before anything else is written.
    var gapAtFront: Int? {
        if next < entries.count, case .gap(let number) = entries[next].kind { number } else { nil }
    }

    /// What is shown in pieces goes on before anything else is written.
    var shownAtFront: Entry.Shown? {
        guard next < entries.count else { return nil }
        guard case .showing(let shown) = entries[next].kind else { return nil }
        return shown
    }

    /// When the oldest line that may be dropped was said.
    var oldestEvent: Instant? {
        for entry in entries[next...] where !entry.isBegun {
            switch entry.kind {
            case .event(_, _, _, let at), .arrival(_, let at): return at
            default: continue
            }
        }
        return nil
    }

    /// - Parameter shares: what of the line is shared, counted in its indices.
    mutating func append(
        _ line: ArraySlice<UInt8>, _ kind: Entry.Kind, isBegun: Bool = false,
        _ shares: [Text.Share] = []
    ) {
        bytes.append(line, shares)
        append(
            Entry(
                kind: kind, length: line.count, isBegun: isBegun,
                sharedLength: shares.reduce(0) { $0 + $1.bytes.bytes.count }))
    }

    mutating func append(_ text: Text, _ kind: Entry.Kind) {
        bytes.append(text)
        append(
            Entry(kind: kind, length: text.length, sharedLength: text.length - text.own.count))
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        count(entry, 1)
    }

    // MARK: Writing

    /// The bytes that can be written now, as far as they stand together: up to the end, or to where
    /// gaps are to be told.
    func withWritable<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var length = 0
        for entry in entries[next...] {
            if entry.kind.isPlace { break }
            length += entry.length
        }
        return bytes.withFront(most: length, body)
    }

    /// The socket took so many bytes.
    mutating func wrote(_ count: Int) {
        bytes.removeFirst(count)
        var left = count
        while left > 0, next < entries.count {
            if left < entries[next].length {
                self.count(entries[next], -1)
                entries[next].length -= left
                entries[next].isBegun = true
                self.count(entries[next], 1)
                break
            }
            left -= entries[next].length
            self.count(entries[next], -1)
            next += 1
        }
        tidy()
    }

    /// Puts what tells gaps before the place that was kept for them, which goes where these were
    /// the last.
    mutating func fillGap(_ lines: Text, isDone: Bool) {
        guard gapAtFront != nil else { return }
        let told = Entry(kind: .notice, length: lines.length)
        entries.replaceSubrange(
            next..<(isDone ? next + 1 : next), with: lines.isEmpty ? [] : [told])
        bytes.prepend(lines)
        tidy()
    }

    /// Keeps a place for the next piece, behind what is there.
    mutating func appendShowing(_ shown: Entry.Shown) { append([], .showing(shown)) }

    /// Puts the next piece before its place, which goes where that was the last.
    mutating func fillShowing(_ lines: [(text: Text, kind: Entry.Kind)], isDone: Bool) {
        guard shownAtFront != nil else { return }
        var whole = Text()
        let added = lines.map { line in
            whole.append(line.text)
            return Entry(kind: line.kind, length: line.text.length)
        }
        entries.replaceSubrange(next..<(isDone ? next + 1 : next), with: added)
        bytes.prepend(whole)
        for entry in added { count(entry, 1) }
        tidy()
    }

    /// Where answers, or ends of view models, stand behind the place at the front, it goes behind
    /// them. Returns whether it did.
    mutating func putArrivalsBehindAnswers() -> Bool {
        guard shownAtFront == .arrivals,
            let last = entries.lastIndex(where: { $0.kind.isSaidOnce }), last > next
        else { return false }
        entries.insert(entries[next], at: last + 1)
        next += 1
        return true
    }

    /// There are no more pieces.
    mutating func removeShowing(_ shown: Entry.Shown) {
        entries.removeSubrange(..<next)
        next = 0
        entries.removeAll { $0.kind == .showing(shown) }
        tidy()
    }

    private mutating func tidy() {
        if isEmpty {
            let gap = lastGap
            self = Backlog()
            lastGap = gap
        } else if next > entries.count / 2 {
            entries.removeFirst(next)
            next = 0
        }
    }

    private mutating func count(_ entry: Entry, _ sign: Int) {
        let length = sign * entry.length  // fits: the sign is 1 or -1
        let sharedLength = sign * entry.sharedLength  // fits: as above
        switch entry.kind {
        case .event where entry.isBegun, .arrival where entry.isBegun: break
        case .event:
            eventBytes += length
            heldSharedBytes += sharedLength
        case .arrival:
            arrivalBytes += length
            heldSharedBytes += sharedLength
        case .answer, .joined, .patternLive: answerBytes += length
        case .gone, .notice, .gap, .showing: break
        }
    }

    // MARK: Dropping

    /// A view model of which events were dropped, or that it has come.
    struct Missed {
        let model: ModelID
        let address: Address?
        /// The number of the gap in which it will be told; `nil` where the view was not told yet
        /// that it has come.
        let gap: Int?
        /// The last `seq` in line before them; `nil` likewise.
        let previous: Int?
        /// The last `seq` that was dropped.
        var last: Int
        /// The `seq` up to which it is missed, where it is not to be shown in the gap: a snapshot
        /// of it stands in line after them, or it has gone.
        var end: Int?
    }

    /// Takes out every event, and every arrival, that has not begun to be written, and returns of
    /// which view models that was.
    ///
    /// A view model of which a view was not told at all has no gap. A gap is told where the first
    /// of them stood, or earlier where a place is kept already, so whatever waited behind them
    /// comes after it. But not before the end of an answer to
    /// `subscribe`, or of a view model: what is missed after a snapshot is told after it, or else
    /// the view would be shown what is older.
    mutating func dropEvents() -> [Missed] {
        var sieve = Sieve(lastGap: lastGap)
        for entry in entries[next...] { sieve.sift(entry, from: &bytes) }
        self = sieve.kept
        return sieve.missed
    }

    fileprivate mutating func move(_ entry: Entry, from queue: inout ByteQueue) {
        bytes.move(entry.length, from: &queue)
        entries.append(entry)
        count(entry, 1)
    }

    fileprivate mutating func appendGap() -> Int {
        lastGap += 1
        append([], .gap(lastGap))
        return lastGap
    }

    fileprivate init(lastGap: Int) { self.lastGap = lastGap }
}

/// One pass over a backlog that drops what may be dropped.
private struct Sieve {
    private(set) var kept: Backlog
    private(set) var missed: [Backlog.Missed] = []
    /// Where each view model stands in `missed`, until its next snapshot.
    private var open: [ModelID: Int] = [:]
    /// One of these: mostly many events of one view model stand together.
    private var last: (model: ModelID, index: Int)?
    /// The gap in which what is dropped next will be told.
    private var gap: Int?

    init(lastGap: Int) { kept = Backlog(lastGap: lastGap) }

    mutating func sift(_ entry: Backlog.Entry, from queue: inout ByteQueue) {
        switch entry.kind {
        case .event(let model, let seq, let previous, _) where !entry.isBegun:
            return drop(entry, from: &queue, model, seq: seq, previous: previous)
        case .arrival(let model, _) where !entry.isBegun:
            return drop(entry, from: &queue, model, seq: 0, previous: nil)
        case .gone(let model) where hasComeUnseen(model):
            queue.removeFirst(entry.length)
            return forget(model)
        case .joined(let model, let seq):
            gap = nil
            last = nil
            if let index = open.removeValue(forKey: model) { missed[index].end = seq }
        case .gone, .patternLive: gap = nil
        case .showing:
            gap = nil
            last = nil
        case .gap(let number): gap = number
        case .event, .arrival, .answer, .notice: break
        }
        kept.move(entry, from: &queue)
    }

    private mutating func drop(
        _ entry: Backlog.Entry, from queue: inout ByteQueue, _ model: ModelID, seq: Int,
        previous: Int?
    ) {
        defer { queue.removeFirst(entry.length) }
        if let index = last?.model == model ? last?.index : open[model] {
            missed[index].last = seq
            last = (model, index)
            return
        }
        open[model] = missed.count
        let address = Line.address(in: queue.front(most: entry.length))
        missed.append(
            Backlog.Missed(
                model: model, address: address, gap: previous.map { _ in placeOfGap() },
                previous: previous, last: seq))
    }

    private mutating func placeOfGap() -> Int {
        let place = gap ?? kept.appendGap()
        gap = place
        return place
    }

    private func hasComeUnseen(_ model: ModelID) -> Bool {
        open[model].map { missed[$0].previous == nil } ?? false
    }

    /// It has come and gone, and nobody needs to know.
    private mutating func forget(_ model: ModelID) {
        last = nil
        if let index = open.removeValue(forKey: model) { missed[index].end = 0 }
    }
}
