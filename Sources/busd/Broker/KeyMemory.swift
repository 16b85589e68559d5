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
        let key = Array(key.utf8)
        guard answers.updateValue(caused, forKey: key) == nil else { return }
        order.append(key)
        if order.count - oldest > most {
            answers.removeValue(forKey: order[oldest])
            oldest += 1
        }
        if oldest > most {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
