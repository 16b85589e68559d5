import BusdProtocol
import BusdViewModels

/// Books on a disk that the test plays. It tells what could not be kept as a store does: what
/// changed last comes first, and then the order.
final class UnreliableBooks: BooksService {
    private struct State {
        var order: [BookID] = []
        var books: [BookID: Book] = [:]
        var nextID = BookID.first
    }

    let feed = BooksFeed()
    let size = BooksSize()
    private var present = State()
    private var kept = State()
    private var touched: Set<BookID> = []

    /// All that has changed is on disk.
    func keep() {
        kept = present
        touched = []
    }

    /// Nothing of what has changed is on disk.
    func rollBack() {
        let (failed, changed) = (present, touched)
        present = kept
        touched = []
        for id in changed.sorted(by: >) {
            switch (kept.books[id], failed.books[id]) {
            case (let book?, nil): feed.tell(.restored(id, book))
            case (let book?, _): feed.tell(.changed(id, book))
            case (nil, _?): feed.tell(.withdrawn(id))
            case (nil, nil): break
            }
        }
        feed.tell(.reordered)
    }

    // MARK: The service

    var summaries: [BookSummary] {
        present.order.compactMap { id in present.books[id].map { BookSummary($0, id: id) } }
    }

    func book(_ id: BookID) -> Book? { present.books[id] }
    func cardCount(of id: BookID) -> Int? { present.books[id]?.cards.count }

    @discardableResult
    func create(name: Name, cards: [Card]) -> BookID {
        let id = present.nextID
        present.nextID = id.next
        present.order.append(id)
        change(id) { $0 = Book(name: name, cards: cards) }
        if let book = book(id) { feed.tell(.created(id, book)) }
        return id
    }

    func delete(_ id: BookID) {
        guard book(id) != nil else { return }
        present.order.removeAll { $0 == id }
        change(id) { $0 = nil }
        feed.tell(.deleted(id))
    }

    func move(_ id: BookID, to place: Int) {
        guard present.order.indices.contains(place),
            let from = present.order.firstIndex(of: id), from != place
        else { return }
        present.order.insert(present.order.remove(at: from), at: place)
        feed.tell(.moved(id, to: place))
    }

    func add(_ cards: [Card], to id: BookID) {
        guard !cards.isEmpty, book(id) != nil else { return }
        change(id) { $0?.add(cards) }
        if let book = book(id) { feed.tell(.changed(id, book)) }
    }

    func answer(isKnown: Bool, in id: BookID) { change(id) { $0.answer(isKnown: isKnown) } }
    func ask(_ place: Int, in id: BookID) { change(id) { $0.ask(place) } }
    func askAll(in id: BookID) { change(id) { $0.askAll() } }

    private func change(_ id: BookID, _ body: (inout Book) -> Bool) {
        guard var book = book(id), body(&book) else { return }
        change(id) { $0 = book }
        feed.tell(.changed(id, book))
    }

    private func change(_ id: BookID, _ body: (inout Book?) -> Void) {
        touched.insert(id)
        body(&present.books[id])
    }
}
