import ViewModels

/// A table of things that have ids.
struct ThingTable<Kept: Packed> {
    typealias ID = Identifier<Kept.Thing>

    /// One of them: `game`.
    let noun: String
    /// Where the name is, of things that have one.
    var nameColumn: Int32?
    /// All rows, the id first.
    let rows: String
    /// The next id, and its seal.
    let next: String
    let read: (inout Loader, Int, Statement) throws(Unusable) -> Kept
}

extension Loader {
    /// All that can be read of a table, and the next id.
    mutating func load<Kept>(
        _ table: ThingTable<Kept>
    ) throws(SQLiteStatus) -> ([(Identifier<Kept.Thing>, Kept)], Identifier<Kept.Thing>) {
        var found = Found<Kept>()
        let next = try nextID(table)
        try orDrop("its \(table.noun)s") { loader throws(SQLiteStatus) in
            if loader.isDamaged {
                try loader.probe(table, before: next, &found)
            } else {
                try loader.take(table, "ORDER BY id", &found)
            }
        }
        if next == nil, !found.ids.isEmpty {
            note("the number of the next \(table.noun) is not known: it is guessed")
        }
        // A guess leaves those that are left out their numbers.
        let highest = next == nil ? found.ids.max() : found.things.map(\.0).max()
        return (found.things, max(next ?? .first, highest?.next ?? .first))
    }

    private struct Found<Kept: Packed> {
        var things: [(Identifier<Kept.Thing>, Kept)] = []
        var ids: Set<Identifier<Kept.Thing>> = []
    }

    /// `nil` where it is not known.
    private mutating func nextID<Kept>(
        _ table: ThingTable<Kept>
    ) throws(SQLiteStatus) -> Identifier<Kept.Thing>? {
        var next: Identifier<Kept.Thing>?
        try orDrop("the number of the next \(table.noun)") { loader throws(SQLiteStatus) in
            try loader.connection.once(table.next).forEach { row throws(SQLiteStatus) in
                guard let number = row.number(0), NextIDRow(next: number).seal == row.integer(1)
                else { return true }
                next = Identifier(number)
                return false
            }
        }
        return next
    }

    /// Reads on until there is one that has been found already.
    private mutating func take<Kept>(
        _ table: ThingTable<Kept>, _ clause: String, _ found: inout Found<Kept>
    ) throws(SQLiteStatus) {
        let known = found.ids
        try connection.once("\(table.rows) \(clause)").forEach { row throws(SQLiteStatus) in
            if let id = row.number(0).flatMap(ThingTable<Kept>.ID.init), known.contains(id) {
                return false
            }
            try take(table, row, &found)
            return true
        }
    }

    private mutating func take<Kept>(
        _ table: ThingTable<Kept>, _ row: Statement, _ found: inout Found<Kept>
    ) throws(SQLiteStatus) {
        guard let number = row.number(0) else { return }
        do throws(Unusable) {
            let id = ThingTable<Kept>.ID(number)
            if let id, number < .max { found.ids.insert(id) }
            let thing = try table.read(&self, number, row)
            guard let id else { throw .damaged("its number is not one") }
            found.things.append((id, thing))
        } catch {
            switch error {
            case .damaged(let why):
                let name = table.nameColumn.flatMap(row.text).map(Self.shown) ?? ""
                note("\(table.noun) \(number)\(name) is left out: \(why)")
            case .unreadable(let status): throw status
            }
        }
    }

    /// Asks for every id that there can be; where that is not known, reads from both ends.
    private mutating func probe<Kept>(
        _ table: ThingTable<Kept>, before next: Identifier<Kept.Thing>?, _ found: inout Found<Kept>
    ) throws(SQLiteStatus) {
        guard let next else {
            var old = found
            try orDrop("some \(table.noun)s from the old end") { loader throws(SQLiteStatus) in
                try loader.take(table, "ORDER BY id", &old)
            }
            found = old
            return try take(table, "ORDER BY id DESC", &found)
        }
        let statement = try connection.once("\(table.rows) WHERE id = ?1")
        var unreadable: [Int] = []
        for id in 1..<next.number {
            do {
                try statement.forEach(.integer(id)) { row throws(SQLiteStatus) in
                    try take(table, row, &found)
                    return false
                }
            } catch {
                unreadable.append(id)
            }
        }
        if !unreadable.isEmpty {
            let list = Self.list(unreadable)
            note("can't be read, if there were such \(table.noun)s: \(list)")
        }
    }
}
