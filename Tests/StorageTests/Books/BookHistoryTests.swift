import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// Random days with books: all that can be done to them, with restarts, commits that fail and
/// others still on their way. Beside it a plain list of books, and one that knows only what the
/// feed tells.
@Suite struct `Any history of books` {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `has after a restart what was committed, and after a failure what was before`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let day = try Day()
        for _ in 1...150 {
            try day.step(using: &random)
            try day.compare()
        }
    }
}

private final class Day {
    private struct Plain: Equatable {
        var books: [(id: BookID, book: Book)] = []
        var nextID = BookID.first

        static func == (one: Plain, other: Plain) -> Bool {
            one.nextID == other.nextID && one.books.map(\.id) == other.books.map(\.id)
                && one.books.map(\.book) == other.books.map(\.book)
        }
    }

    private let folder: Folder
    private var keeper: Keeper
    private var mirror: Mirror
    private var plain = Plain()
    private var committed = Plain()

    init() throws {
        folder = try Folder()
        keeper = try Keeper(folder, durability: .normal)
        mirror = Mirror(keeper.books)
    }

    func step(using random: inout SeededGenerator) throws {
        switch random.number(0..<16) {
        case 0...1: try create(using: &random)
        case 2: if random.once(in: 3) { delete(using: &random) }
        case 3...5: move(using: &random)
        case 6: add(using: &random)
        case 7...9: try commit()
        case 10: if random.once(in: 4) { try restart() }
        case 11: try fail(using: &random)
        default: for _ in 0..<random.number(1..<6) { answer(using: &random) }
        }
    }

    // MARK: Changes

    private func create(using random: inout SeededGenerator) throws {
        let name = try Name("Book \(plain.nextID.text)")
        let cards = cards(random.number(0..<12))
        let id = keeper.books.create(name: name, cards: cards)
        #expect(id == plain.nextID)
        plain.books.append((id, Book(name: name, cards: cards)))
        plain.nextID = id.next
    }

    private func delete(using random: inout SeededGenerator) {
        let id = anyID(using: &random)
        keeper.books.delete(id)
        plain.books.removeAll { $0.id == id }
    }

    private func move(using random: inout SeededGenerator) {
        let (id, place) = (anyID(using: &random), random.number(-1..<plain.books.count + 2))
        keeper.books.move(id, to: place)
        guard let from = index(of: id), plain.books.indices.contains(place) else { return }
        plain.books.insert(plain.books.remove(at: from), at: place)
    }

    private func add(using random: inout SeededGenerator) {
        let (id, more) = (anyID(using: &random), cards(random.number(0..<9), from: 100))
        keeper.books.add(more, to: id)
        if let index = index(of: id) { plain.books[index].book.add(more) }
    }

    private func answer(using random: inout SeededGenerator) {
        let (id, isKnown) = (anyID(using: &random), random.once(in: 2))
        keeper.books.answer(isKnown: isKnown, in: id)
        if let index = index(of: id) { _ = plain.books[index].book.answer(isKnown: isKnown) }
    }

    private func index(of id: BookID) -> Int? { plain.books.firstIndex { $0.id == id } }

    /// Sometimes of a book that was never there.
    private func anyID(using random: inout SeededGenerator) -> BookID {
        if let id = plain.books.randomElement(using: &random)?.id, !random.once(in: 10) {
            return id
        }
        return BookID(random.number(1..<30)) ?? .first
    }

    // MARK: The disk

    private func commit() throws {
        try keeper.keep()
        committed = plain
    }

    private func restart() throws {
        try commit()
        keeper.store.close()
        keeper = try Keeper(folder, durability: .normal)
        #expect(keeper.store.findings == [])
        mirror = Mirror(keeper.books)
    }

    /// Something that does not fit, and changes while it is on its way.
    private func fail(using random: inout SeededGenerator) throws {
        try commit()
        keeper.store.limit(pages: 1)
        for number in 1...300 {
            keeper.store.users.put(String(repeating: "x", count: 100), for: "user \(number)")
        }
        for _ in 0..<random.number(0..<4) { try change(using: &random) }
        keeper.store.commit()
        for _ in 0..<random.number(0..<4) { try change(using: &random) }
        #expect(try keeper.outcome().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        keeper.store.limit(pages: 100_000)
        plain = committed
    }

    private func change(using random: inout SeededGenerator) throws {
        switch random.number(0..<5) {
        case 0: try create(using: &random)
        case 1: delete(using: &random)
        case 2: move(using: &random)
        case 3: add(using: &random)
        default: answer(using: &random)
        }
    }

    // MARK: Comparing

    func compare() throws {
        #expect(keeper.books.summaries == plain.books.map { BookSummary($0.book, id: $0.id) })
        for (id, book) in plain.books { #expect(keeper.books.book(id) == book) }
        #expect(mirror.ids == plain.books.map(\.id))
        #expect(
            mirror.books.mapValues(\.cards.count)
                == keeper.books.summaries.reduce(into: [:]) {
                    $0[$1.id] = $1.progress.cards
                })
        for (id, book) in plain.books { #expect(mirror.books[id] == book) }
    }
}

/// Knows the books by what the feed tells alone, and asks for the order where it is told to.
private final class Mirror {
    private(set) var ids: [BookID]
    private(set) var books: [BookID: Book] = [:]

    init(_ service: StoredBooks) {
        ids = service.summaries.map(\.id)
        for id in ids { books[id] = service.book(id) }
        service.feed.library.bind(self) { [weak service] mirror, change in
            mirror.hear(change, service?.summaries.map(\.id) ?? [])
        }
    }

    private func hear(_ change: BooksChange, _ present: [BookID]) {
        switch change {
        case .created(let id, let book), .restored(let id, let book):
            #expect(books.updateValue(book, forKey: id) == nil)
            ids.append(id)
        case .changed(let id, let book): #expect(books.updateValue(book, forKey: id) != nil)
        case .moved(let id, let place):
            ids.removeAll { $0 == id }
            ids.insert(id, at: place)
        case .deleted(let id), .withdrawn(let id):
            #expect(books.removeValue(forKey: id) != nil)
            ids.removeAll { $0 == id }
        case .reordered:
            #expect(ids.sorted() == present.sorted())
            ids = present
        }
    }
}
