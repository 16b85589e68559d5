// A line of the base is stable if both sides still have it. Between two stable lines, the side that
// changed the lines wins; if both sides changed them, the result has the lines of both.
//
// Equal lines are found without a table of all pairs: first at the start and the end, then those
// that occur once on each side, then their neighbours. So a merge takes time in proportion to the
// length of the texts, apart from a logarithm.

/// Two edits of one text, merged by line. Lines are compared by their bytes.
public struct MergedLines: Equatable, Sendable {
    /// The lines of both edits, joined by line feeds.
    public let text: String
    /// For each line of `mine`, from 0: its place in the result. A line that is not in the result
    /// has the place at which it would be.
    public let places: [Int]

    /// - Parameters:
    ///   - base: the text that both sides began with.
    ///   - theirs: the text as it is now. If both sides changed the same lines, these come first.
    ///   - mine: the text to be merged into it. No line that it adds is lost.
    public init(base: String, theirs: String, mine: String) {
        var table = LineTable()
        var merge = LineMerge(
            base: table.numbers(of: base), theirs: table.numbers(of: theirs),
            mine: table.numbers(of: mine))
        merge.run()
        text = table.text(of: merge.merged)
        places = merge.places
    }
}

/// Gives equal lines one number.
private struct LineTable {
    private var numbers: [ExactText: Int] = [:]
    private var lines: [String] = []

    mutating func numbers(of text: String) -> [Int] {
        text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false).map {
            number(of: String(Substring($0)))
        }
    }

    private mutating func number(of line: String) -> Int {
        let known = numbers[ExactText(line), default: lines.count]
        if known == lines.count {
            numbers[ExactText(line)] = known
            lines.append(line)
        }
        return known
    }

    func text(of numbers: [Int]) -> String { numbers.map { lines[$0] }.joined(separator: "\n") }
}

private struct LineMerge {
    let base: [Int]
    let theirs: [Int]
    let mine: [Int]
    private(set) var merged: [Int] = []
    private(set) var places: [Int] = []

    init(base: [Int], theirs: [Int], mine: [Int]) {
        (self.base, self.theirs, self.mine) = (base, theirs, mine)
    }

    mutating func run() {
        let inTheirs = LineMatches(of: base, in: theirs).places
        let inMine = LineMatches(of: base, in: mine).places
        var (b, t, m) = (0, 0, 0)
        for place in base.indices {
            guard let their = inTheirs[place], let my = inMine[place] else { continue }
            add(base[b..<place], theirs[t..<their], mine[m..<my])
            places.append(merged.count)
            merged.append(base[place])
            (b, t, m) = (place + 1, their + 1, my + 1)
        }
        add(base[b...], theirs[t...], mine[m...])
    }

    private mutating func add(
        _ base: ArraySlice<Int>, _ theirs: ArraySlice<Int>, _ mine: ArraySlice<Int>
    ) {
        if mine == base {
            for offset in 0..<mine.count { places.append(merged.count + min(offset, theirs.count)) }
            merged += theirs
        } else if theirs == base || theirs == mine {
            places += merged.count..<(merged.count + mine.count)
            merged += mine
        } else {
            let (mineToo, known) = (Set(mine), Set(base).union(theirs))
            let former = Set(base)
            // A line of the base that only one side still has was removed by the other side. Lines
            // of mine take its place.
            func isRemoved(_ line: Int) -> Bool { former.contains(line) && !mineToo.contains(line) }
            let cut = theirs.firstIndex(where: isRemoved) ?? theirs.endIndex
            merged += theirs[..<cut]
            for line in mine {
                places.append(merged.count)
                if !known.contains(line) { merged.append(line) }
            }
            merged += theirs[cut...].filter { !isRemoved($0) }
        }
    }
}

/// Where the lines of a text are in another one, in the order of both.
private struct LineMatches {
    /// For each line, its place in the other text, or nil.
    private(set) var places: [Int?]
    private let old: [Int]
    private let new: [Int]

    init(of old: [Int], in new: [Int]) {
        (self.old, self.new) = (old, new)
        places = Array(repeating: nil, count: old.count)
        let shorter = min(old.count, new.count)
        let start = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let rest = shorter - start
        let end =
            (0..<rest).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
        for place in 0..<start { places[place] = place }
        for offset in 0..<end { places[old.count - 1 - offset] = new.count - 1 - offset }
        matchUnique(start..<(old.count - end), start..<(new.count - end))
        spread()
    }

    /// Matches lines that occur once on both sides: the largest number of them in the same order.
    private mutating func matchUnique(_ olds: Range<Int>, _ news: Range<Int>) {
        let inNew = Self.uniquePlaces(new, news)
        let pairs = Self.uniquePlaces(old, olds)
            .compactMap { line, place in inNew[line].map { (old: place, new: $0) } }
            .sorted { $0.old < $1.old }
        // The longest ascending sequence: for each length, `tails` has the pair with the least end.
        var tails: [Int] = []
        var previous: [Int?] = []
        for (number, pair) in pairs.enumerated() {
            let place = tails.indices.partitionPoint { pairs[tails[$0]].new < pair.new }
            previous.append(place > 0 ? tails[place - 1] : nil)
            if place < tails.count { tails[place] = number } else { tails.append(number) }
        }
        var next = tails.last
        while let number = next {
            places[pairs[number].old] = pairs[number].new
            next = previous[number]
        }
    }

    private typealias UniquePlaces = Dictionary<Int, Int>

    /// The lines that occur once in the range, and their places.
    private static func uniquePlaces(_ lines: [Int], _ range: Range<Int>) -> UniquePlaces {
        let several = -1
        var places = UniquePlaces()
        for place in range {
            places[lines[place]] = places[lines[place]] == nil ? place : several
        }
        return places.filter { $0.value != several }
    }

    /// Equal neighbours of a match match too, as long as the order is kept.
    private mutating func spread() {
        var ends = Array(repeating: new.count, count: old.count)
        var end = new.count
        for place in old.indices.reversed() {
            ends[place] = end
            end = places[place] ?? end
        }
        for place in old.indices.dropLast() where places[place + 1] == nil {
            guard let next = places[place].map({ $0 + 1 }), next < ends[place] else { continue }
            if old[place + 1] == new[next] { places[place + 1] = next }
        }
        var last = -1
        for place in old.indices {
            ends[place] = last
            last = places[place] ?? last
        }
        for place in old.indices.dropFirst().reversed() where places[place - 1] == nil {
            guard let next = places[place].map({ $0 - 1 }), next > ends[place] else { continue }
            if old[place - 1] == new[next] { places[place - 1] = next }
        }
    }
}
