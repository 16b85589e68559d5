import BusdProtocol

/// A problem that a line of a text can have, as the end of a sentence.
struct LineProblem: Hashable, Sendable {
    /// Continues "line 3", such as `has no tab`.
    let one: String
    /// Continues "lines 3 and 4", such as `have no tab`.
    let several: String

    init(_ one: String, _ several: String) { (self.one, self.several) = (one, several) }
}

/// The problems of the lines of a text. All lines with one problem are one sentence.
struct LineProblems {
    fileprivate static let mostRanges = 5

    fileprivate struct Place {
        let problem: LineProblem
        var count = 0
        /// The first of them.
        var ranges: [ClosedRange<Int>] = []
        /// Lines behind these ranges.
        var further = 0
    }

    private var places: [Place] = []

    init() {}

    var isEmpty: Bool { places.isEmpty }

    /// - Parameter line: from 1, in ascending order.
    mutating func add(_ problem: LineProblem, at line: Int) {
        let known = places.firstIndex { $0.problem == problem }
        if known == nil { places.append(Place(problem: problem)) }
        places[known ?? places.count - 1].add(line)
    }

    /// Such as `lines 2 to 25 and 40 have no tab`.
    var texts: [String] { places.map(\.text) }

    /// The number of lines with a problem.
    var count: Int { places.reduce(0) { $0 + $1.count } }
}

extension LineProblems.Place {
    mutating func add(_ line: Int) {
        count += 1
        if further == 0, let last = ranges.last, last.upperBound + 1 == line {
            ranges[ranges.count - 1] = last.lowerBound...line
        } else if ranges.count < LineProblems.mostRanges {
            ranges.append(line...line)
        } else {
            further += 1
        }
    }

    var text: String {
        if count == 1 { return "line \(list) \(problem.one)" }
        return "lines \(list) \(problem.several)"
    }

    private var list: String {
        var items = ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        if further > 0 { items.append("\(further) more") }
        let last = items.removeLast()
        return items.isEmpty ? last : items.joined(separator: ", ") + " and \(last)"
    }
}
