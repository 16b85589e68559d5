// Refuses an object with two equal keys, compared code point by code point.

extension JSONReader {
    /// A few keys are compared with each other, if their lengths and first bytes are equal. Many
    /// keys go through a set; its hashing is seeded, so a client cannot prepare keys that collide.
    func refuseDoubleKeys(of object: Int, _ count: Int) throws(JSONError) {
        guard count <= 8 else { return try refuseDoubleKeys(ofMany: object) }
        guard !lookDifferent(object + 1, count) else { return }
        var key = object + 1
        for earlier in 0..<count {
            if stands(key, among: earlier, from: object + 1) { throw isDouble(key) }
            key = after(key)
        }
    }

    /// Whether no two keys have the same hash of length and first byte, which is the usual case.
    private func lookDifferent(_ first: Int, _ count: Int) -> Bool {
        var key = first
        var seen: UInt64 = 0
        for _ in 0..<count {
            let text = range(key)
            guard !nodes[key].isEscaped, !text.isEmpty else { return false }
            let sum = bytes[text.lowerBound] &* 5 &+ UInt8(truncatingIfNeeded: text.count)
            let look = UInt64(1) &<< UInt64(truncatingIfNeeded: sum)
            guard seen & look == 0 else { return false }
            seen |= look
            key = after(key)
        }
        return true
    }

    private func refuseDoubleKeys(ofMany object: Int) throws(JSONError) {
        var keys: Set<[UInt8]> = []
        var key = object + 1
        while key < nodes[object].next {
            guard keys.insert(plainText(key)).inserted else { throw isDouble(key) }
            key = after(key)
        }
    }

    /// The key is not quoted in the message, because it may be a misplaced password.
    private func isDouble(_ key: Int) -> JSONError {
        JSONError(at: range(key).lowerBound, "duplicate key")
    }

    /// The key after the value of this one.
    private func after(_ key: Int) -> Int { nodes[key + 1].next }

    private func stands(_ key: Int, among count: Int, from first: Int) -> Bool {
        var other = first
        for _ in 0..<count {
            if hasSameText(key, other) { return true }
            other = after(other)
        }
        return false
    }

    private func hasSameText(_ one: Int, _ other: Int) -> Bool {
        if nodes[one].isEscaped || nodes[other].isEscaped {
            return plainText(one) == plainText(other)
        }
        let (own, others) = (range(one), range(other))
        guard own.count == others.count else { return false }
        for (place, other) in zip(own, others) where bytes[place] != bytes[other] { return false }
        return true
    }

    private func range(_ index: Int) -> Range<Int> { nodes[index].range }

    private func plainText(_ index: Int) -> [UInt8] {
        let raw = bytes[range(index)]
        return nodes[index].isEscaped ? JSONText.unescaped(raw) : Array(raw)
    }
}
