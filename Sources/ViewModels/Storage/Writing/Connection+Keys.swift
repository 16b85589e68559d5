import BusdProtocol
import BusdViewModels

// The keys of sends. They are read when their view model is first sent one, and never held here.
//
// A new one is written behind the others that came lately, whoever they are of, so that those of a
// commit are on one page. When there are many they are sorted in: a key is read by its address.

extension Connection {
    /// So many of each view model are known; PROTOCOL.md, section 3.
    private static let keysOfEach = 1024

    /// Reads what there is of recent keys.
    func findRecentKeys() throws(SQLiteStatus) {
        var found = RecentKeys()
        try statement("SELECT \(KeyRow.columns), place FROM recent_keys ORDER BY place")
            .forEach { row throws(SQLiteStatus) in
                let place = row.number(6) ?? 0
                // There are never so many.
                guard 1..<(1 << 31) ~= place else { throw .damage("a key stands at \(place)") }
                found.count = place
                if let key = KeyRow(row), let address = Address(key.address) {
                    found.last[address] = key.number
                } else {
                    found.broken.append(place)
                }
                return true
            }
        recentKeys = found
    }

    func remember(_ key: RememberedKey, of address: Address) throws(SQLiteStatus) {
        let row = KeyRow(
            address: address.text, number: try lastKey(of: address) &+ 1, key: key.key,
            first: key.answer?.lowerBound, last: key.answer?.upperBound)
        recentKeys.count += 1
        recentKeys.last[address] = row.number
        try put(row, at: recentKeys.count)
    }

    private func lastKey(of address: Address) throws(SQLiteStatus) -> Int {
        if let last = recentKeys.last[address] { return last }
        var last = 0
        try statement("\(KeyRow.all(of: "keys")) WHERE address = ?1 ORDER BY number DESC")
            .forEach(.text(address.text)) { row throws(SQLiteStatus) in
                guard let key = KeyRow(row), key.address == address.text else { return true }
                last = key.number
                return false
            }
        return last
    }

    private func put(_ row: KeyRow, at place: Int) throws(SQLiteStatus) {
        try statement(KeyRow.putting).run(
            .integer(place), .text(row.address), .integer(row.number), .text(row.key),
            row.first.map { .integer($0) } ?? .null, row.last.map { .integer($0) } ?? .null,
            .integer(row.seal))
    }

    /// Brings recent keys to the others of their addresses, of which the oldest go. One that is
    /// damaged would take another's place.
    func sortRecentKeys() throws(SQLiteStatus) {
        guard recentKeys.count > 0 else { return }
        for place in recentKeys.broken {
            try statement("DELETE FROM recent_keys WHERE place = ?1").run(.integer(place))
        }
        try statement(
            """
            REPLACE INTO keys (\(KeyRow.columns))
            SELECT \(KeyRow.columns) FROM recent_keys ORDER BY address, number
            """
        ).run()
        try statement("DELETE FROM recent_keys").run()
        for (address, last) in recentKeys.last {
            try statement("DELETE FROM keys WHERE address = ?1 AND number <= ?2")
                .run(.text(address.text), .integer(last &- Self.keysOfEach))
        }
        recentKeys = RecentKeys()
    }

    /// What is below an address begins with a slash, and `0` is the character after that.
    func forget(keysBelow address: Address) throws(SQLiteStatus) {
        try sortRecentKeys()
        try statement(
            "DELETE FROM keys WHERE address = ?1 OR address > ?1 || '/' AND address < ?1 || '0'"
        ).run(.text(address.text))
    }

    /// The last keys of an address, oldest first, and how many are lost: their seals are broken, or
    /// they are not there, as their numbers tell.
    func keys(of address: Address) throws(SQLiteStatus) -> (keys: [RememberedKey], lost: Int) {
        var rows: [KeyRow] = []
        var broken = 0
        for table in KeyRow.tables.prefix(recentKeys.last[address] == nil ? 1 : 2) {
            try statement("\(KeyRow.all(of: table)) WHERE address = ?1 ORDER BY number")
                .forEach(.text(address.text)) { row throws(SQLiteStatus) in
                    // SQLite finds those of another address where a page is a copy of another.
                    if let key = KeyRow(row), key.address == address.text {
                        rows.append(key)
                    } else {
                        broken += 1
                    }
                    return true
                }
        }
        let last = rows.last?.number ?? 0
        let latest = rows.count { $0.number > last &- Self.keysOfEach }
        let missing = min(last, Self.keysOfEach) &- latest
        return (rows.suffix(Self.keysOfEach).map(\.remembered), max(broken, missing))
    }
}

extension KeyRow {
    static let columns = "address, number, key, first, last, seal"

    /// Puts one among those that came lately.
    static let putting = """
        REPLACE INTO recent_keys (place, \(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """

    /// The older ones first.
    static let tables = ["keys", "recent_keys"]

    static func all(of table: String) -> String { "SELECT \(columns) FROM \(table)" }

    var remembered: RememberedKey {
        // A `send` that caused nothing has neither; 0 stands for a change without events.
        guard let first, let last, 0 <= first, first <= last else { return (key, nil) }
        return (key, first...last)
    }
}
