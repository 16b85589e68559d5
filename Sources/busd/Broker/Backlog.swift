import Protocol

/// What a connection's socket did not take: lines in order, each with what may become of it.
struct Backlog {
    struct Entry {
        enum Kind: Equatable {
            /// An event; `previous` is the last `seq` that stood in line before it.
            case event(ModelID, seq: Int, previous: Int, at: Instant)
            case arrival(ModelID, at: Instant)
            case answer
            case joined(ModelID, seq: Int)
            case patternLive
            case gone(ModelID)
            case notice
            /// Here the gaps of this number will be told. It has no bytes yet.
            case gap(Int)
        }

        var kind: Kind
        var length: Int
        var isBegun = false
    }

    private var bytes: [UInt8] = []
    private var written = 0
    private var entries: [Entry] = []
    private var next = 0
    private var lastGap = 0
    /// Bytes of events that may be dropped.
    private(set) var eventBytes = 0
    /// Bytes of the snapshots of view models that have come, which may be dropped too.
    private(set) var arrivalBytes = 0
    /// Bytes of all that may be dropped.
    var heldBytes: Int { eventBytes + arrivalBytes }
    /// Bytes of what was asked for and not read.
    private(set) var answerBytes = 0

    var isEmpty: Bool { next == entries.count }

    /// The gaps of this number are to be told before anything else is written.
    var gapAtFront: Int? {
        if next < entries.count, case .gap(let number) = entries[next].kind { number } else { nil }
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

    mutating func append(
        _ line: some Collection<UInt8>, _ kind: Entry.Kind, isBegun: Bool = false
    ) {
        bytes.append(contentsOf: line)
        let entry = Entry(kind: kind, length: line.count, isBegun: isBegun)
        entries.append(entry)
        count(entry, 1)
    }

    // MARK: Writing

    /// The bytes that can be written now: all up to the end, or to where gaps are to be told.
    func withWritable<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var end = written
        for entry in entries[next...] {
            if case .gap = entry.kind { break }
            end += entry.length
        }
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[written..<end])) }
    }

    /// The socket took so many bytes.
    mutating func wrote(_ count: Int) {
        written += count
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

    /// Puts what tells the gaps in the place that was kept for it.
    mutating func fillGap(_ lines: [UInt8]) {
        guard gapAtFront != nil else { return }
        entries[next] = Entry(kind: .notice, length: lines.count)
        bytes.insert(contentsOf: lines, at: written)
        if lines.isEmpty {
            next += 1
            tidy()
        }
    }

    private mutating func tidy() {
        if isEmpty {
            let gap = lastGap
            self = Backlog()
            lastGap = gap
        } else if written > bytes.count / 2 {
            bytes.removeFirst(written)
            written = 0
            entries.removeFirst(next)
            next = 0
        }
    }

    private mutating func count(_ entry: Entry, _ sign: Int) {
        switch entry.kind {
        case .event: if !entry.isBegun { eventBytes += sign * entry.length }
        case .arrival: if !entry.isBegun { arrivalBytes += sign * entry.length }
        case .answer, .joined, .patternLive: answerBytes += sign * entry.length
        case .gone, .notice, .gap: break
        }
    }

    // MARK: Dropping

    /// A line that has been dropped, or that tells something of those that were.
    struct Dropped {
        let kind: Entry.Kind
        let address: Address?
        /// The number of the gap in which it will be told.
        let gap: Int
    }

    /// Takes out every event, and every arrival, that has not begun to be written.
    ///
    /// A gap is told where the first of them stood, or earlier where a place is kept already, so whatever
    /// waited behind them comes after it. But not before the end of an answer to `subscribe`, or of a view
    /// model: what is missed after a snapshot is told after it, or else the view would be shown what is
    /// older. Returns, in order, what was dropped, and each `joined` that stood among it.
    mutating func dropEvents() -> [Dropped] {
        var dropped: [Dropped] = []
        /// Whose coming is dropped: nothing more has to be told of them.
        var unshown: Set<ModelID> = []
        var place: Int?
        var at = written
        var kept = Backlog()
        kept.lastGap = lastGap
        for entry in entries[next...] {
            let line = bytes[at..<(at + entry.length)]
            at = line.endIndex
            switch entry.kind {
            case .event(let model, _, _, _) where !entry.isBegun && unshown.contains(model):
                continue
            case .event where !entry.isBegun, .arrival where !entry.isBegun:
                let gap = place ?? kept.appendGap()
                place = gap
                if case .arrival(let model, _) = entry.kind { unshown.insert(model) }
                dropped.append(
                    Dropped(kind: entry.kind, address: Line.address(in: line), gap: gap))
                continue
            case .gone(let model) where unshown.contains(model):
                dropped.append(Dropped(kind: entry.kind, address: nil, gap: 0))
                continue
            case .joined(let model, _):
                unshown.remove(model)
                if !dropped.isEmpty {
                    dropped.append(Dropped(kind: entry.kind, address: nil, gap: 0))
                }
                place = nil
            case .patternLive, .gone: place = nil
            case .gap(let number): place = number
            default: break
            }
            kept.append(line, entry.kind, isBegun: entry.isBegun)
        }
        self = kept
        return dropped
    }

    private mutating func appendGap() -> Int {
        lastGap += 1
        append([], .gap(lastGap))
        return lastGap
    }
}
