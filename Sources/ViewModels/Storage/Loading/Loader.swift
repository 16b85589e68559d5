import BusdProtocol
import BusdViewModels

/// Reads a store that SQLite finds in order. A row that makes no sense is left out and listed.
struct Loader {
    let connection: Connection
    let reserved: ReservedIDs
    var loaded = Loaded()

    init(_ connection: Connection, reserved: ReservedIDs = ReservedIDs()) {
        self.connection = connection
        self.reserved = reserved
    }

    /// Reads the keys too, or sees only that there is a table of them: those of a view model are
    /// read when it is first sent one.
    mutating func load(withKeys: Bool) throws(SQLiteStatus) -> Loaded {
        (loaded.games, loaded.nextGame) = try load(ThingTable.games, reserved: reserved.games)
        (loaded.books, loaded.nextBook) = try load(ThingTable.books, reserved: reserved.books)
        try loadUsers()
        try loadKeys(all: withKeys)
        return loaded
    }

    /// Of a row that was looked for by the number of the thing that it is a part of, in its first
    /// column. SQLite finds those of another thing where a page has become a copy of another page.
    func checkOwner(_ row: Statement, _ number: Int) throws(SQLiteStatus) {
        guard row.number(0) == number else { throw .damage("a page is not where it should be") }
    }

    mutating func note(_ finding: String) { loaded.findings.append(finding) }

    private mutating func loadUsers() throws(SQLiteStatus) {
        var broken: [String] = []
        let statement = try connection.once("SELECT name, hash, seal FROM users ORDER BY name")
        try statement.forEach { row throws(SQLiteStatus) in
            if let user = UserRow(row) {
                loaded.users[ExactText(user.name)] = user.hash
            } else {
                broken.append(UserRow.title(row.text(0)))
            }
            return true
        }
        loaded.noteUsers(broken: broken, isWhole: true)
    }

    private mutating func loadKeys(all: Bool) throws(SQLiteStatus) {
        var broken = all ? 0 : connection.recentKeys.broken.count
        for table in KeyRow.tables {
            let statement = try connection.once("\(KeyRow.all(of: table)) ORDER BY address, number")
            guard all else { continue }
            try statement.forEach { row throws(SQLiteStatus) in
                if let key = KeyRow(row), let address = Address(key.address) {
                    loaded.keys.append(.remember(key.remembered, of: address))
                } else {
                    broken += 1
                }
                return true
            }
        }
        if broken > 0 { note(KeyRow.leftOut(broken)) }
    }
}

extension KeyRow {
    static func leftOut(_ count: Int) -> String {
        "\(count) keys of earlier sends are left out: a broken seal"
    }
}
