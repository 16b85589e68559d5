/// Rows of which there can be one of a kind. Where there are two that differ, one of them is not
/// what it was, and nobody knows which: neither counts.
struct OnlyOnes<Key: Hashable, Row: Equatable> {
    private var rows: [Key: Row?] = [:]

    mutating func take(_ row: Row?, _ key: (Row) -> Key) {
        guard let row else { return }
        let key = key(row)
        guard let before = rows[key] else {
            rows[key] = .some(row)
            return
        }
        if before != row { rows[key] = .some(nil) }
    }

    subscript(_ key: Key) -> Row? { rows[key] ?? nil }

    /// Also of those that do not count.
    var keys: Dictionary<Key, Row?>.Keys { rows.keys }
}
