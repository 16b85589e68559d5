package import BusdProtocol
package import BusdViewModels

/// The library of books, as it is on disk and as it has changed since.
package final class StoredBooks: BooksService {
    package let feed = BooksFeed()

    private(set) var ledger: Ledger<PackedBook>
    private var ranking: Ranking
    /// Bytes of each book's cards, and of all together.
    private var bytesOfCards: [BookID: Int] = [:]
    private var cardBytes = 0
    /// What is asked of this book is answered with what it has been.
    private var shown: (id: BookID, book: Book)?

    init(_ books: [(BookID, PackedBook)], nextID: BookID) {
        ledger = Ledger(books, nextID: nextID)
        ranking = Ranking(books.lazy.map { ($0, $1.rank) })
        countCards()
    }

    private func countCards() {
        bytesOfCards = ledger.kept.mapValues(\.cardBytes)
        cardBytes = bytesOfCards.values.reduce(0, +)
    }

    private func count(_ cards: [Card], of id: BookID) {
        bytesOfCards[id, default: 0] += cards.bytes
        cardBytes += cards.bytes
    }

    // MARK: The service

    package var size: BooksSize {
        var size = BooksSize()
        size.books = ledger.count
        size.cardBytes = cardBytes
        return size
    }

    package var summaries: [BookSummary] {
        ranking.ids.compactMap { id in
            ledger.unpacked[id].map { BookSummary($0, id: id) } ?? ledger.kept[id]?.summary(id)
        }
    }

    package func book(_ id: BookID) -> Book? {
        if let shown, shown.id == id { return shown.book }
        return ledger[id]
    }

    package func cardCount(of id: BookID) -> Int? {
        // A deleted book has no bytes any more, but may be on disk still.
        guard bytesOfCards[id] != nil else { return nil }
        return ledger.unpacked[id]?.cards.count ?? ledger.kept[id]?.cards.count
    }

    package func cardBytes(of id: BookID) -> Int { bytesOfCards[id] ?? 0 }

    /// While `make` runs, the book is as it is on disk. Those who begin to follow it meanwhile are
    /// then told, and they alone, what it has become: with each commit under way, which are counted
    /// from the oldest, and (`nil`) since. Each time they have been told when `then` runs.
    package func asOnDisk(_ id: BookID, _ make: () -> Void, then: (Int?) -> Void) {
        guard let past = ledger.past(of: id) else { return make() }
        shown = (id, past.kept)
        let tell = feed.newcomers(to: id, make)
        for step in past.steps {
            shown = (id, step.thing)
            tell(step.thing)
            then(step.commit)
        }
        shown = nil
    }

    @discardableResult
    package func create(name: Name, cards: [Card]) -> BookID {
        let book = Book(name: name, cards: cards)
        let id = ledger.create(book)
        count(cards, of: id)
        for id in ranking.append(id) { ledger.touch(id) }
        feed.tell(.created(id, book))
        return id
    }

    package func delete(_ id: BookID) {
        guard ledger.delete(id) else { return }
        cardBytes -= bytesOfCards.removeValue(forKey: id) ?? 0
        ranking.remove(id)
        feed.tell(.deleted(id))
    }

    package func move(_ id: BookID, to place: Int) {
        let ranked = ranking.move(id, to: place)
        guard !ranked.isEmpty else { return }
        for id in ranked { ledger.touch(id) }
        feed.tell(.moved(id, to: place))
    }

    package func add(_ cards: [Card], to id: BookID) {
        change(id) { book in
            book.add(cards)
            return !cards.isEmpty
        }
        guard let bytes = bytesOfCards[id] else { return }
        // The next commit copies all its cards.
        ledger.note(work: bytes / 8)
        count(cards, of: id)
    }

    package func answer(isKnown: Bool, in id: BookID) {
        change(id) { $0.answer(isKnown: isKnown) }
    }

    package func ask(_ place: Int, in id: BookID) { change(id) { $0.ask(place) } }

    package func askAll(in id: BookID) { change(id) { $0.askAll() } }

    private func change(_ id: BookID, _ change: (inout Book) -> Bool) {
        guard let book = ledger.change(id, change) else { return }
        feed.tell(.changed(id, book))
    }

    // MARK: Commits

    var hasChanges: Bool { ledger.hasChanges }

    func takeWork() -> Int { ledger.takeWork() }

    func takeOff(with transaction: inout Transaction) {
        (transaction.books, transaction.nextBook) = ledger.takeOff { [ranking] id, before, book in
            var packed = before ?? book.map { PackedBook(name: $0.name) }
            if let book { packed?.become(book) }
            packed?.rank = ranking.rank(of: id)
            return packed
        }
    }

    func land() { ledger.land() }

    func rollBack() {
        let before = ranking.ids
        let returns = ledger.rollBack()
        countCards()
        ranking = Ranking(ledger.kept.lazy.map { ($0, $1.rank) })
        for back in returns { tell(back) }
        if before.filter({ ledger.kept[$0] != nil }) != ranking.ids { feed.tell(.reordered) }
    }

    private func tell(_ back: Ledger<PackedBook>.Return) {
        let book = ledger[back.id]
        switch (back, book) {
        case (.changed(let id), let book?): feed.tell(.changed(id, book))
        case (.restored(let id), let book?): feed.tell(.restored(id, book))
        case (_, _): feed.tell(.withdrawn(back.id))
        }
    }
}
