/// "Did you mean": the names that are near to one that is not known.
public enum Suggestions {
    /// How many names are looked at: a wrong name must not cost more than a right one by much.
    private static let most = 1_000

    /// At most three, the nearest first.
    public static func near(_ name: String, among names: some Sequence<String>) -> [String] {
        let wanted = Array(name.utf8.prefix(Address.longest))
        let limit = max(1, min(3, wanted.count / 3))
        var found: [(distance: Int, name: String)] = []
        for candidate in names.prefix(most) {
            guard abs(candidate.utf8.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, Array(candidate.utf8))
            if distance <= limit { found.append((distance, candidate)) }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }

    /// Insertions, deletions, changes and swaps of neighbours from one to the other; letters are
    /// the same in either case.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let cost = lowercase(a[i]) == lowercase(b[j]) ? 0 : 1
                var best = min(last[j] + cost, last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
