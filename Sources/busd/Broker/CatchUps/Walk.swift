import BusdProtocol

/// A walk in address order through the view models that match a pattern and arrived before some
/// moment, such as a request. A view model that arrives later is not on the walk, and one that ends
/// before the walk reaches it is not found. View models arrive and end during the walk, so its
/// position is an address, not a view model.
struct Walk {
    /// View models that are examined at once.
    static let stride = 1 << 10

    let pattern: Pattern
    /// View models with a lower `Model.number` are not on the walk.
    private(set) var firstNumber: UInt32
    /// View models with a higher number are not on the walk; `.max` until its end is known.
    private(set) var lastNumber: UInt32
    /// All view models up to this address have been passed.
    private(set) var passed = ""
    /// Rights that the connection had since the walk began: a view model that they hide is not on
    /// the walk.
    private var earlierRights: [Rights] = []
    /// The connection has got other rights since the walk began.
    private(set) var isNarrow = false

    init(_ pattern: Pattern, firstNumber: UInt32 = 0, lastNumber: UInt32) {
        self.pattern = pattern
        self.firstNumber = firstNumber
        self.lastNumber = lastNumber
    }

    /// All view models up to the address are passed.
    mutating func pass(_ address: String) { passed = address }

    /// View models with a higher number are not on the walk, if its end was not known before.
    mutating func close(at number: UInt32) { if lastNumber == .max { lastNumber = number } }

    /// All later view models are on the walk too, until `close`.
    mutating func reopen() { lastNumber = .max }

    /// The view model with this number is on the walk too.
    mutating func extend(to number: UInt32) {
        firstNumber = min(firstNumber, number)
        lastNumber = max(lastNumber, number)
    }

    /// The connection gets other rights than these. What it wins by them is not on the walk.
    mutating func narrow(to rights: Rights?, lastNumber: UInt32) {
        close(at: lastNumber)
        if let rights { earlierRights.append(rights) }
        isNarrow = true
    }

    /// The search continues at this text. A space sorts before every character of an address, so
    /// this is just behind `passed`.
    var next: String { passed.isEmpty ? pattern.stem : passed + " " }

    /// Whether the view model is on the walk, passed or not. The `Door` decides whether the
    /// connection finds it.
    func includes(_ model: borrowing Model) -> Bool {
        model.number >= firstNumber && model.number <= lastNumber && pattern.matches(model.address)
            && earlierRights.allSatisfy { $0.mayLook(model.id, at: model.address) }
    }

    /// Whether the view model is on the walk and not passed yet.
    func isBefore(_ model: borrowing Model) -> Bool {
        model.address.text > passed && includes(model)
    }
}

extension Bus {
    /// Next matches of a walk for a connection: at most `most`, examining at most `all`. Also
    /// returns the last examined view model; `nil`: the walk is complete.
    mutating func next(
        on walk: Walk, for slot: ConnectionSlot, most: Int = .max, of all: Int = .max
    ) -> (found: [ModelID], last: ModelID?) {
        // A closure in a `mutating` method cannot use `self`: it uses a copy of the roster.
        let roster = roster
        var found: [ModelID] = []
        var last: ModelID?
        var compared = 0
        roster.forEach(from: walk.next, to: walk.pattern.end) { id in
            compared += 1
            if walk.includes(roster[id]), roster.may(.match(walk.pattern), id, slot).isAllowed {
                found.append(id)
            }
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
