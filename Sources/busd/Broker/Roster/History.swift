import BusdProtocol

/// The lines of a view model's last events, for views that resume.
///
/// There are two parts. When the newer part is full, it becomes the older part, and the memory of
/// the old one is reused. So no line is ever moved. Of the older part, only the last lines count,
/// as many as the newer part has still room for.
struct History {
    /// A kept line.
    struct Line {
        let text: ArraySlice<UInt8>
        let more: More?
        /// The number of its event.
        let event: EventNumber

        /// The same line without `more`.
        var withoutMore: ArraySlice<UInt8> { more.map { $0.removed(from: text) } ?? text }
    }

    private struct Part {
        struct Entry {
            /// Offset in `bytes` of its end.
            let end: Int
            let more: More?
            let event: EventNumber
        }

        var bytes: [UInt8] = []
        var entries: [Entry] = []

        var size: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

        func start(of index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }

        func lines(last count: Int) -> [Line] {
            entries.indices.suffix(count).map { index in
                let entry = entries[index]
                let text = bytes[start(of: index)..<entry.end]
                return Line(text: text, more: entry.more, event: entry.event)
            }
        }

        mutating func append(_ line: Span<UInt8>, _ more: More?, _ event: EventNumber) {
            bytes.append(contentsOf: line)
            entries.append(Entry(end: bytes.count, more: more, event: event))
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
    mutating func append(_ line: Span<UInt8>, _ more: More?, _ event: EventNumber, most: Int) {
        if newer.entries.count >= most {
            swap(&older, &newer)
            newer.removeAll()
        }
        newer.append(line, more, event)
        count = min(count + 1, most)
    }

    /// Bytes of memory.
    var size: Int { older.size + newer.size }

    /// Forgets the oldest lines, so that at most half of the bytes stay.
    mutating func forgetOlderHalf() {
        let all = lines(last: count)
        var rest = all.reduce(0) { $0 + $1.text.count } / 2
        let kept = all.reversed().prefix { line in
            rest -= line.text.count
            return rest >= 0
        }
        older = Part()
        newer = Part()
        newer.bytes.reserveCapacity(kept.reduce(0) { $0 + $1.text.count })
        newer.entries.reserveCapacity(kept.count)
        for line in kept.reversed() { newer.append(line.text.span, line.more, line.event) }
        count = kept.count
    }

    /// The last `count` lines, oldest first.
    func lines(last count: Int) -> [Line] {
        older.lines(last: max(0, count - newer.entries.count)) + newer.lines(last: count)
    }
}
