extension Loader {
    mutating func loadUsers() throws(SQLiteStatus) {
        let statement = try connection.once("SELECT name, hash, seal FROM users ORDER BY name")
        try statement.forEach { row throws(SQLiteStatus) in
            guard let name = row.text(0), let hash = row.text(1),
                UserRow(name: name, hash: hash).seal == row.integer(2)
            else {
                note("a user\(row.text(0).map(Self.shown) ?? "") is left out: a broken seal")
                return true
            }
            loaded.users[name] = hash
            return true
        }
    }
}
