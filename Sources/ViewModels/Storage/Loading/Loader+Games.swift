import ViewModels

extension ThingTable<PackedGame> {
    static var games: Self {
        Self(
            noun: "game", rows: "SELECT id, teams, elapsed, chunks, latest, seal FROM games",
            next: "SELECT next_game, seal FROM library"
        ) { loader, id, row throws(Unusable) in try loader.game(id, row) }
    }
}

extension Loader {
    fileprivate func game(_ id: Int, _ row: Statement) throws(Unusable) -> PackedGame {
        guard let teams = row.text(1), let elapsed = row.number(2), let chunks = row.number(3),
            let latest = row.blob(4)
        else { throw .damaged("it has values of another kind") }
        guard chunks >= 0 else { throw .damaged("it has \(chunks) chunks of moves") }
        let read = GameRow(
            id: id, teams: teams, elapsed: elapsed, chunks: chunks, latest: latest)
        guard read.seal == row.integer(5) else { throw .damaged("its seal is broken") }
        let older = try olderMoves(of: id, chunks: chunks)
        do throws(PackedGame.Nonsense) {
            return try PackedGame(teams: teams, moves: older + latest, elapsed: Int64(elapsed))
        } catch {
            throw .damaged(error.reason)
        }
    }

    private func olderMoves(of game: Int, chunks: Int) throws(Unusable) -> [UInt8] {
        guard chunks > 0 else { return [] }
        var moves: [UInt8] = []
        var place = 0
        do throws(SQLiteStatus) {
            let statement = try connection.statement(
                "SELECT place, moves, seal FROM moves WHERE game = ?1 ORDER BY place")
            try statement.forEach(.integer(game)) { row throws(SQLiteStatus) in
                guard let bytes = row.blob(1) else { return false }
                let chunk = ChunkRow(game: game, place: place, moves: bytes)
                guard row.number(0) == place, chunk.seal == row.integer(2) else { return false }
                moves += bytes
                place += 1
                return true
            }
        } catch {
            throw .unreadable(error)
        }
        guard place == chunks else { throw .damaged("some of its moves are missing") }
        return moves
    }
}
