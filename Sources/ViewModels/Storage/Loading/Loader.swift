import Protocol
import ViewModels

/// Reads a store. A row that makes no sense is left out and listed.
///
/// A file whose structure is damaged is read with `isDamaged`: game by game, so that a page that
/// can't be read costs the games on it and no others.
struct Loader {
    let connection: Connection
    let isDamaged: Bool
    var loaded = Loaded()

    init(_ connection: Connection, isDamaged: Bool = false) {
        self.connection = connection
        self.isDamaged = isDamaged
    }

    mutating func load() throws(SQLiteStatus) -> Loaded {
        let next = try nextID()
        try orDrop("its games") { loader throws(SQLiteStatus) in
            if loader.isDamaged {
                try loader.probeGames(before: next)
            } else {
                try loader.loadGames("ORDER BY id")
            }
        }
        try orDrop("the keys of earlier sends") { loader throws(SQLiteStatus) in
            try loader.loadKeys()
        }
        try orDrop("its users") { loader throws(SQLiteStatus) in try loader.loadUsers() }
        if next == nil, !loaded.games.isEmpty {
            loaded.findings.append("the number of the next game is not known: it is guessed")
        }
        let highest = loaded.games.map(\.0).max()
        loaded.nextID = max(next ?? .first, highest?.next ?? .first)
        return loaded
    }

    /// What can't be read of a damaged file is left out; else the error is the caller's.
    private mutating func orDrop(
        _ what: String, _ body: (inout Self) throws(SQLiteStatus) -> Void
    ) throws(SQLiteStatus) {
        do {
            try body(&self)
        } catch {
            guard isDamaged else { throw error }
            loaded.findings.append("\(what) can't be read: \(error)")
        }
    }

    /// `nil` where it is not known.
    private mutating func nextID() throws(SQLiteStatus) -> GameID? {
        var next: GameID?
        try orDrop("the number of the next game") { loader throws(SQLiteStatus) in
            let statement = try loader.connection.once("SELECT next_game, seal FROM library")
            try statement.forEach { row throws(SQLiteStatus) in
                guard let number = row.integer(0).flatMap({ Int(exactly: $0) }),
                    LibraryRow(nextGame: number).seal == row.integer(1)
                else { return true }
                next = GameID(number)
                return false
            }
        }
        return next
    }

    // MARK: Games

    private static let columns = "SELECT id, teams, elapsed, chunks, latest, seal FROM games"

    private mutating func loadGames(
        _ clause: String, except known: Set<GameID> = []
    ) throws(SQLiteStatus) {
        try connection.once("\(Self.columns) \(clause)").forEach { row throws(SQLiteStatus) in
            if let id = row.integer(0).flatMap({ GameID(Int($0)) }), known.contains(id) {
                return false
            }
            try take(row)
            return true
        }
    }

    /// Asks for every id that there can be; where that is not known, reads from both ends.
    private mutating func probeGames(before next: GameID?) throws(SQLiteStatus) {
        guard let next else {
            try orDrop("some games from the old end") { loader throws(SQLiteStatus) in
                try loader.loadGames("ORDER BY id")
            }
            let known = Set(loaded.games.map(\.0))
            try loadGames("ORDER BY id DESC", except: known)
            return
        }
        let statement = try connection.once("\(Self.columns) WHERE id = ?1")
        var unreadable: [Int] = []
        for id in 1..<next.number {
            do {
                try statement.forEach(.integer(id)) { row throws(SQLiteStatus) in
                    try take(row)
                    return false
                }
            } catch {
                unreadable.append(id)
            }
        }
        list(unreadable: unreadable)
    }

    private mutating func list(unreadable ids: [Int]) {
        guard !ids.isEmpty else { return }
        let most = 20
        let list = ids.prefix(most).map(String.init).joined(separator: ", ")
        let rest = ids.count > most ? " and \(ids.count - most) more" : ""
        loaded.findings.append("can't be read, if there were such games: \(list)\(rest)")
    }

    private mutating func take(_ row: Statement) throws(SQLiteStatus) {
        guard let number = row.integer(0).flatMap({ Int(exactly: $0) }) else { return }
        do throws(Unusable) {
            let game = try game(number, row)
            guard let id = GameID(number) else { throw .damaged("its number is not one") }
            loaded.games.append((id, game))
        } catch {
            switch error {
            case .damaged(let why): loaded.findings.append("game \(number) is left out: \(why)")
            case .unreadable(let status): throw status
            }
        }
    }

    private func game(_ id: Int, _ row: Statement) throws(Unusable) -> PackedGame {
        guard let teams = row.text(1), let elapsed = row.integer(2).flatMap({ Int(exactly: $0) }),
            let chunks = row.integer(3).flatMap({ Int(exactly: $0) }), let latest = row.blob(4)
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
                guard row.integer(0) == Int64(place), chunk.seal == row.integer(2) else {
                    return false
                }
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

    private enum Unusable: Error {
        case damaged(String)
        case unreadable(SQLiteStatus)
    }
}
