public import BusdProtocol

/// Books that last as long as the program.
public final class InMemoryBooks: BooksService {
    public let feed = BooksFeed()
    private var order: [BookID] = []
    private var books: [BookID: Book] = [:]
    private var nextID = BookID.first
    public private(set) var size = BooksSize()

    public init() {}

    public var summaries: [BookSummary] {
        order.compactMap { id in books[id].map { BookSummary($0, id: id) } }
    }

    public func book(_ id: BookID) -> Book? { books[id] }

    public func cardCount(of id: BookID) -> Int? { books[id]?.cards.count }

    @discardableResult
    public func create(name: Name, cards: [Card]) -> BookID {
        let id = nextID
        nextID = id.next
        let book = Book(name: name, cards: cards)
        books[id] = book
        size.books += 1
        size.cardBytes += cards.bytes
        order.append(id)
        feed.tell(.created(id, book))
        return id
    }

    public func delete(_ id: BookID) {
        guard let book = books.removeValue(forKey: id) else { return }
        size.books -= 1
        size.cardBytes -= book.cards.bytes
        order.removeAll { $0 == id }
        feed.tell(.deleted(id))
    }

    public func move(_ id: BookID, to place: Int) {
        guard order.indices.contains(place), let from = order.firstIndex(of: id), from != place
        else { return }
        order.insert(order.remove(at: from), at: place)
        feed.tell(.moved(id, to: place))
    }

    public func add(_ cards: [Card], to id: BookID) {
        guard !cards.isEmpty, books[id] != nil else { return }
        size.cardBytes += cards.bytes
        books[id]?.add(cards)
        tellChange(of: id)
    }

    public func answer(isKnown: Bool, in id: BookID) {
        guard books[id]?.answer(isKnown: isKnown) == true else { return }
        tellChange(of: id)
    }

    public func ask(_ place: Int, in id: BookID) {
        if books[id]?.ask(place) == true { tellChange(of: id) }
    }

    public func askAll(in id: BookID) {
        if books[id]?.askAll() == true { tellChange(of: id) }
    }

    private func tellChange(of id: BookID) {
        if let book = books[id] { feed.tell(.changed(id, book)) }
    }
}
