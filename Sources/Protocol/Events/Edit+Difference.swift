// From one list to another in few edits, by the ids of the rows. It costs O(n) for n rows, but for
// two counts that take log n steps, of which only a shuffle needs many.
//
// The longest run of rows that have kept their order stay where they are; each other row moves
// once. Every edit counts on the result of the one before, so the places change with each. Instead
// of changing a list, all rows that ever stand in it get a slot, and one that moves gets two. The
// slots are in the order of the old list and of the new one at the same time, with the rows that
// stay as common marks. The place of a row is then how many slots before its own are occupied.

extension Array where Element: Codable & Equatable & Sendable & Identifiable {
    /// The edits that lead to `new`; `nil` where they would be more than its rows. Every id stands
    /// once in either list.
    public func edits(to new: [Element]) -> [Edit<Element>]? {
        let head = zip(self, new).prefix { $0.id == $1.id }.count
        let tail = zip(self[head...].reversed(), new[head...].reversed())
            .prefix { $0.id == $1.id }.count
        let plan = EditPlan(
            old: self[head..<(count - tail)], new: new[head..<(new.count - tail)])
        let updates =
            self.updates(at: 0..<head, to: new[..<head])
            + plan.updates
            + self.updates(at: (count - tail)..<count, to: new.suffix(tail))
        guard plan.count + updates.count <= new.count else { return nil }
        return plan.edits() + updates
    }

    /// Of rows that have the same ids.
    private func updates(
        at places: Range<Int>, to new: ArraySlice<Element>
    ) -> [Edit<Element>] {
        zip(places, new.indices).compactMap { before, place in
            self[before] == new[place] ? nil : .update(at: place, row: new[place])
        }
    }
}
