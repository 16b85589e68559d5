import BusdViewModels
import Glibc

extension Connection {
    func write(_ writes: [Write<PackedGame>], next: GameID?) throws(SQLiteStatus) {
        if let next { try put(next: NextIDRow(next: next.number)) }
        for write in writes {
            switch write {
            case .put(let id, let game, let before): try put(id, game, before)
            case .delete(let id): try delete(id)
            }
        }
    }

    /// Older moves stay where they are, so that a move is one small write.
    private func put(
        _ id: GameID, _ game: PackedGame, _ before: PackedGame?
    ) throws(SQLiteStatus) {
        let chunks = game.older.count / ChunkRow.size
        let old = before?.older ?? []
        // As a rule they are the same piece of memory, which is seen at once.
        if game.older != old { try put(id, chunks, of: game.older, old) }
        // Of a new game there are none, but where a damaged one had its number.
        if before == nil || old.count > game.older.count {
            try statement("DELETE FROM moves WHERE game = ?1 AND place >= ?2")
                .run(.integer(id.number), .integer(chunks))
        }
        let elapsed = Int(game.elapsed)  // fits: both have 64 bits
        try put(
            GameRow(
                id: id.number, teams: game.teams, elapsed: elapsed, chunks: chunks,
                latest: Array(game.latest)))
    }

    private func put(
        _ id: GameID, _ chunks: Int, of moves: [UInt8], _ old: [UInt8]
    ) throws(SQLiteStatus) {
        for place in moves.sameChunks(as: old)..<chunks {
            let chunk = moves.chunk(place)
            if !chunk.hasSameBytes(as: old.chunk(place)) {
                try put(ChunkRow(game: id.number, place: place, moves: Array(chunk)))
            }
        }
    }

    private func delete(_ id: GameID) throws(SQLiteStatus) {
        try statement("DELETE FROM moves WHERE game = ?1").run(.integer(id.number))
        try statement("DELETE FROM games WHERE id = ?1").run(.integer(id.number))
    }

    private func put(next row: NextIDRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO library (only_one, next_game, seal) VALUES (1, ?1, ?2)")
            .run(.integer(row.next), .integer(row.seal))
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
}

extension [UInt8] {
    /// The moves of a chunk; none behind the end.
    fileprivate func chunk(_ place: Int) -> ArraySlice<UInt8> {
        dropFirst(place * ChunkRow.size).prefix(ChunkRow.size)
    }

    /// So many chunks at the beginning are the same, and fewer than sixteen more, as so many are
    /// compared at once: a long game has thousands.
    fileprivate func sameChunks(as other: Self) -> Int {
        let step = 16 * ChunkRow.size
        var end = 0
        while end + step <= Swift.min(count, other.count),
            self[end..<end + step].hasSameBytes(as: other[end..<end + step])
        {
            end += step
        }
        return end / ChunkRow.size
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSameBytes(as other: Self) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { others in
                guard own.count == others.count, let start = own.baseAddress,
                    let otherStart = others.baseAddress
                else { return own.count == others.count }
                return memcmp(start, otherStart, own.count) == 0
            }
        }
    }
}
