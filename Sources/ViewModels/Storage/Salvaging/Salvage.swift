import BusdProtocol
import BusdViewModels

/// What a damaged store still has: each row on any page of which the seal is whole. And what it has
/// no more, as far as that can be told.
struct Salvage {
    private let rows: ScannedRows
    private let reserved: ReservedIDs?
    private let log: LogFile
    /// As far as SQLite can open the file.
    private let connection: Connection?
    private(set) var loaded = Loaded()

    /// Reads the store in this file, `alone` without its log; nothing of it is changed.
    init(_ database: String, reserved: ReservedIDs?, alone: Bool = false) {
        log = alone ? .none : LogFile(of: database)
        var scan = PageScan(Pages(of: database, log))
        var rows = ScannedRows()
        scan.forEachRow { rows.take($0, on: $1) }
        self.rows = rows
        self.reserved = reserved
        connection = try? Connection(path: database, alone: alone)
        // Else SQLite reads nothing of a file that is shorter than it says.
        try? connection?.execute("PRAGMA writable_schema = ON")
        takeGames()
        takeBooks()
        takeUsers()
        takeKeys()
    }

    // MARK: Games and books

    private mutating func takeGames() {
        var found = Found<PackedGame>("game")
        for id in rows.games.keys.sorted() {
            let row = rows.games[id]
            take(id, row, title: GameRow.title(row?.teams), &found) { row throws(Unusable) in
                try PackedGame(row, olderMoves: olderMoves(of: row))
            }
        }
        let next = nextID("library", reserved: reserved?.games)
        leaveOut(rows.brokenGames, parts: rows.moves.keys, rows.games.keys, next, &found)
        let count = rows.games.keys.count + rows.brokenGames.count
        (loaded.games, loaded.nextGame) = found.settle(
            next, isWhole: isWhole("games", count: count))
        loaded.findings += found.findings
    }

    private func olderMoves(of game: GameRow) -> [UInt8] {
        var moves: [UInt8] = []
        for place in 0..<game.chunks {
            guard let chunk = rows.moves[PartKey(thing: game.id, place: place)] else { break }
            moves += chunk.moves
        }
        return moves
    }

    private mutating func takeBooks() {
        var found = Found<PackedBook>("book")
        for id in rows.books.keys.sorted() {
            let row = rows.books[id]
            take(id, row, title: BookRow.title(row?.name), &found) { row throws(Unusable) in
                try PackedBook(row, cards(of: row))
            }
        }
        for (id, book) in found.things {
            if let finding = book.holesFound(in: id.number) { found.note(finding) }
        }
        let next = nextID("shelf", reserved: reserved?.books)
        leaveOut(rows.brokenBooks, parts: rows.cards.keys, rows.books.keys, next, &found)
        let count = rows.books.keys.count + rows.brokenBooks.count
        (loaded.books, loaded.nextBook) = found.settle(
            next, isWhole: isWhole("books", count: count))
        loaded.findings += found.findings
    }

    private func cards(of book: BookRow) -> FoundCards {
        var found = FoundCards()
        for place in 0..<book.cards {
            if let card = rows.cards[PartKey(thing: book.id, place: place)] { found.take(card) }
        }
        found.skip(to: book.cards)
        return found
    }

    private func take<Kept, Row>(
        _ number: Int, _ row: Row?, title: @autoclosure () -> String, _ found: inout Found<Kept>,
        _ read: (Row) throws(Unusable) -> Kept
    ) {
        try? found.take(number, title: title()) { () throws(Unusable) in
            guard let row else { throw .damaged("there are two that differ") }
            return try read(row)
        }
    }

    /// Those of which the seal is broken, and those of which there are only parts.
    private func leaveOut<Kept>(
        _ broken: [ScannedRows.Broken], parts: some Sequence<PartKey>,
        _ found: some Sequence<Int>, _ next: KnownNext, _ all: inout Found<Kept>
    ) {
        var named = Set(found)
        // A number that can't have been given out is damaged itself, and names nothing.
        for row in broken where next.mayHaveGivenOut(row.number) {
            guard named.insert(row.number).inserted else { continue }
            try? all.take(row.number, title: row.title) { () throws(Unusable) in throw row.why }
        }
        for number in Set(parts.map(\.thing)).subtracting(named).sorted() {
            try? all.take(number, title: "") { () throws(Unusable) in
                throw .damaged("there are only parts of it")
            }
        }
    }

    // MARK: Users and keys

    private mutating func takeUsers() {
        for name in rows.users.keys { loaded.users[name] = rows.users[name]?.hash }
        for name in rows.users.keys where rows.users[name] == nil {
            note("a user\(UserRow.title(name.text)) is left out: there are two that differ")
        }
        let count = rows.users.keys.count + rows.brokenUsers.count
        loaded.noteUsers(broken: rows.brokenUsers, isWhole: isWhole("users", count: count))
    }

    private mutating func takeKeys() {
        let keys = rows.keys.keys.sorted { ($0.address, $0.number) < ($1.address, $1.number) }
        for key in keys {
            guard let row = rows.keys[key], let address = Address(row.address) else { continue }
            loaded.keys.append(.remember(row.remembered, of: address))
        }
        if rows.brokenKeys > 0 { note(KeyRow.leftOut(rows.brokenKeys)) }
        if !isWhole("keys", "recent_keys", count: keys.count + rows.brokenKeys) {
            note("keys of earlier sends may be lost")
        }
    }

    private mutating func note(_ finding: String) { loaded.findings.append(finding) }

    // MARK: What is not there

    /// Whether SQLite finds tables in order, and in them so many rows as there are on all pages:
    /// what is not in them was not lost. What was in a broken log nobody knows.
    private func isWhole(_ tables: String..., count: Int) -> Bool {
        var sum = 0
        for table in tables where !rows.lacks(table) {
            guard log.brokenFrame == nil, let connection,
                let problems = try? connection.texts("PRAGMA quick_check(\(table))"),
                let rows = try? connection.integer("SELECT count(*) FROM \(table)"),
                problems == ["ok"]
            else { return false }
            sum += rows
        }
        return sum == count
    }

    /// Where it is not known which page is the table's, the next id is behind all that are written
    /// anywhere, if there are both; and where nothing else tells, behind the one that there is.
    private func nextID(_ table: String, reserved: Int?) -> KnownNext {
        let all = rows.next
        var next = KnownNext(reserved: reserved ?? 1)
        if let root = rows.root(of: table) {
            next.written = all[root]
        } else if rows.lacks(table), next.reserved == 1 {
            next.written = 1
        } else {
            next.isOwn = false
            next.written = all.count > 1 ? all.values.max() : nil
            next.least = reserved == nil ? all.values.max() ?? 1 : 1
        }
        // What was in a broken log may have been higher.
        if log.brokenFrame != nil {
            next.least = max(next.least, next.written ?? 1)
            next.written = nil
        }
        return next
    }
}

extension KnownNext {
    fileprivate func mayHaveGivenOut(_ number: Int) -> Bool {
        1..<(written ?? (reserved > 1 ? reserved : 1 << 31)) ~= number
    }
}
