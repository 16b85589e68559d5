import Protocol
import ViewModels

// What a transaction writes, row by row.

extension Connection {
    func write(_ transaction: Transaction) throws(SQLiteStatus) {
        if let nextID = transaction.nextID { try put(LibraryRow(nextGame: nextID.number)) }
        for write in transaction.games {
            switch write {
            case .put(let id, let game, let common, let before):
                try put(id, game, common: common, before: before)
            case .delete(let id): try delete(id)
            }
        }
        for change in transaction.keys {
            switch change {
            case .remember(let key, let address, let answer): try remember(key, address, answer)
            case .forget(let address): try forget(address)
            }
        }
        for write in transaction.users {
            switch write {
            case .put(let name, let hash): try put(UserRow(name: name, hash: hash))
            case .remove(let name): try remove(user: name)
            }
        }
    }

    // MARK: Games

    private func put(
        _ id: GameID, _ game: PackedGame, common: Int, before: Int
    ) throws(SQLiteStatus) {
        let chunks = game.moves.count / ChunkRow.size
        for place in (common / ChunkRow.size)..<max(chunks, common / ChunkRow.size) {
            let moves = game.moves[(place * ChunkRow.size)...].prefix(ChunkRow.size)
            try put(ChunkRow(game: id.number, place: place, moves: Array(moves)))
        }
        if before / ChunkRow.size > chunks {
            try statement("DELETE FROM moves WHERE game = ?1 AND place >= ?2")
                .run(.integer(id.number), .integer(chunks))
        }
        try put(
            GameRow(
                id: id.number, teams: game.teams, elapsed: Int(game.elapsed), chunks: chunks,
                latest: Array(game.moves[(chunks * ChunkRow.size)...])))
    }

    private func delete(_ id: GameID) throws(SQLiteStatus) {
        try statement("DELETE FROM moves WHERE game = ?1").run(.integer(id.number))
        try statement("DELETE FROM games WHERE id = ?1").run(.integer(id.number))
    }

    func put(_ row: LibraryRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO library (only_one, next_game, seal) VALUES (1, ?1, ?2)")
            .run(.integer(row.nextGame), .integer(row.seal))
    }

    private func put(_ row: GameRow) throws(SQLiteStatus) {
        try statement(
            """
            REPLACE INTO games (id, teams, elapsed, chunks, latest, seal)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        ).run(
            .integer(row.id), .text(row.teams), .integer(row.elapsed), .integer(row.chunks),
            .blob(row.latest), .integer(row.seal))
    }

    private func put(_ row: ChunkRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO moves (game, place, moves, seal) VALUES (?1, ?2, ?3, ?4)")
            .run(
                .integer(row.game), .integer(row.place), .blob(row.moves), .integer(row.seal))
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

    // MARK: Users

    private func put(_ row: UserRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO users (name, hash, seal) VALUES (?1, ?2, ?3)")
            .run(.text(row.name), .text(row.hash), .integer(row.seal))
    }

    private func remove(user name: String) throws(SQLiteStatus) {
        try statement("DELETE FROM users WHERE name = ?1").run(.text(name))
    }
}
