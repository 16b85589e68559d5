extension Array {
    /// The edits that turn the list `old` into `new`: `old.apply(edits)` gives `new`. Empty if the
    /// lists are equal.
    ///
    ///     let edits = [Edit](from: shown, to: list.items)
    ///
    /// A row that only moved is one `move`, and rows that replace others in their place are one
    /// `update` each. The time is linear for a few changes, however long the lists are. Lists that
    /// differ in more than 100 rows, counting each deletion and each insertion, are compared place
    /// by place, so that a long list cannot take longer than linear time either; the edits are then
    /// not the fewest.
    @inlinable public init<Row>(from old: [Row], to new: [Row]) where Element == Edit<Row> {
        self.init(from: old, to: new) { $0 }
    }

    /// The same for the rows that a list would show.
    @inlinable public init<Item: Equatable, Row>(
        from old: [Item], to new: [Item], row: (Item) -> Row
    ) where Element == Edit<Row> {
        let search = EditSearch(old.count, new.count) { old[$0] == new[$1] }
        self = search.edits.map { $0.map { row(new[$0]) } }
    }
}

extension Edit {
    /// With other rows, and places that are higher by `before`.
    @inlinable func map<Other>(after before: Int = 0, _ row: (Row) -> Other) -> Edit<Other> {
        switch self {
        case .delete(let at): .delete(at: before + at)
        case .insert(let at, let old): .insert(at: before + at, row: row(old))
        case .move(let from, let to): .move(from: before + from, to: before + to)
        case .update(let at, let old): .update(at: before + at, row: row(old))
        }
    }
}

/// Compares two lists by the places of their rows. In its edits, a row is its place in the new
/// list.
///
/// The rows before the first difference and after the last one are skipped. For the rest, Myers'
/// "An O(ND) difference algorithm" finds the most rows that can stay. All other rows are deleted,
/// inserted, moved or updated.
@usableFromInline struct EditSearch {
    @usableFromInline let edits: [Edit<Int>]

    @usableFromInline init(_ old: Int, _ new: Int, isSame: (Int, Int) -> Bool) {
        let shorter = Swift.min(old, new)
        var before = 0
        while before < shorter, isSame(before, before) { before += 1 }
        var after = 0
        while before + after < shorter, isSame(old - after - 1, new - after - 1) { after += 1 }
        let middle = Middle(old: old - before - after, new: new - before - after) {
            isSame(before + $0, before + $1)
        }
        edits = middle.edits.map { $0.map(after: before) { before + $0 } }
    }
}

/// The rows between the first and the last difference. Places count from the first difference.
private struct Middle {
    /// The most rows that are deleted or inserted before the lists are compared place by place.
    static let mostDifferences = 100

    private(set) var edits: [Edit<Int>] = []
    private let old: Int
    private let new: Int

    init(old: Int, new: Int, isSame: (Int, Int) -> Bool) {
        (self.old, self.new) = (old, new)
        if let kept = rowsThatStay(isSame) {
            edit(keeping: kept, isSame)
            if edits.count <= max(old, new) { return }
            edits = []
        }
        editPlaceByPlace(isSame)
    }

    /// At most one edit for each place.
    private mutating func editPlaceByPlace(_ isSame: (Int, Int) -> Bool) {
        for place in 0..<min(old, new) where !isSame(place, place) {
            edits.append(.update(at: place, row: place))
        }
        for place in stride(from: old - 1, through: new, by: -1) {
            edits.append(.delete(at: place))
        }
        for place in stride(from: old, to: new, by: 1) {
            edits.append(.insert(at: place, row: place))
        }
    }

    // MARK: Rows that stay

