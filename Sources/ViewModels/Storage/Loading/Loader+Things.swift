import BusdViewModels

/// A table of things that have ids.
struct ThingTable<Kept: Packed> {
    /// One of them: `game`.
    let noun: String
    /// All rows, the id first.
    let rows: String
    /// The row with the next id.
    let next: String
    /// The name, where it can be read.
    let title: (Statement) -> String
    let read: (inout Loader, Statement) throws(Unusable) -> Kept
}

extension Loader {
    /// All that can be read of a table, and the next id.
    mutating func load<Kept>(
        _ table: ThingTable<Kept>, reserved: Int
    ) throws(SQLiteStatus) -> ([(Identifier<Kept.Thing>, Kept)], Identifier<Kept.Thing>) {
        var found = Found<Kept>(table.noun)
        try connection.once("\(table.rows) ORDER BY id").forEach { row throws(SQLiteStatus) in
            guard let number = row.number(0) else { return true }
            try found.take(number, title: table.title(row)) { () throws(Unusable) in
                try table.read(&self, row)
            }
            return true
        }
        let known = KnownNext(written: try nextID(table.next), reserved: reserved)
        let settled = found.settle(known, isWhole: true)
        loaded.findings += found.findings
        return settled
    }

    /// `nil` where it is not known.
    private func nextID(_ sql: String) throws(SQLiteStatus) -> Int? {
        var next: Int?
        try connection.once(sql).forEach { row throws(SQLiteStatus) in
            next = NextIDRow(row)?.next
            return false
        }
        return next
    }
}
