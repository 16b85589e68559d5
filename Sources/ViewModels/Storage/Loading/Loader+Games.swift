import BusdViewModels

extension ThingTable<PackedGame> {
    static var games: Self {
        Self(
            noun: "game", rows: "SELECT id, teams, elapsed, chunks, latest, seal FROM games",
            next: "SELECT only_one, next_game, seal FROM library",
            title: { GameRow.title($0.text(1)) }
        ) { loader, row throws(Unusable) in
            let game = try GameRow(row)
            return try PackedGame(game, olderMoves: try loader.olderMoves(of: game))
        }
    }
}

extension PackedGame {
    /// Of its row, and the moves that are not in it.
    init(_ row: GameRow, olderMoves: [UInt8]) throws(Unusable) {
        guard olderMoves.count.quotientAndRemainder(dividingBy: ChunkRow.size) == (row.chunks, 0)
        else {
            throw .damaged("some of its moves are missing")
        }
        do throws(Nonsense) {
            let elapsed = Int64(row.elapsed)  // fits: both have 64 bits
            try self.init(teams: row.teams, moves: olderMoves + row.latest, elapsed: elapsed)
        } catch {
            throw .damaged(error.reason)
        }
    }
}

extension Loader {
    /// Up to the first that is missing.
    fileprivate func olderMoves(of game: GameRow) throws(Unusable) -> [UInt8] {
        guard game.chunks > 0 else { return [] }
        var moves: [UInt8] = []
        var place = 0
        do throws(SQLiteStatus) {
            let statement = try connection.statement(
                "SELECT game, place, moves, seal FROM moves WHERE game = ?1 ORDER BY place")
            try statement.forEach(.integer(game.id)) { row throws(SQLiteStatus) in
                try checkOwner(row, game.id)
                guard let chunk = ChunkRow(row), chunk.place == place else { return false }
                moves += chunk.moves
                place += 1
                return true
            }
        } catch {
            throw .unreadable(error)
        }
        return moves
    }
}
