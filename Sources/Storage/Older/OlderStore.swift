import BusdProtocol
import BusdViewModels

/// Reads a store of version 1 to 4. Its tables are those of version 4, which no other file knows;
/// older versions lack some of them. Damaged rows are left out, and listed in `findings`.
struct OlderStore {
    private(set) var states: [SavedState] = []
    private(set) var findings: [String] = []

    private let connection: Connection
    private let version: Int
    private var keys: [Address: [SendKey]] = [:]

    init(_ connection: Connection) throws(StoreError) {
        self.connection = connection
        version = try connection.integer("PRAGMA user_version") ?? 0
        if let damage = try connection.findDamage() { note(damage) }
        try read { store throws(StoreError) in try store.readKeys("keys") }
        if version >= 3 {
            try read { store throws(StoreError) in try store.readKeys("recent_keys") }
        }
        try read { store throws(StoreError) in try store.readGames() }
        guard version >= 2 else { return }
        try read { store throws(StoreError) in try store.readBooks() }
        try read { store throws(StoreError) in try store.readUsers() }
    }

    /// Calls `body`. If it finds damage, the rest of its rows are left out.
    private mutating func read(
        _ body: (inout OlderStore) throws(StoreError) -> Void
    ) throws(StoreError) {
        do { try body(&self) } catch  where error.isDamage { note(error) }
    }

    private mutating func note(_ damage: StoreError) {
        findings.append("things of an older version may be lost: \(damage)")
    }

    /// The undamaged rows, with their checksums last.
    private mutating func rows(
        _ columns: String, of table: String, _ rest: String, _ values: SQLValue..., null: Int = -1
    ) throws(StoreError) -> [[SQLValue]] {
        var (whole, damaged): ([[SQLValue]], Int) = ([], 0)
        let statement = try connection.statement("SELECT \(columns), seal FROM \(table) \(rest)")
        try statement.forEach(values) { row throws(StoreError) in
            if row.isWhole(null: null) { whole.append(row) } else { damaged += 1 }
            return true
        }
        if damaged > 0 { findings.append("damaged rows of \(table): \(damaged)") }
        return whole
    }

    private mutating func add<T: Thing>(
        _ thing: T, as id: T.ID, at address: Address?, _ library: Library<T>.Type
    ) {
        let keys = address.flatMap { self.keys[$0] } ?? []
        if let state = try? library.saved(thing, as: id, keys: keys) { states.append(state) }
    }

    /// - Parameter next: the id of the next thing, if it is known.
    private mutating func add<T: Thing>(
        _ library: Library<T>.Type, _ order: [T.ID], next: Int?, _ highest: Int, at address: String
    ) {
        let keys = Address(address).flatMap { self.keys[$0] } ?? []
        let next = max(next ?? 1, highest + 1)
        if let state = try? library.saved(order: order, next: next, keys: keys) {
            states.append(state)
        }
    }

    private mutating func readKeys(_ table: String) throws(StoreError) {
        let columns = "address, number, key, first, last"
        for row in try rows(columns, of: table, "ORDER BY number", null: 0) {
            guard let place = row[0].text.flatMap(Address.init), let key = row[2].text else {
                continue
            }
            // A player's keys belong to its game.
            let thing = Address(place.segments.prefix(2).joined(separator: "/")) ?? place
            keys[thing, default: []].append(SendKey(key, at: place))
        }
    }

    /// `nil` if it is not known.
    private mutating func nextID(_ table: String, _ column: String) throws(StoreError) -> Int? {
        try rows(column, of: table, "").first?[0].number.flatMap { $0 < 1 << 53 ? $0 : nil }
    }

    // MARK: Games

    private mutating func readGames() throws(StoreError) {
        var order: [GameID] = []
        let columns = "id, teams, elapsed, chunks, latest"
        for row in try rows(columns, of: "games", "ORDER BY id") {
            guard let id = row[0].rowNumber.flatMap(GameID.init), let game = try game(row) else {
                findings.append("game \(row[0].number ?? 0) is left out: it is damaged")
                continue
            }
            order.append(id)
            add(game, as: id, at: id.address, Library<Game>.self)
        }
        let next = try nextID("library", "next_game")
        add(Library<Game>.self, order, next: next, order.last?.number ?? 0, at: "games")
    }

