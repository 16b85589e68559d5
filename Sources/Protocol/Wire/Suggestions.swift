/// "Did you mean": the names that are near to one that is not known.
public enum Suggestions {
    /// How many names are looked at, and how long they may be: a wrong name must not hold anybody
    /// up.
    private static let most = 1_000
    private static let longest = 64

    /// At most three, the nearest first.
    public static func near(_ name: String, among names: some Sequence<String>) -> [String] {
        let wanted = Array(name.utf8.prefix(longest + 1))
        guard wanted.count <= longest else { return [] }
        let limit = max(1, min(3, wanted.count / 3))
        var found: [(distance: Int, name: String)] = []
        for candidate in names.prefix(most) {
            guard abs(candidate.utf8.count - wanted.count) <= limit else { continue }
            if let distance = distance(wanted, Array(candidate.utf8), atMost: limit) {
                found.append((distance, candidate))
            }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }

    /// Insertions, deletions, changes and swaps of neighbours from one to the other; letters are
    /// the same in either case. `nil` where there are more than `limit`: only what can be within it
    /// is looked at.
    private static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
        let far = limit + 1
        var beforeLast = [Int](repeating: far, count: b.count + 1)
        var last = (0...b.count).map { min($0, far) }
        var row = beforeLast
        for i in a.indices {
            row[0] = min(i + 1, far)
            var nearest = row[0]
            for j in b.indices {
                guard abs(i - j) <= limit else {
                    row[j + 1] = far
                    continue
                }
                let cost = lowercase(a[i]) == lowercase(b[j]) ? 0 : 1
                var best = min(last[j] + cost, last[j + 1] + 1, row[j] + 1, far)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row[j + 1] = best
                nearest = min(nearest, best)
            }
            guard nearest <= limit else { return nil }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
