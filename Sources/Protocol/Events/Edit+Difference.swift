// From one list to another in few edits, by the ids of the rows; `EditPlan` has the model.
//
// What knows the rows is inlinable: called from another module as it is, each look at a row would
// go through the tables of a generic function, which takes ten times as long.

extension Array where Element: Codable & Equatable & Sendable & Identifiable {
    /// The edits that lead to `new`; `nil` where they would be more than its rows. Every id stands
    /// once in either list.
    ///
    /// It costs O(n) for n rows, but for two counts that take log n steps, of which only a shuffle
    /// needs many.
    @inlinable
    public func edits(to new: [Element]) -> [Edit<Element>]? {
        let origins = origins(of: new)
        let plan = EditPlan(from: count, origins: origins)
        let updated = new.indices.filter { place in
            origins[place].map { self[$0] != new[place] } ?? false
        }
        guard plan.count + updated.count <= new.count else { return nil }
        return plan.edits().map { edit in
            switch edit {
            case .delete(let at): .delete(at: at)
            case .insert(let at, let place): .insert(at: at, row: new[place])
            case .move(let from, let to): .move(from: from, to: to)
            case .update(let at, let place): .update(at: at, row: new[place])
            }
        } + updated.map { .update(at: $0, row: new[$0]) }
    }

    /// For each row of `new` where it stands in this list; `nil` for one that does not. Most are
    /// found beside their neighbours; the rest are looked up.
    @inlinable
    func origins(of new: [Element]) -> [Int?] {
        var origins = [Int?](repeating: nil, count: new.count)
        var (end, newEnd) = (count, new.count)
        while end > 0, newEnd > 0, self[end - 1].id == new[newEnd - 1].id {
            (end, newEnd) = (end - 1, newEnd - 1)
            origins[newEnd] = end
        }
        func isSame(_ place: Int, _ newPlace: Int) -> Bool {
            place < end && newPlace < newEnd && self[place].id == new[newPlace].id
        }

        var (place, newPlace) = (0, 0)
        var (lost, found): ([Int], [Int]) = ([], [])
        while place < end || newPlace < newEnd {
            if isSame(place, newPlace) {
                origins[newPlace] = place
                (place, newPlace) = (place + 1, newPlace + 1)
                continue
            }
            let comes = isSame(place, newPlace + 1)
            let goes = !comes && isSame(place + 1, newPlace)
            if !comes, place < end {
                lost.append(place)
                place += 1
            }
            if !goes, newPlace < newEnd {
                found.append(newPlace)
                newPlace += 1
            }
        }
        var places = Dictionary(
            lost.lazy.map { (self[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        for place in found { origins[place] = places.removeValue(forKey: new[place].id) }
        return origins
    }
}
