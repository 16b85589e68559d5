import Protocol
import ViewModels

extension ThingTable<PackedBook> {
    static var books: Self {
        Self(
            noun: "book", nameColumn: 2,
            rows: "SELECT id, rank, name, cards, known, asked, seal FROM books",
            next: "SELECT next_book, seal FROM shelf"
        ) { loader, id, row throws(Unusable) in try loader.book(id, row) }
    }
}

extension Loader {
    fileprivate mutating func book(_ id: Int, _ row: Statement) throws(Unusable) -> PackedBook {
        let read = try bookRow(id, row)
        let (cards, holes) = try cards(of: read)
        do throws(PackedBook.Nonsense) {
            let book = try PackedBook(
                name: read.name, rank: read.rank, cards: cards, holes: holes, known: read.known,
                asked: read.asked)
            if !holes.isEmpty {
                let list = Self.list(holes.map { $0 + 1 })
                note("book \(id), \(read.name), lacks cards, damaged or missing: \(list)")
            }
            return book
        } catch {
            throw .damaged(error.reason)
        }
    }

    private func bookRow(_ id: Int, _ row: Statement) throws(Unusable) -> BookRow {
        guard let rank = row.number(1), let name = row.text(2), let cards = row.number(3),
            let known = row.blob(4)
        else { throw .damaged("it has values of another kind") }
        let read = BookRow(
            id: id, rank: rank, name: name, cards: cards, known: known, asked: row.number(5))
        guard read.seal == row.integer(6) else { throw .damaged("its seal is broken") }
        guard 0...(8 * known.count) ~= cards else { throw .damaged("it has \(cards) cards") }
        return read
    }

    /// The cards that are whole, and the places of the others.
    private func cards(of book: BookRow) throws(Unusable) -> (PackedCards, holes: [Int]) {
        var cards = PackedCards()
        var holes: [Int] = []
        var place = 0
        try forEachCard(of: book) { card in
            guard place..<book.cards ~= card.place else { return }
            holes += place..<card.place
            place = card.place + 1
            cards.append(Card(front: card.front, back: card.back))
        }
        return (cards, holes + (place..<book.cards))
    }

    private func forEachCard(
        of book: BookRow, _ body: (CardRow) -> Void
    ) throws(Unusable) {
        let columns = "SELECT place, front, back, seal FROM cards WHERE book = ?1"
        do throws(SQLiteStatus) {
            guard isDamaged else {
                let all = try connection.statement("\(columns) ORDER BY place")
                return try all.forEach(.integer(book.id)) { row throws(SQLiteStatus) in
                    card(of: book, row).map(body)
                    return true
                }
            }
            let one = try connection.statement("\(columns) AND place = ?2")
            for place in 0..<book.cards {
                // One that can't be read is a hole.
                try? one.forEach(.integer(book.id), .integer(place)) { row throws(SQLiteStatus) in
                    card(of: book, row).map(body)
                    return false
                }
            }
        } catch {
            throw .unreadable(error)
        }
    }

    private func card(of book: BookRow, _ row: Statement) -> CardRow? {
        guard let place = row.number(0), let front = row.text(1), let back = row.text(2) else {
            return nil
        }
        let card = CardRow(book: book.id, place: place, front: front, back: back)
        return card.seal == row.integer(3) ? card : nil
    }
}
