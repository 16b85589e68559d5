import BusdViewModels

// What a transaction writes.

extension Connection {
    func write(_ transaction: Transaction) throws(SQLiteStatus) {
        try write(transaction.games, next: transaction.nextGame)
        try write(transaction.books, next: transaction.nextBook)
        for write in transaction.users {
            switch write {
            case .put(let name, let hash): try put(UserRow(name: name, hash: hash))
            case .remove(let name): try remove(user: name)
            }
        }
        for change in transaction.keys {
            switch change {
            case .remember(let key, let address): try remember(key, of: address)
            case .forget(let address): try forget(keysBelow: address)
            }
        }
    }

    // MARK: Users

    private func put(_ row: UserRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO users (name, hash, seal) VALUES (?1, ?2, ?3)")
            .run(.text(row.name), .text(row.hash), .integer(row.seal))
    }

    private func remove(user name: String) throws(SQLiteStatus) {
        try statement("DELETE FROM users WHERE name = ?1").run(.text(name))
    }
}
