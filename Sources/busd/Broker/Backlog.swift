import Protocol

/// What a connection's socket did not take: lines in order, each with what may become of it.
struct Backlog {
    struct Entry {
        enum Kind: Equatable {
            /// An event; `previous` is the last `seq` that stood in line before it.
            case event(ModelID, seq: Int, previous: Int, at: Instant)
            case answer
            case notice
            /// Here the gaps will be told. It has no bytes yet.
            case gap
        }

        var kind: Kind
        var length: Int
        var isBegun = false
    }

    private var bytes: [UInt8] = []
    private var written = 0
    private var entries: [Entry] = []
    private var next = 0
    /// Bytes of events that may be dropped.
    private(set) var eventBytes = 0
    /// Bytes of what was asked for and not read.
    private(set) var answerBytes = 0

    var isEmpty: Bool { next == entries.count }

    /// The gaps are to be told before anything else is written.
    var isAtGap: Bool { next < entries.count && entries[next].kind == .gap }

    var hasGap: Bool { entries[next...].contains { $0.kind == .gap } }

    /// When the oldest event in line was emitted.
    var oldestEvent: Instant? {
        for entry in entries[next...] {
            if case .event(_, _, _, let at) = entry.kind, !entry.isBegun { return at }
        }
        return nil
    }

    mutating func append(_ line: some Collection<UInt8>, _ kind: Entry.Kind, isBegun: Bool = false)
    {
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
            if entry.kind == .gap { break }
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
        guard isAtGap else { return }
        entries[next] = Entry(kind: .notice, length: lines.count)
        bytes.insert(contentsOf: lines, at: written)
        if lines.isEmpty { next += 1 }
    }

    private mutating func tidy() {
        if isEmpty {
            self = Backlog()
        } else if written > bytes.count / 2 {
            bytes.removeFirst(written)
            written = 0
            entries.removeFirst(next)
            next = 0
        }
    }

    // MARK: Dropping

    /// Takes out every event that has not begun to be written, and returns them. Gaps will be told where
    /// the first of them stood, or earlier where a place is kept already; so whatever waited behind them
    /// comes after the gaps.
    mutating func dropEvents() -> [Entry] {
        var dropped: [Entry] = []
        var keptBytes: [UInt8] = []
        var kept: [Entry] = []
        var at = written
        var hasGap = false
        for entry in entries[next...] {
            let range = at..<(at + entry.length)
            at = range.upperBound
            if case .event = entry.kind, !entry.isBegun {
                dropped.append(entry)
                if !hasGap { kept.append(Entry(kind: .gap, length: 0)) }
                hasGap = true
            } else if entry.kind != .gap || !hasGap {
                hasGap = hasGap || entry.kind == .gap
                kept.append(entry)
                keptBytes.append(contentsOf: bytes[range])
            }
        }
        bytes = keptBytes
        written = 0
        entries = kept
        next = 0
        eventBytes = 0
        return dropped
    }

    private mutating func count(_ entry: Entry, _ sign: Int) {
        switch entry.kind {
        case .event: if !entry.isBegun { eventBytes += sign * entry.length }
        case .answer: answerBytes += sign * entry.length
        case .notice, .gap: break
        }
    }
}
