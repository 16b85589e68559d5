import Protocol

extension Loader {
    /// Reads them all, or sees only that there is a table of them: each is read when its view model
    /// is first sent one.
    mutating func loadKeys(all: Bool) throws(SQLiteStatus) {
        let statement = try connection.once("\(KeyRow.columns) ORDER BY address, number")
        guard all else { return }
        var broken = 0
        try statement.forEach { row throws(SQLiteStatus) in
            if let key = KeyRow(row), let address = Address(key.address) {
                loaded.keys.append(.remember(key.remembered, of: address))
            } else {
                broken += 1
            }
            return true
        }
        if broken > 0 { note("\(broken) keys of earlier sends are left out: a broken seal") }
    }
}
