/// "Did you mean": names similar to an unknown one.
///
/// A wrong name must not delay other connections, although its client may have created thousands of
/// similar names. So the search is bounded, and returns the matches found by then.
package enum Suggestions {
    /// The greatest number of names that are compared, and the greatest length of a name in bytes.
    package static let most = 1_000
    static let longest = 64

    /// At most three different names, the nearest first.
    package static func near(_ name: String, among names: [String]) -> [String] {
        guard var search = NameSearch(name) else { return [] }
        var found: [(distance: Int, name: String)] = []
        for candidate in names.prefix(most) where !search.isOver {
            if let distance = search.distance(to: candidate) { found.append((distance, candidate)) }
        }
        var nearest: [String] = []
        for (_, name) in found.sorted(by: { ($0.distance, $0.name) < ($1.distance, $1.name) })
        where nearest.count < 3 && nearest.last?.isExactly(name) != true {
            nearest.append(name)
        }
        return nearest
    }
}

/// The edit distance (insertions, deletions, changes and swaps of neighbours) from a name to
/// others, ignoring case. It fills the usual table row by row, but only cells near the diagonal:
/// cells farther off stand for more than `limit` changes.
private struct NameSearch {
    /// Cells of all tables together. They take a small part of a millisecond.
    private static let most = 20_000

    private let name: [UInt8]
    private let limit: Int
    private var left = Self.most
    private var beforeLast: [Int]
    private var last: [Int]
    private var row: [Int]

    /// `nil` if the name is too long.
    init?(_ name: String) {
        let bytes = Array(name.utf8.prefix(Suggestions.longest + 1))
        guard bytes.count <= Suggestions.longest else { return nil }
        self.name = bytes.map(Self.lowercase)
        limit = max(1, min(3, bytes.count / 3))
        last = [Int](repeating: 0, count: bytes.count + limit + 2)
        beforeLast = last
        row = last
    }

    var isOver: Bool { left <= 0 }

    /// `nil` if it is more than `limit`.
    mutating func distance(to other: String) -> Int? {
        guard abs(other.utf8.count - name.count) <= limit else { return nil }
        return other.utf8.withContiguousStorageIfAvailable { distance(to: $0) }
            ?? Array(other.utf8).withUnsafeBufferPointer { distance(to: $0) }
    }

    private mutating func distance(to other: UnsafeBufferPointer<UInt8>) -> Int? {
        let far = limit + 1
        for j in 0...min(other.count, far) { last[j] = j }
        for i in name.indices {
            let band = max(0, i - limit)..<min(other.count, i + limit + 1)
            row[band.lowerBound] = band.lowerBound == 0 ? min(i + 1, far) : far
            row[band.upperBound + 1] = far
            var nearest = row[band.lowerBound]
            for j in band {
                let isSame = name[i] == Self.lowercase(other[j])
                var best = min(last[j] + (isSame ? 0 : 1), last[j + 1] + 1, row[j] + 1, far)
                if i > 0, j > 0, name[i] == Self.lowercase(other[j - 1]),
                    name[i - 1] == Self.lowercase(other[j])
                {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row[j + 1] = best
                nearest = min(nearest, best)
            }
            left -= band.count
            guard nearest <= limit else { return nil }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return last[other.count] <= limit ? last[other.count] : nil
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte &+ 32 : byte
    }
}
