/// Numbers as they are told to people: `1, 2, 17 to 23 and 41`.
struct NumberList: CustomStringConvertible {
    private var ranges: [ClosedRange<Int>] = []

    /// After so many, only where the last one is.
    private static let most = 500

    /// Ascending.
    init(_ numbers: some Sequence<Int>) {
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Those from 1 on that are not among some.
    init(missing numbers: Set<Int>, before end: Int) {
        var next = 1
        for number in numbers.sorted() where next..<max(next, end) ~= number {
            if next < number { ranges.append(next...(number - 1)) }
            next = number + 1
        }
        if next < end { ranges.append(next...(end - 1)) }
    }

    var isEmpty: Bool { ranges.isEmpty }

    var description: String {
        let texts = ranges.prefix(Self.most).flatMap { range in
            range.count > 2
                ? ["\(range.lowerBound) to \(range.upperBound)"] : range.map(String.init)
        }
        guard let end = ranges.last, let last = texts.last else { return "none" }
        if ranges.count > Self.most {
            return "\(texts.joined(separator: ", ")) and others up to \(end.upperBound)"
        }
        guard texts.count > 1 else { return last }
        return "\(texts.dropLast().joined(separator: ", ")) and \(last)"
    }
}
