/// Which slots of a list are occupied, and how many of them before a slot: a bit for each, and a
/// Fenwick tree over the words of bits.
struct SlotSet {
    private var words: [UInt64]
    /// Node n, from 1, counts the bits of the words before word n, as many words as the lowest bit
    /// of n says.
    private var tree: [Int]

    init(_ occupied: [Int], of count: Int) {
        words = Array(repeating: 0, count: count / 64 + 1)
        for slot in occupied { words[slot / 64] |= 1 << (slot % 64) }
        tree = [0] + words.map(\.nonzeroBitCount)
        for node in tree.indices.dropFirst() {
            let next = node + (node & -node)
            if next < tree.count { tree[next] += tree[node] }
        }
    }

    /// Returns the place that becomes free.
    mutating func leave(_ slot: Int) -> Int {
        change(slot, by: -1)
        return place(of: slot)
    }

    /// Returns the place that is taken.
    mutating func enter(_ slot: Int) -> Int {
        change(slot, by: 1)
        return place(of: slot)
    }

    private func place(of slot: Int) -> Int {
        let before = words[slot / 64] & ((1 << (slot % 64)) &- 1)
        var place = before.nonzeroBitCount
        var node = slot / 64
        while node > 0 {
            place += tree[node]
            node -= node & -node
        }
        return place
    }

    private mutating func change(_ slot: Int, by one: Int) {
        words[slot / 64] ^= 1 << (slot % 64)
        var node = slot / 64 + 1
        while node < tree.count {
            tree[node] += one
            node += node & -node
        }
    }
}
