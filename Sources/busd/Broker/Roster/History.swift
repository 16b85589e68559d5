import BusdProtocol

/// A view model's last events, as the lines that they were, for views that come back.
///
/// The lines are in two parts. When the newer part is full, it becomes the older part, and the
/// memory of the older part is used again. So no line is ever moved. The newer part and the end of
/// the older part are kept.
struct History {
    private struct Part {
        /// Where a line ends.
        struct Entry {
            let end: Int
            /// Where `"more":true,` stands in the line, from its start; `nil` where it does not.
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
    /// How many events are kept.
    private(set) var count = 0

    /// Keeps the line of the next event, and forgets the oldest where there are more than `most`.
    mutating func append(_ line: Span<UInt8>, moreAt: Int?, most: Int) {
        if newer.entries.count >= most {
            swap(&older, &newer)
            newer.removeAll()
        }
        newer.append(line, moreAt: moreAt)
        count = min(count + 1, most)
    }

    /// Bytes that it takes.
    var size: Int { older.size + newer.size }

    /// Takes half as much, at the most.
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

    /// The last lines, oldest first.
    func lines(last count: Int) -> [(line: ArraySlice<UInt8>, moreAt: Int?)] {
        older.lines(last: max(0, count - newer.entries.count)) + newer.lines(last: count)
    }
}
