import Protocol

/// A view model's last events, as the lines that they were, for views that come back.
struct History {
    private struct Entry {
        let start: Int
        let end: Int
        /// Where `"more":true,` stands in the line, from its start; `nil` where it does not.
        let moreAt: Int?
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var first = 0

    /// How many events are kept.
    var count: Int { entries.count - first }

    /// Keeps the line of the next event, and forgets the oldest where there are more than `most`.
    mutating func append(_ line: Span<UInt8>, moreAt: Int?, most: Int) {
        let start = bytes.count
        bytes.append(contentsOf: line)
        entries.append(Entry(start: start, end: bytes.count, moreAt: moreAt))
        if count > most { first += 1 }
        // The forgotten half goes in one piece, so that each event is moved once at the most.
        if first > most { forget() }
    }

    /// Bytes that it takes.
    var size: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    /// Takes half as much, at the most.
    mutating func forgetOlderHalf() {
        let end = forgotten + (bytes.count - forgotten) / 2
        while first < entries.count, entries[first].start < end { first += 1 }
        forget()
        // A copy has no room for more than it needs.
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy.append(contentsOf: bytes)
        bytes = copy
    }

    /// The last lines, oldest first.
    func lines(last count: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
        entries.suffix(count).map { (bytes[$0.start..<$0.end], $0.moreAt) }
    }

    /// Bytes that are still there of events that are not kept any more.
    private var forgotten: Int { first < entries.count ? entries[first].start : bytes.count }

    private mutating func forget() {
        let offset = forgotten
        bytes.removeFirst(offset)
        entries = entries[first...].map {
            Entry(start: $0.start - offset, end: $0.end - offset, moreAt: $0.moreAt)
        }
        first = 0
    }
}
