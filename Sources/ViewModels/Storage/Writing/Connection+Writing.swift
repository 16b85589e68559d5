import Protocol
import ViewModels

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
            case .remember(let key, let address, let answer): try remember(key, address, answer)
            case .forget(let address): try forget(address)
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

    // MARK: Keys

    private func remember(
        _ key: String, _ address: Address, _ answer: ClosedRange<Int>?
    ) throws(SQLiteStatus) {
        let last = try statement("SELECT max(number) FROM keys WHERE address = ?1")
            .firstInteger(.text(address.text))
        let row = KeyRow(
            address: address.text, number: Int(last ?? 0) &+ 1, key: key,
            first: answer?.lowerBound, last: answer?.upperBound)
        try put(row)
        // Not with every key, because the old ones are on another page than the new.
        if row.number % 64 == 0 {
            try statement("DELETE FROM keys WHERE address = ?1 AND number <= ?2")
                .run(.text(address.text), .integer(row.number &- KeyWindow.size))
        }
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
    private func forget(_ address: Address) throws(SQLiteStatus) {
        try statement(
            "DELETE FROM keys WHERE address = ?1 OR address > ?1 || '/' AND address < ?1 || '0'"
        ).run(.text(address.text))
    }
}