    private mutating func game(_ row: [SQLValue]) throws(StoreError) -> Game? {
        let names = (row[1].text ?? "").utf8
            .split(separator: .lineFeed, omittingEmptySubsequences: false)
            .compactMap { Name(stored: String(Substring($0))) }
        guard let elapsed = row[2].number, elapsed >= 0, let chunks = row[3].number,
            let latest = row[4].blob, names.count == 8,
            let home = Team(name: names[0], players: Array(names[1...3])),
            let away = Team(name: names[4], players: Array(names[5...7]))
        else { return nil }
        // Each row has 256 moves, and its place, from 0.
        let columns = "game, place, moves"
        let older = try rows(columns, of: "moves", "WHERE game = ?1 ORDER BY place", row[0])
        let areInPlace = older.enumerated().allSatisfy { place, row in row[1].number == place }
        let bytes = older.compactMap { $0[2].blob }.joined() + latest
        let moves = bytes.compactMap(Move.init(olderByte:))
        guard areInPlace, older.count == chunks, moves.count == bytes.count else { return nil }
        return Game(
            Teams(home: home, away: away), moves: moves,
            stopwatch: Stopwatch(elapsed: .microseconds(elapsed)))
    }

    // MARK: Books

    private mutating func readBooks() throws(StoreError) {
        let columns = "id, rank, name, cards, known, asked"
        var order: [BookID] = []
        for row in try rows(columns, of: "books", "ORDER BY rank, id") {
            guard let id = row[0].rowNumber.flatMap(BookID.init), let book = try book(row) else {
                findings.append("book \(row[0].number ?? 0) is left out: it is damaged")
                continue
            }
            order.append(id)
            add(book, as: id, at: id.address, Library<Book>.self)
        }
        let next = try nextID("shelf", "next_book")
        let highest = order.map(\.number).max() ?? 0
        add(Library<Book>.self, order, next: next, highest, at: "books")
    }

    private mutating func book(_ row: [SQLValue]) throws(StoreError) -> Book? {
        guard let name = row[2].text.flatMap(Name.init(stored:)), let count = row[3].number,
            let known = row[4].blob
        else { return nil }
        // If a place is missing, its card was damaged.
        let columns = "book, place, front, back"
        let cards = try rows(columns, of: "cards", "WHERE book = ?1 ORDER BY place", row[0])
            .compactMap { row -> (place: Int, card: Card)? in
                guard let place = row[1].number, place >= 0, let front = row[2].text,
                    let back = row[3].text
                else { return nil }
                return (place, Card(front: front, back: back))
            }
        if cards.count < count {
            findings.append("book \(name.text.printable) lacks \(count - cards.count) cards")
        }
        // One bit per place, lowest bit first.
        let isKnown = cards.map { place, _ in
            place / 8 < known.count && known[place / 8] >> UInt8(place % 8) & 1 == 1  // fits: < 8
        }
        let asked = row[5].number
        return Book(
            name: name, cards: cards.map(\.card), isKnown: isKnown,
            current: asked.flatMap { asked in cards.firstIndex { $0.place >= asked } })
    }

    // MARK: Users

    private mutating func readUsers() throws(StoreError) {
        var order: [ExactText] = []
        for row in try rows("name, hash", of: "users", "ORDER BY name") {
            guard let name = row[0].text, let hash = row[1].text, var user = User.initial,
                user.apply(.setHash(hash), at: .distantPast)
            else { continue }
            order.append(ExactText(name))
            add(user, as: ExactText(name), at: nil, Library<User>.self)
        }
        add(Library<User>.self, order, next: nil, 0, at: "login")
    }
}

extension Move {
    /// Five bits for the player, three for the kind.
    fileprivate init?(olderByte byte: UInt8) {
        let kinds: [Kind] = [.onePoint, .twoPoints, .assist, .rebound, .foul]
        let (player, kind) = (Int(widening: byte >> 3), Int(widening: byte & 7))
        guard (0..<6).contains(player), kinds.indices.contains(kind) else {
            return nil
        }
        self.init(kinds[kind], by: PlayerID.all[player])
    }
}
