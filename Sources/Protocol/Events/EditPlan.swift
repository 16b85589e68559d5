/// What happens to the rows of two lists that begin and end with different ones.
struct EditPlan<Row: Codable & Equatable & Sendable & Identifiable> {
    private enum Fate {
        case goes
        case stays
        case moves
    }

    private let old: ArraySlice<Row>
    private let new: ArraySlice<Row>
    private var fates: [Fate]
    /// For each new row which old one it is, counted from 0; `nil` for one that was not there.
    private let origins: [Int?]

    init(old: ArraySlice<Row>, new: ArraySlice<Row>) {
        self.old = old
        self.new = new
        var places = Dictionary(
            zip(old.lazy.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
        origins = new.map { places.removeValue(forKey: $0.id) }
        fates = Array(repeating: .goes, count: old.count)
        let kept = origins.compactMap(\.self)
        for place in kept { fates[place] = .moves }
        for place in longestRise(kept) { fates[place] = .stays }
    }

    /// Of edits, without the updates.
    var count: Int {
        fates.count { $0 != .stays } + origins.count { $0 == nil }
    }

    var updates: [Edit<Row>] {
        zip(new.indices, origins).compactMap { place, origin in
            guard let origin, old[old.startIndex + origin] != new[place] else { return nil }
            return .update(at: place, row: new[place])
        }
    }

    /// All edits but the updates.
    func edits() -> [Edit<Row>] {
        let base = old.startIndex
        let (source, target, count) = slots()
        var occupied = SlotSet(source, of: count)
        func leave(_ slot: Int) -> Int { base + occupied.leave(slot) }
        func enter(_ slot: Int) -> Int { base + occupied.enter(slot) }

        var edits: [Edit<Row>] = []
        for (slot, fate) in zip(source, fates) where fate == .goes {
            edits.append(.delete(at: leave(slot)))
        }
        for (place, (slot, origin)) in zip(new.indices, zip(target, origins)) {
            if let origin {
                guard fates[origin] == .moves else { continue }
                let (from, to) = (leave(source[origin]), enter(slot))
                if from != to { edits.append(.move(from: from, to: to)) }
            } else {
                edits.append(.insert(at: enter(slot), row: new[place]))
            }
        }
        return edits
    }

    /// For each old row the slot that it leaves, and for each new one the slot that it takes.
    private func slots() -> (old: [Int], new: [Int], count: Int) {
        var (oldSlots, newSlots): ([Int], [Int]) = ([], [])
        var next = 0
        func take(_ slots: inout [Int]) {
            slots.append(next)
            next += 1
        }
        for origin in origins {
            guard let origin, fates[origin] == .stays else {
                take(&newSlots)
                continue
            }
            while oldSlots.count < origin { take(&oldSlots) }
            newSlots.append(next)
            take(&oldSlots)
        }
        while oldSlots.count < old.count { take(&oldSlots) }
        return (oldSlots, newSlots, next)
    }
}

/// The longest run of rising numbers among numbers that all differ, its last one first.
private func longestRise(_ numbers: [Int]) -> [Int] {
    // For each length the index of the smallest number with which a run of that length can end.
    var ends: [Int] = []
    var before = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
        var (low, high) = (0, ends.count)
        // Most rows have kept their order.
        if let last = ends.last, numbers[last] < number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { before[index] = ends[low - 1] }
        if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var run: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
        run.append(numbers[index])
        index = before[index]
    }
    return run
}
