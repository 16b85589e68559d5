/// One step from a list to the next. Each applies to the result of the one before; `move` takes out at
/// `from`, then puts in at `to`.
public enum Edit<Row: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    case delete(at: Int)
    case insert(at: Int, row: Row)
    case move(from: Int, to: Int)
    case update(at: Int, row: Row)
}

extension Array where Element: Codable & Equatable & Sendable {
    /// Applies the edits in order. Returns false, and leaves the list as it was, where one of them
    /// names a place that is not there.
    public mutating func apply(_ edits: [Edit<Element>]) -> Bool {
        var list = self
        for edit in edits {
            switch edit {
            case .delete(let at):
                guard list.indices.contains(at) else { return false }
                list.remove(at: at)
            case .insert(let at, let row):
                guard at >= 0, at <= list.count else { return false }
                list.insert(row, at: at)
            case .move(let from, let to):
                guard list.indices.contains(from), list.indices.contains(to) else { return false }
                list.insert(list.remove(at: from), at: to)
            case .update(let at, let row):
                guard list.indices.contains(at) else { return false }
                list[at] = row
            }
        }
        self = list
        return true
    }
}
