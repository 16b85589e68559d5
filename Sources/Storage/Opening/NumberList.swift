import BusdProtocol

/// Numbers in ascending order, described as `1, 2, 17 to 23 and 41`.
struct NumberList: CustomStringConvertible {
    private(set) var ranges: [ClosedRange<Int>] = []

    /// After this many ranges, the description has only the last number.
    private static let most = 20

    init() {}

    init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number...number) } }

    /// The range must be after all others.
    mutating func insert(_ range: ClosedRange<Int>) {
        if let last = ranges.last, last.upperBound + 1 == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound...range.upperBound
        } else {
            ranges.append(range)
        }
    }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ number: Int) -> Bool { range(endingFrom: number)?.contains(number) ?? false }

    /// The first range that ends at the number or later.
    func range(endingFrom number: Int) -> ClosedRange<Int>? {
        let place = ranges.indices.partitionPoint { ranges[$0].upperBound < number }
        return place < ranges.count ? ranges[place] : nil
    }

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
