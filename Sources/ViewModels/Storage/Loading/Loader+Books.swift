import BusdProtocol
import BusdViewModels

extension ThingTable<PackedBook> {
    static var books: Self {
        Self(
            noun: "book", rows: "SELECT id, rank, name, cards, known, asked, seal FROM books",
            next: "SELECT only_one, next_book, seal FROM shelf",
            title: { BookRow.title($0.text(2)) }
        ) { loader, row throws(Unusable) in
            let book = try BookRow(row)
            let read = try PackedBook(book, try loader.cards(of: book))
            if let finding = read.holesFound(in: book.id) { loader.note(finding) }
            return read
        }
    }
}

/// The cards of a book that are whole, and the places of the others.
struct FoundCards {
    private(set) var cards = PackedCards()
    private(set) var holes: [Int] = []
    private var next = 0

    /// In the order of their places.
    mutating func take(_ card: CardRow) {
        guard card.place >= next else { return }
        skip(to: card.place)
        next = card.place + 1
        cards.append(Card(front: card.front, back: card.back))
    }

    /// Up to there are no more.
    mutating func skip(to place: Int) {
        holes += next..<max(next, place)
        next = max(next, place)
    }
}

extension PackedBook {
    /// Of its row and its cards.
    init(_ row: BookRow, _ found: FoundCards) throws(Unusable) {
        do throws(Nonsense) {
            try self.init(
                name: row.name, rank: row.rank, cards: found.cards, holes: found.holes,
                known: row.known, asked: row.asked)
        } catch {
            throw .damaged(error.reason)
        }
    }

    /// What is to be said of cards that are missing.
    func holesFound(in number: Int) -> String? {
        guard !holes.isEmpty else { return nil }
        let list = NumberList(holes.map { $0 + 1 })
        return "book \(number), \(name.text), lacks cards, damaged or missing: \(list)"
    }
}

extension Loader {
    fileprivate func cards(of book: BookRow) throws(Unusable) -> FoundCards {
        var found = FoundCards()
        do throws(SQLiteStatus) {
            let statement = try connection.statement(
                "SELECT book, place, front, back, seal FROM cards WHERE book = ?1 ORDER BY place")
            try statement.forEach(.integer(book.id)) { row throws(SQLiteStatus) in
                try checkOwner(row, book.id)
                if let card = CardRow(row), card.place < book.cards { found.take(card) }
                return true
            }
        } catch {
            throw .unreadable(error)
        }
        found.skip(to: book.cards)
        return found
    }
}
