import Protocol

/// A `subscribe` with a pattern that has been answered, of which not all has been shown yet.
///
/// What is shown next stands in line at a place of its own (`Backlog.Entry.Kind.showing`), before
/// all that is said meanwhile.
struct Join {
    /// Through those that are shown. Who has come since is told behind the join.
    private(set) var walk: Walk
    /// Bytes that it will take to hear what is still to be shown and has not been heard before.
    private let reserved: Weight
    /// Those that the view has heard before and will be shown. Until then they are not heard.
    private var heard: [ModelID: Heard] = [:]
    /// Those that have ended before they were shown, in address order.
    private var ended = Heap<Ended> { $0.address < $1.address }
    /// Of these the view was never told that they had come.
    private var unknown: Set<ModelID> = []

    private struct Heard {
        /// Where the view model was when the join began.
        let start: Int
        /// The last `seq` in line before; `nil` where the view does not know the view model.
        var last: Int?

        /// How many events were passed over, of which a gap is to be told.
        func missed(upTo seq: Int) -> Int? {
            guard let last, seq > start else { return nil }
            return seq - last
        }
    }

    private struct Ended {
        let model: ModelID
        let address: Address
        let missed: Int?
    }

    init(_ pattern: Pattern, lastNumber: UInt32, _ reserved: Weight) {
        self.reserved = reserved
        walk = Walk(pattern, lastNumber: lastNumber)
    }

    // MARK: What the view has heard before

    mutating func reserve(_ count: Int) { heard.reserveCapacity(count) }

    mutating func suspend(_ model: ModelID, at seq: Int, last: Int?) {
        heard[model] = Heard(start: seq, last: last)
        release()
    }

    /// One less is to be heard than was reserved for: it is counted by itself, or has ended.
    private func release() { reserved.bytes -= Subscription.membershipBytes }

    /// Its last events were dropped: the gap of them goes up to the `seq` that is returned. `nil`
    /// where the join is not about it.
    mutating func missed(_ model: ModelID, isKnown: Bool) -> Int? {
        if let start = heard[model]?.start {
            heard[model]?.last = isKnown ? start : nil
            return start
        }
        if !isKnown { unknown.insert(model) }
        return nil
    }

    // MARK: Showing

    /// It is shown now, at some `seq`. Returns how many events were passed over.
    mutating func show(_ model: ModelID, _ address: Address, at seq: Int) -> Int? {
        walk.passed = address.text
        return resume(model)?.missed(upTo: seq)
    }

    mutating func end(_ model: ModelID, _ address: Address, at seq: Int) {
        let missed = resume(model)?.missed(upTo: seq)
        ended.push(Ended(model: model, address: address, missed: missed))
    }

    private mutating func resume(_ model: ModelID) -> Heard? {
        let known = heard.removeValue(forKey: model)
        if known == nil { release() }
        return known
    }

    /// Takes out the first that has ended and stands before an address, or all where that is `nil`.
    mutating func takeEnded(before address: Address?) -> (address: Address, missed: Int?)? {
        guard let first = ended.first, address.map({ first.address <= $0 }) ?? true else {
            return nil
        }
        ended.pop()
        return (first.address, unknown.contains(first.model) ? nil : first.missed)
    }
}
