import BusdProtocol

/// A `subscribe` with a pattern, until its answer and its snapshots are complete.
///
/// Its next lines have a place of their own in the backlog (`Backlog.Entry.Kind.showing`), before
/// all lines that are sent meanwhile.
struct Join {
    /// The answer, with the address of each view model that matches; `nil` once it is complete.
    var answer: Listing?
    /// Through the view models that are shown. View models that arrived later are shown behind the
    /// join.
    var walk: Walk
    /// Bytes of the memberships that the join may still add.
    private let reserved: Weight
    /// View models that the connection heard before, and that have emitted since the join began: it
    /// does not hear them until they are shown again.
    private var heard: [ModelID: Heard] = [:]
    /// View models that ended before they were shown, in address order.
    private var ended = Heap<Ended> { $0.address < $1.address }
    /// The connection never learned of the arrival of these.
    private var unknown: Set<ModelID> = []

    private struct Heard {
        /// The `seq` of the view model when the join began.
        let start: Int
        /// The last `seq` in line before; `nil` if the connection does not know the view model.
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
        /// The answer has its address.
        let isNamed: Bool
    }

    init(_ pattern: Pattern, _ id: Request.ID?, lastNumber: UInt32, _ reserved: Weight) {
        self.reserved = reserved
        answer = Listing(pattern, id, lastNumber: lastNumber)
        walk = Walk(pattern, lastNumber: lastNumber)
    }

    // MARK: View models that were heard before

    mutating func suspend(_ model: ModelID, at seq: Int, last: Int?) {
        heard[model] = Heard(start: seq, last: last)
    }

    /// A view model is about to be shown that was not heard before: its membership counts itself.
    func releaseMembership() {
        reserved.bytes = max(0, reserved.bytes - Subscription.membershipBytes)
    }

    /// The last events of a view model were dropped: its gap ends at the `seq` that is returned.
    /// `nil` if the join does not show it again.
    mutating func missed(_ model: ModelID, isKnown: Bool) -> Int? {
        if let start = heard[model]?.start {
            heard[model]?.last = isKnown ? start : nil
            return start
        }
        if !isKnown { unknown.insert(model) }
        return nil
    }

    // MARK: Showing

    /// The view model is shown now, at some `seq`. Returns how many events were passed over.
    mutating func show(_ model: ModelID, _ address: Address, at seq: Int) -> Int? {
        walk.passed = address.text
        return heard.removeValue(forKey: model)?.missed(upTo: seq)
    }

    /// The view model has ended. `gone` is sent unless the connection never learned of it.
    mutating func end(_ model: borrowing Model, wasHeard: Bool) {
        let isNamed = !(answer?.walk.isBefore(model) ?? false)
        let suspended = heard.removeValue(forKey: model.id)
        if let suspended, suspended.last == nil { unknown.insert(model.id) }
        guard isNamed || wasHeard else { return }
        let missed = suspended?.missed(upTo: model.seq)
        ended.push(
            Ended(model: model.id, address: model.address, missed: missed, isNamed: isNamed))
    }

    /// Takes out the first view model that has ended, if it stands before an address, and that the
    /// connection learned of.
    mutating func takeEnded(before address: Address?) -> (address: Address, missed: Int?)? {
        while let first = ended.first, address.map({ first.address <= $0 }) ?? true {
            ended.pop()
            let isKnown = !unknown.contains(first.model)
            if first.isNamed || isKnown { return (first.address, isKnown ? first.missed : nil) }
        }
        return nil
    }
}
