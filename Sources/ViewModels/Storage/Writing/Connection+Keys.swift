import Protocol

// The keys of sends. They are read when their view model is first sent one, and never held here.

extension Connection {
    /// So many of each view model are known; PROTOCOL.md, section 3.
    private static let keysOfEach = 1024

    func remember(_ key: RememberedKey, of address: Address) throws(SQLiteStatus) {
        let row = KeyRow(
            address: address.text, number: try lastKey(of: address) &+ 1, key: key.key,
            first: key.answer?.lowerBound, last: key.answer?.upperBound)
        try put(row)
        lastKeys[address] = row.number
        // Not with every key, because the old ones are on another page than the new.
        if row.number % 64 == 0 {
            try statement("DELETE FROM keys WHERE address = ?1 AND number <= ?2")
                .run(.text(address.text), .integer(row.number &- Self.keysOfEach))
        }
    }

    private func lastKey(of address: Address) throws(SQLiteStatus) -> Int {
        if let last = lastKeys[address] { return last }
        if lastKeys.count >= Self.keysOfEach { lastKeys = [:] }
        let last = try statement("SELECT max(number) FROM keys WHERE address = ?1")
            .firstInteger(.text(address.text))
        return Int(last ?? 0)
    }

    private func put(_ row: KeyRow) throws(SQLiteStatus) {
        try statement(
            """
            REPLACE INTO keys (address, number, key, first, last, seal)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        ).run(
            .text(row.address), .integer(row.number), .text(row.key),
            row.first.map { .integer($0) } ?? .null, row.last.map { .integer($0) } ?? .null,
            .integer(row.seal))
    }

    /// What is below an address begins with a slash, and `0` is the character after that.
    func forget(keysBelow address: Address) throws(SQLiteStatus) {
        lastKeys = [:]
        try statement(
            "DELETE FROM keys WHERE address = ?1 OR address > ?1 || '/' AND address < ?1 || '0'"
        ).run(.text(address.text))
    }

    /// The last keys of an address, oldest first, and how many are left out because their seals are
    /// broken.
    func keys(of address: Address) throws(SQLiteStatus) -> (keys: [RememberedKey], broken: Int) {
        var keys: [RememberedKey] = []
        var broken = 0
        try statement("\(KeyRow.columns) WHERE address = ?1 ORDER BY number")
            .forEach(.text(address.text)) { row throws(SQLiteStatus) in
                // SQLite finds those of another address where a page is a copy of another.
                if let key = KeyRow(row), key.address == address.text {
                    keys.append(key.remembered)
                } else {
                    broken += 1
                }
                return true
            }
        return (keys.suffix(Self.keysOfEach), broken)
    }
}

extension KeyRow {
    static let columns = "SELECT address, number, key, first, last, seal FROM keys"

    var remembered: RememberedKey {
        // A `send` that caused nothing has neither.
        guard let first, let last, 1 <= first, first <= last else { return (key, nil) }
        return (key, first...last)
    }
}
