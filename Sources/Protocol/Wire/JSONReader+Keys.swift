// Refuses an object with two equal keys, compared code point by code point.

extension JSONReader {
    /// A few keys that look different cost nothing more. All others go through a set; its hashing
    /// is seeded, so a client cannot prepare keys that collide.
    func refuseDoubleKeys(of object: Int, _ count: Int) throws(JSONError) {
        if count <= 8, lookDifferent(object + 1, count) { return }
        var keys: Set<[UInt8]> = []
        var key = object + 1
        while key < nodes[object].next {
            guard keys.insert(plainText(key)).inserted else {
                // The key is not quoted in the message, because it may be a misplaced password.
                throw JSONError(at: nodes[key].range.lowerBound, "duplicate key")
            }
            key = after(key)
        }
    }

    /// Whether no two keys have the same hash of length and first byte, which is the usual case.
    private func lookDifferent(_ first: Int, _ count: Int) -> Bool {
        var key = first
        var seen: UInt64 = 0
        for _ in 0..<count {
            let text = nodes[key].range
            guard !nodes[key].isEscaped, !text.isEmpty else { return false }
            let sum = bytes[text.lowerBound] &* 5 &+ UInt8(truncatingIfNeeded: text.count)
            let look = UInt64(1) &<< UInt64(truncatingIfNeeded: sum)
            guard seen & look == 0 else { return false }
            seen |= look
            key = after(key)
        }
        return true
    }

    /// The key after the value of this one.
    private func after(_ key: Int) -> Int { nodes[key + 1].next }

    private func plainText(_ index: Int) -> [UInt8] {
        let raw = bytes[nodes[index].range]
        return nodes[index].isEscaped ? JSONText.unescaped(raw) : Array(raw)
    }
}
