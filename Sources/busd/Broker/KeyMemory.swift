/// The keys of the last `send`s that a view model has accepted, and what was answered, so that a
/// retry has no effect (PROTOCOL.md, section 3).
struct KeyMemory {
    /// Bytes, because two keys are the same when their code points are.
    private var answers: [[UInt8]: ClosedRange<Int>?] = [:]
    private var order: [[UInt8]] = []
    private var oldest = 0

    /// What the `send` with that key was answered: the events it caused, or none; `nil` where the
    /// key is not known.
    func answer(to key: String) -> ClosedRange<Int>?? { answers[Array(key.utf8)] }

    mutating func remember(_ key: String, _ caused: ClosedRange<Int>?, most: Int) {
        remember(Array(key.utf8), caused)
        if order.count - oldest > most {
            answers.removeValue(forKey: order[oldest])
            oldest += 1
        }
        if oldest > most {
            for key in order.prefix(oldest) { size -= Self.size(of: key) }
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    private mutating func remember(_ key: [UInt8], _ caused: ClosedRange<Int>?) {
        guard answers.updateValue(caused, forKey: key) == nil else { return }
        order.append(key)
        size += Self.size(of: key)
    }

    // MARK: Memory

    /// Bytes that it takes, about.
    private(set) var size = 0

    private static func size(of key: [UInt8]) -> Int { 128 + key.count }

    mutating func forgetOlderHalf() {
        let newer = order.suffix((order.count - oldest + 1) / 2)
        var kept = KeyMemory()
        for key in newer { kept.remember(key, answers[key] ?? nil) }
        self = kept
    }
}
