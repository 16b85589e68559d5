import BusdProtocol

/// All rows of a damaged database, by what makes each the only one.
struct ScannedRows {
    var games = OnlyOnes<Int, GameRow>()
    var moves = OnlyOnes<PartKey, ChunkRow>()
    var books = OnlyOnes<Int, BookRow>()
    var cards = OnlyOnes<PartKey, CardRow>()
    var users = OnlyOnes<ExactText, UserRow>()
    var keys = OnlyOnes<NumberedKey, KeyRow>()
    /// The next ids, by their page. Those of games and of books look the same.
    private(set) var next: [Int: Int] = [:]
    private var roots: [ExactText: Int] = [:]

    /// Why a game or a book is none, and what can be read of its name.
    struct Broken {
        let number: Int
        let title: String
        let why: Unusable
    }

    private(set) var brokenGames: [Broken] = []
    private(set) var brokenBooks: [Broken] = []
    /// What can be read of their names.
    private(set) var brokenUsers: [String] = []
    private(set) var brokenKeys = 0

    /// The first page of a table; `nil` where that is not known.
    func root(of table: String) -> Int? {
        guard let root = roots[ExactText(table)],
            roots.values.count(where: { $0 == root }) == 1
        else { return nil }
        return root
    }

    /// Whether the database has never had a table: it is of an older version.
    func lacks(_ table: String) -> Bool {
        roots["library"] != nil && roots[ExactText(table)] == nil
    }

    /// There are no two tables with so many columns that both have row ids, or both have none; but
    /// for those of the next ids, and for books and recent keys: those have an address where books
    /// have a rank.
    mutating func take(_ row: Record, on page: Int) {
        switch (row.rowID != nil, row.count) {
        case (true, 3): next[page] = NextIDRow(row)?.next
        case (true, 5): takeTable(row)
        case (true, 6): takeGame(row)
        case (true, 7) where row.text(1) != nil: takeKey(row.dropFirst())
        case (true, 7): takeBook(row)
        case (false, 3): takeUser(row)
        case (false, 4): moves.take(ChunkRow(row)) { PartKey(thing: $0.game, place: $0.place) }
        case (false, 5): cards.take(CardRow(row)) { PartKey(thing: $0.book, place: $0.place) }
        case (false, 6): takeKey(row)
        // A recent one of version 3, which has a place before its other columns.
        case (false, 7): takeKey(row.dropFirst())
        case (_, _): break
        }
    }

    /// `sqlite_schema`: the type, the name, the table's name, the first page, and how it was made.
    private mutating func takeTable(_ row: Record) {
        guard row.text(0) == "table", let name = row.text(1), let page = row.number(3) else {
            return
        }
        roots[ExactText(name)] = page
    }

    private mutating func takeGame(_ row: Record) {
        do throws(Unusable) {
            games.take(try GameRow(row)) { $0.id }
        } catch {
            brokenGames += Self.broken(row, GameRow.title(row.text(1)), error)
        }
    }

    private mutating func takeBook(_ row: Record) {
        do throws(Unusable) {
            books.take(try BookRow(row)) { $0.id }
        } catch {
            brokenBooks += Self.broken(row, BookRow.title(row.text(2)), error)
        }
    }

    private static func broken(_ row: Record, _ title: String, _ error: Unusable) -> [Broken] {
        row.number(0).map { [Broken(number: $0, title: title, why: error)] } ?? []
    }

    private mutating func takeUser(_ row: Record) {
        if let user = UserRow(row) {
            users.take(user) { ExactText($0.name) }
        } else {
            brokenUsers.append(UserRow.title(row.text(0)))
        }
    }

    private mutating func takeKey(_ row: Record) {
        if let key = KeyRow(row) {
            keys.take(key) { NumberedKey(address: $0.address, number: $0.number) }
        } else {
            brokenKeys += 1
        }
    }
}

/// Of the moves of a game, or the cards of a book.
struct PartKey: Hashable {
    let thing: Int
    let place: Int
}

struct NumberedKey: Hashable {
    let address: String
    let number: Int
}
