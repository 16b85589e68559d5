/// One step from a list to its next state. Each applies to the result of the step before it; `move`
/// removes the row at `from`, then inserts it at `to`. Inlinable, so it is specialised for the rows
/// of each caller.
public enum Edit<Row: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// Removes the row at the place, from 0.
    case delete(at: Int)
    /// Inserts the row, so that it is at this place: 0 to the number of rows.
    case insert(at: Int, row: Row)
    /// Removes the row at `from`, then inserts it so that it is at `to`.
    case move(from: Int, to: Int)
    /// Replaces the row at the place.
    case update(at: Int, row: Row)
}

extension Edit {
    /// One edit of each kind, for a list that has this row.
    public static func examples(_ row: Row) -> [Edit] {
        [.update(at: 0, row: row), .insert(at: 1, row: row), .move(from: 1, to: 0), .delete(at: 0)]
    }
}

extension Edit {
    /// The place, after the edit, of the row that is at this place; `nil`: it is deleted.
    public func place(_ place: Int) -> Int? {
        switch self {
        case .delete(let at): return place == at ? nil : place > at ? place - 1 : place
        case .insert(let at, _): return place >= at ? place + 1 : place
        case .move(let from, let to):
            if place == from { return to }
            let rest = place > from ? place - 1 : place
            return rest >= to ? rest + 1 : rest
        case .update: return place
        }
    }
}

extension Array where Element: Codable & Equatable & Sendable {
    /// Applies the edits in order. If one of them has a place outside the list, changes nothing and
    /// returns false.
    @inlinable
    public mutating func apply(_ edits: [Edit<Element>]) -> Bool {
        guard fits(edits) else { return false }
        for index in edits.indices {
            switch edits[index] {
            case .delete(let at): remove(at: at)
            case .insert(let at, let row): insert(row, at: at)
            case .move(let from, let to): insert(remove(at: from), at: to)
            case .update(let at, let row): self[at] = row
            }
        }
        return true
    }

    /// Checked first, so that no copy is needed to undo a part of the edits.
    @inlinable
    func fits(_ edits: [Edit<Element>]) -> Bool {
        var count = self.count
        return edits.indices.allSatisfy { index in
            let places = 0..<count
            switch edits[index] {
            case .delete(let at):
                count -= 1
                return places.contains(at)
            case .insert(let at, _):
                count += 1
                return places.contains(at) || at == places.upperBound
            case .move(let from, let to): return places.contains(from) && places.contains(to)
            case .update(let at, _): return places.contains(at)
            }
        }
    }
}

extension Edit: PlainJSON where Row: PlainJSON {
    public func write(to out: inout JSONWriter) {
        switch self {
        case .delete(let at): out.event("delete") { $0.member("at", at) }
        case .insert(let at, let row): out.event("insert") { $0.members(at, row) }
        case .move(let from, let to):
            out.event("move") { out in
                out.member("from", from)
                out.member("to", to)
            }
        case .update(let at, let row): out.event("update") { $0.members(at, row) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(_ at: Int, _ row: some PlainJSON) {
        member("at", at)
        member("row", row)
    }
}
