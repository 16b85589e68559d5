/// Which rows go, come and move on the way from one list to another.
///
/// The longest run of rows that have kept their order stay where they are; each other row moves
/// once. Every edit counts on the result of the one before, so the places change with each. Instead
/// of changing a list, all rows that ever stand in it get a slot, and one that moves gets two. The
/// slots are in the order of the old list and of the new one at the same time, with the rows that
/// stay as common marks. The place of a row is then how many slots before its own are occupied.
@usableFromInline
struct EditPlan {
    private enum Fate {
        case goes
        case stays
        case moves
    }

    /// Of each old row.
    private var fates: [Fate]
    /// For each new row which old one it is; `nil` for one that comes.
    private let origins: [Int?]

    /// `count` is that of the old list.
    @usableFromInline
    init(from count: Int, origins: [Int?]) {
        self.origins = origins
        fates = Array(repeating: .goes, count: count)
        let kept = origins.compactMap(\.self)
        for place in kept { fates[place] = .moves }
        for place in longestRise(kept) { fates[place] = .stays }
    }

    /// Of edits; there may be fewer, as a move may have nothing to do.
    @usableFromInline
    var count: Int {
        fates.count { $0 != .stays } + origins.count { $0 == nil }
    }

    /// In place of a row they have its place in the new list.
    @usableFromInline
    func edits() -> [Edit<Int>] {
        let (source, target, count) = slots()
        var occupied = SlotSet(source, of: count)
        var edits: [Edit<Int>] = []
        for (slot, fate) in zip(source, fates) where fate == .goes {
            edits.append(.delete(at: occupied.leave(slot)))
        }
        for (place, (slot, origin)) in zip(target, origins).enumerated() {
            if let origin {
                guard fates[origin] == .moves else { continue }
                let (from, to) = (occupied.leave(source[origin]), occupied.enter(slot))
                if from != to { edits.append(.move(from: from, to: to)) }
            } else {
                edits.append(.insert(at: occupied.enter(slot), row: place))
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
        while oldSlots.count < fates.count { take(&oldSlots) }
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
