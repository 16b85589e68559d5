import BusdProtocol

/// A walk in address order through the view models that match a pattern and have come up to some
/// moment. Others come and go meanwhile: so it stands at an address, not at a view model.
struct Walk {
    /// How many view models are looked at at once.
    static let stride = 1 << 10

    let pattern: Pattern
    /// View models with a lower number had come before those that are looked for.
    var firstNumber: UInt32 = 0
    /// View models with a higher number have come since.
    var lastNumber: UInt32
    /// All view models up to this address have been passed.
    var passed = ""

    init(_ pattern: Pattern, lastNumber: UInt32) {
        self.pattern = pattern
        self.lastNumber = lastNumber
    }

    /// Where the next address is to be looked for: no address has a letter that comes before this.
    var next: String { passed.isEmpty ? pattern.stem : passed + " " }

    /// Whether the view model is on the way, passed or not.
    func includes(_ model: borrowing Model) -> Bool {
        model.number >= firstNumber && model.number <= lastNumber && model.isMatched(by: pattern)
    }

    /// Whether the walk has still to come to a view model.
    func isBefore(_ model: borrowing Model) -> Bool {
        model.address.text > passed && includes(model)
    }
}

extension Bus {
    /// Next matches of a walk: at most `most`, examining at most `all`. Also returns the last
    /// examined view model; `nil`: the walk is complete.
    mutating func next(
        on walk: Walk, most: Int = .max, of all: Int = .max
    ) -> (found: [ModelID], last: ModelID?) {
        // The closure uses the roster only: it would capture a copy of the bus.
        let roster = roster
        var found: [ModelID] = []
        var last: ModelID?
        var compared = 0
        host.forEach(from: walk.next, to: walk.pattern.end) { id in
            guard roster.isHere(id) else { return true }
            compared += 1
            if walk.includes(roster[id]) { found.append(id) }
            let isEnough = found.count >= most || compared >= all
            if isEnough { last = id }
            return !isEnough
        }
        spend(Cost.comparison * compared)
        return (found, last)
    }
}

extension Pattern {
    /// All matches are from the stem to before this text, because no address has a character above
    /// DEL.
    var end: String { (stem.isEmpty ? "" : stem + "/") + "\u{7F}" }
}
