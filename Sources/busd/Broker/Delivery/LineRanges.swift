/// Ranges of line numbers in the turn log: the lines of one connection, in order.
struct LineRanges {
    /// All ranges but the last, in order.
    private var earlier: [Range<Int>] = []
    /// Empty if there are no lines.
    private(set) var last: Range<Int> = 0..<0

    var isEmpty: Bool { last.isEmpty }
    var isSingle: Bool { earlier.isEmpty }

    /// Adds lines behind all others. Returns whether they are the first.
    mutating func add(_ lines: Range<Int>) -> Bool {
        if last.upperBound == lines.lowerBound, !last.isEmpty {
            last = last.lowerBound..<lines.upperBound
            return false
        }
        let isFirst = last.isEmpty
        if !isFirst { earlier.append(last) }
        last = lines
        return isFirst
    }

    /// Adds the lines of a run that are not added yet. Returns whether they are the first lines.
    mutating func add(run: Range<Int>) -> Bool {
        let start = max(run.lowerBound, endOfCommon)
        return start < run.upperBound && add(start..<run.upperBound)
    }

    /// The end of the last range of common lines; 0 if there is none.
    private var endOfCommon: Int {
        guard last.lowerBound >= LogPart.firstOwn else { return last.upperBound }
        return earlier.last { $0.lowerBound < LogPart.firstOwn }?.upperBound ?? 0
    }

    mutating func removeAll() {
        if !earlier.isEmpty { earlier = [] }
        last = 0..<0
    }

    func forEach(_ body: (Range<Int>) -> Void) {
        for range in earlier { body(range) }
        body(last)
    }
}

extension LineRanges: Equatable {
    /// The same lines in the same order.
    static func == (some: LineRanges, other: LineRanges) -> Bool {
        some.last == other.last && some.earlier == other.earlier
    }
}
