import BusdProtocol
import BusdViewModels

extension Connection {
    func write(_ writes: [Write<PackedBook>], next: BookID?) throws(SQLiteStatus) {
        if let next { try put(next: NextIDRow(next: next.number)) }
        for write in writes {
            switch write {
            case .put(let id, let book, let before): try put(id, book, before)
            case .delete(let id): try delete(id)
            }
        }
    }

    /// Cards that are there stay as they are, so that an answer is one small write.
    private func put(
        _ id: BookID, _ book: PackedBook, _ before: PackedBook?
    ) throws(SQLiteStatus) {
        // There are none, but where a damaged book had this number.
        if before == nil { try deleteCards(of: id) }
        var place = before?.placeCount ?? 0
        for card in book.cards.cards(after: before?.cards ?? PackedCards()) {
            try put(CardRow(book: id.number, place: place, front: card.front, back: card.back))
            place += 1
        }
        try put(
            BookRow(
                id: id.number, rank: book.rank, name: book.name.text, cards: book.placeCount,
                known: book.known, asked: book.asked))
    }

    private func delete(_ id: BookID) throws(SQLiteStatus) {
        try deleteCards(of: id)
        try statement("DELETE FROM books WHERE id = ?1").run(.integer(id.number))
    }

    private func deleteCards(of id: BookID) throws(SQLiteStatus) {
        try statement("DELETE FROM cards WHERE book = ?1").run(.integer(id.number))
    }

    private func put(next row: NextIDRow) throws(SQLiteStatus) {
        try statement("REPLACE INTO shelf (only_one, next_book, seal) VALUES (1, ?1, ?2)")
            .run(.integer(row.next), .integer(row.seal))
    }

    private func put(_ row: BookRow) throws(SQLiteStatus) {
        try statement(
            """
            REPLACE INTO books (id, rank, name, cards, known, asked, seal)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).run(
            .integer(row.id), .integer(row.rank), .text(row.name), .integer(row.cards),
            .blob(row.known), row.asked.map { .integer($0) } ?? .null, .integer(row.seal))
    }

    private func put(_ row: CardRow) throws(SQLiteStatus) {
        try statement(
            "REPLACE INTO cards (book, place, front, back, seal) VALUES (?1, ?2, ?3, ?4, ?5)"
        ).run(
            .integer(row.book), .integer(row.place), .text(row.front), .text(row.back),
            .integer(row.seal))
    }
}
