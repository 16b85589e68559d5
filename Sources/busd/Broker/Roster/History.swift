import BusdProtocol

/// The lines of a view model's last events, for views that resume.
///
/// There are two parts. When the newer part is full, it becomes the older part, and the memory of
/// the old one is reused. So no line is ever moved. Of the older part, only the last lines count,
/// as many as the newer part has still room for.
struct History {
    private struct Part {
        /// A line.
        struct Entry {
            /// Offset in `bytes` of its end.
            let end: Int
            /// Offset of `"more":true,` in the line; `nil`: it has none.
            let moreAt: Int?
        }

        var bytes: [UInt8] = []
        var entries: [Entry] = []

        var size: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

        func start(of index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }

        func lines(last count: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
            entries.indices.suffix(count).map { index in
                (bytes[start(of: index)..<entries[index].end], entries[index].moreAt)
            }
        }

        mutating func append(_ line: Span<UInt8>, moreAt: Int?) {
            bytes.append(contentsOf: line)
            entries.append(Entry(end: bytes.count, moreAt: moreAt))
        }

        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            entries.removeAll(keepingCapacity: true)
        }
    }

    private var older = Part()
    private var newer = Part()
    /// Number of events that are kept.
    private(set) var count = 0

    /// Keeps the line of the next event, and forgets the oldest beyond `most` lines.
    mutating func append(_ line: Span<UInt8>, moreAt: Int?, most: Int) {
        if newer.entries.count >= most {
            swap(&older, &newer)
            newer.removeAll()
        }
        newer.append(line, moreAt: moreAt)
        count = min(count + 1, most)
    }

    /// Bytes of memory.
    var size: Int { older.size + newer.size }

    /// Forgets the oldest lines, so that at most half of the bytes stay.
    mutating func forgetOlderHalf() {
        let all = lines(last: count)
        var rest = all.reduce(0) { $0 + $1.line.count } / 2
        let kept = all.reversed().prefix { line, _ in
            rest -= line.count
            return rest >= 0
        }
        older = Part()
        newer = Part()
        newer.bytes.reserveCapacity(kept.reduce(0) { $0 + $1.line.count })
        newer.entries.reserveCapacity(kept.count)
        for (line, moreAt) in kept.reversed() { newer.append(line.span, moreAt: moreAt) }
        count = kept.count
    }

    /// The last `count` lines, oldest first.
    func lines(last count: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
        older.lines(last: max(0, count - newer.entries.count)) + newer.lines(last: count)
    }
}
