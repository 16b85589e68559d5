import Protocol
import ViewModels

/// Reads a store. A row that makes no sense is left out and listed.
///
/// A file whose structure is damaged is read with `isDamaged`: game by game, so that a page that can't be
/// read costs the games on it and no others.
struct Loader {
    let connection: Connection
    let isDamaged: Bool
    private(set) var loaded = Loaded()
    private var highestID = 0

    init(_ connection: Connection, isDamaged: Bool = false) {
        self.connection = connection
        self.isDamaged = isDamaged
    }

    mutating func load() throws(SQLiteStatus) -> Loaded {
        let next = try nextID()
        if isDamaged {
            loadGames(upTo: next)
        } else {
            try loadGames()
        }
        try orDrop("the keys of earlier sends") { loader throws(SQLiteStatus) in
            try loader.loadKeys()
        }
        loaded.nextID = max(next ?? .first, GameID(highestID)?.next ?? .first)
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

    // MARK: The library

    /// `nil` where it is not known.
    private mutating func nextID() throws(SQLiteStatus) -> GameID? {
        var found: GameID?
        var isThere = false
        try orDrop("the number of the next game") { loader throws(SQLiteStatus) in
            let statement = try loader.connection.once("SELECT next_game, seal FROM library")
            try statement.forEach { row throws(SQLiteStatus) in
                isThere = true
                guard let next = row.integer(0).flatMap({ Int(exactly: $0) }),
                    LibraryRow(nextGame: next).seal == row.integer(1)
                else { return false }
                found = GameID(next)
                return false
            }
        }
        if isThere, found == nil {
            loaded.findings.append("the number of the next game makes no sense")
        }
        return found
    }

    // MARK: Games

    private static let columns = "SELECT id, teams, elapsed, chunks, latest, seal FROM games"

    private mutating func loadGames() throws(SQLiteStatus) {
        let statement = try connection.once("\(Self.columns) ORDER BY id")
        try statement.forEach { row throws(SQLiteStatus) in
            try take(row)
            return true
        }
    }

    /// Asks for every id that there can be.
    private mutating func loadGames(upTo next: GameID?) {
        let last = max((next?.number ?? 1) - 1, highestReadableID)
        guard last > 0, let statement = try? connection.once("\(Self.columns) WHERE id = ?1") else {
            return
        }
        var unreadable: [Int] = []
        for id in 1...last {
            do {
                try statement.forEach(.integer(id)) { row throws(SQLiteStatus) in
                    try take(row)
                    return false
                }
            } catch {
                unreadable.append(id)
            }
        }
        listUnreadable(unreadable)
        highestID = max(highestID, last)
    }

    private var highestReadableID: Int {
        let asked = ["SELECT max(id) FROM games", "SELECT max(game) FROM moves"]
        return asked.compactMap { try? connection.integer($0) }.max() ?? 0
    }

    private mutating func listUnreadable(_ ids: [Int]) {
        guard !ids.isEmpty else { return }
        let most = 20
        let list = ids.prefix(most).map(String.init).joined(separator: ", ")
        let rest = ids.count > most ? " and \(ids.count - most) more" : ""
        loaded.findings.append("can't be read, if there were such games: \(list)\(rest)")
    }

    private mutating func take(_ row: Statement) throws(SQLiteStatus) {
        guard let number = row.integer(0).flatMap({ Int(exactly: $0) }) else { return }
        highestID = max(highestID, number)
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

    // MARK: Keys

    private mutating func loadKeys() throws(SQLiteStatus) {
        let statement = try connection.once(
            "SELECT address, number, key, first, last, seal FROM keys ORDER BY address, number")
        var broken = 0
        try statement.forEach { row throws(SQLiteStatus) in
            if !take(key: row) { broken += 1 }
            return true
        }
        if broken > 0 {
            loaded.findings.append("\(broken) keys of earlier sends are left out: a broken seal")
        }
    }

    private mutating func take(key row: Statement) -> Bool {
        guard let text = row.text(0), let address = Address(text),
            let number = row.integer(1).flatMap({ Int(exactly: $0) }), let key = row.text(2)
        else { return false }
        let first = row.integer(3).flatMap { Int(exactly: $0) }
        let last = row.integer(4).flatMap { Int(exactly: $0) }
        let read = KeyRow(address: text, number: number, key: key, first: first, last: last)
        guard read.seal == row.integer(5) else { return false }
        // They come in order, unless the file is damaged.
        if let last = loaded.keys.last?.address, address < last { return false }
        if loaded.keys.last?.address != address { loaded.keys.append(KeyWindow(of: address)) }
        loaded.keys[loaded.keys.count - 1].remember(key, read.answer)
        return true
    }
}

extension KeyRow {
    /// `nil` where the `send` caused nothing.
    fileprivate var answer: ClosedRange<Int>? {
        guard let first, let last, 1 <= first, first <= last else { return nil }
        return first...last
    }
}