    /// The pairs of an old row and a new row that are the same, in ascending order of both, with as
    /// many pairs as possible; `nil`: there are too many differences.
    private func rowsThatStay(_ isSame: (Int, Int) -> Bool) -> [(old: Int, new: Int)]? {
        let most = Self.mostDifferences
        guard abs(old - new) <= most else { return nil }
        // The old row that each diagonal (old - new, from -most - 1) has reached.
        var reached = [Int](repeating: 0, count: 2 * most + 3)
        var steps: [[Int]] = []
        for differences in 0...most {
            steps.append(reached)
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let isInsertion = isInsertion(diagonal, differences, reached)
                var row =
                    isInsertion
                    ? reached[diagonal + most + 2] : reached[diagonal + most] + 1
                while row < old, row - diagonal < new, isSame(row, row - diagonal) { row += 1 }
                reached[diagonal + most + 1] = row
                if row >= old, row - diagonal >= new { return pairs(of: steps) }
            }
        }
        return nil
    }

    /// Whether the best way to the diagonal, with so many differences, ends with an inserted row;
    /// else with a deleted one.
    private func isInsertion(_ diagonal: Int, _ differences: Int, _ reached: [Int]) -> Bool {
        let place = diagonal + Self.mostDifferences + 1
        return diagonal == -differences
            || diagonal != differences && reached[place - 1] < reached[place + 1]
    }

    /// Goes back from the ends of both lists.
    private func pairs(of steps: [[Int]]) -> [(old: Int, new: Int)] {
        var pairs: [(old: Int, new: Int)] = []
        var (row, newRow) = (old, new)
        for (differences, reached) in steps.enumerated().reversed() {
            let isInsertion = isInsertion(row - newRow, differences, reached)
            let diagonal = row - newRow + (isInsertion ? 1 : -1)
            let start = differences == 0 ? 0 : reached[diagonal + Self.mostDifferences + 1]
            let newStart = differences == 0 ? 0 : start - diagonal
            while row > start, newRow > newStart {
                row -= 1
                newRow -= 1
                pairs.append((row, newRow))
            }
            (row, newRow) = (start, newStart)
        }
        return pairs.reversed()
    }

    // MARK: Rows that do not stay

    private mutating func edit(keeping kept: [(old: Int, new: Int)], _ isSame: (Int, Int) -> Bool) {
        // For each old row the new row that it becomes; -1: it is deleted.
        var becomes = [Int](repeating: -1, count: old)
        for pair in kept { becomes[pair.old] = pair.new }
        let removed = becomes.indices.filter { becomes[$0] < 0 }
        let stays = Set(kept.map(\.new))
        let added = (0..<new).filter { !stays.contains($0) }

        let moved = moves(&becomes, removed, added, isSame)
        let updated = updates(&becomes, removed, added.filter { !moved.contains($0) }, kept)
        for row in removed.reversed() where becomes[row] < 0 {
            edits.append(.delete(at: row))
            becomes.remove(at: row)
        }
        for row in added {
            if updated.contains(row), let place = becomes.firstIndex(of: row) {
                edits.append(.update(at: place, row: row))
            } else {
                bring(row, behind: row - 1, in: &becomes)
            }
        }
    }

    /// Finds deleted rows that are inserted again elsewhere. Returns their new places.
    private func moves(
        _ becomes: inout [Int], _ removed: [Int], _ added: [Int], _ isSame: (Int, Int) -> Bool
    ) -> Set<Int> {
        var moved: Set<Int> = []
        for row in removed {
            let place = added.first { !moved.contains($0) && isSame(row, $0) }
            guard let place else { continue }
            moved.insert(place)
            becomes[row] = place
        }
        return moved
    }

    /// Pairs a deleted row with an inserted row if both stand between the same two rows that stay.
    /// Then the inserted row is an update of the deleted one. Returns the new places of these rows.
    private func updates(
        _ becomes: inout [Int], _ removed: [Int], _ added: [Int], _ kept: [(old: Int, new: Int)]
    ) -> Set<Int> {
        var updated: Set<Int> = []
        var rest = added[...]
        for row in removed where becomes[row] < 0 {
            let next = kept.indices.partitionPoint { kept[$0].old < row }
            let first = next > 0 ? kept[next - 1].new + 1 : 0
            let end = next < kept.count ? kept[next].new : new
            rest = rest.drop { $0 < first }
            guard let place = rest.first, place < end else { continue }
            rest.removeFirst()
            updated.insert(place)
            becomes[row] = place
        }
        return updated
    }

    /// Inserts a new row, or moves it from its old place, directly behind another new row.
    private mutating func bring(_ row: Int, behind other: Int, in list: inout [Int]) {
        let from = list.firstIndex(of: row)
        if let from { list.remove(at: from) }
        let to = list.firstIndex(of: other).map { $0 + 1 } ?? 0
        list.insert(row, at: to)
        guard let from else { return edits.append(.insert(at: to, row: row)) }
        if from != to { edits.append(.move(from: from, to: to)) }
    }
}
