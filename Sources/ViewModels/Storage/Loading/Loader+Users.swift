import Protocol

extension Loader {
    mutating func loadUsers() throws(SQLiteStatus) {
        let statement = try connection.once("SELECT name, hash, seal FROM users ORDER BY name")
        try statement.forEach { row throws(SQLiteStatus) in
            if let name = row.text(0), let hash = row.text(1),
                UserRow(name: name, hash: hash).seal == row.integer(2)
            {
                loaded.users[name] = hash
            } else {
                loaded.findings.append(
                    "user\(Self.shown(row.text(0))) is left out: its seal is broken")
            }
            return true
        }
    }

    /// A name behind a space, where what was read is one.
    static func shown(_ text: String?) -> String {
        text.flatMap { try? Name($0) }.map { " \($0.text)" } ?? ""
    }
}
