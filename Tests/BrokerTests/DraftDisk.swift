import BusdBroker
import BusdProtocol
import BusdViewModels

/// A disk that the test plays, for what is made out of drafts. Of a game or a book it knows no more
/// than its number, and numbers of what could not be kept come again.
final class DraftDisk: Journal, HasGames, HasBooks, HasDrafts {
    private let newGames = NewGames()
    private let newBooks = NewBooks()
    let drafts = DraftSpace()

    init() {
        newGames.numbers.hasChanged = { [weak self] in self?.hasChanged() }
        newBooks.numbers.hasChanged = { [weak self] in self?.hasChanged() }
    }

    var games: any GamesService { newGames }
    var books: any BooksService { newBooks }
    /// Of the last card of the book that was made last.
    var backOfLast: String? { newBooks.backOfLast }

    private var isChanged = false
    private(set) var hasChanges = false

    private func hasChanged() { (isChanged, hasChanges) = (true, true) }

    func takeChanged() -> Bool {
        defer { isChanged = false }
        return isChanged
    }

    func commit() {
        hasChanges = false
        newGames.numbers.commit()
        newBooks.numbers.commit()
    }

    /// The oldest commit.
    func succeed() {
        newGames.numbers.succeed()
        newBooks.numbers.succeed()
    }

    func rollBack() {
        hasChanges = false
        for id in newGames.numbers.rollBack() { newGames.feed.tell(.withdrawn(id)) }
        for id in newBooks.numbers.rollBack() { newBooks.feed.tell(.withdrawn(id)) }
    }

    func asOnDisk(_ address: Address, _ make: () -> Void, then: (Int?) -> Void) { make() }
    func remember(key: String, of address: Address, answer: ClosedRange<Int>?) {}
    func recallKeys(of address: Address) -> Recall { .keys([]) }
}

/// Numbers that are given out, and those that are on disk.
private struct Numbers<Thing> {
    typealias ID = Identifier<Thing>

    var hasChanged = {}
    private var next = ID.first
    private var nextOnDisk = ID.first
    /// The oldest first.
    private var flying: [ID] = []

    mutating func take() -> ID {
        defer { next = next.next }
        hasChanged()
        return next
    }

    mutating func commit() { flying.append(next) }

    mutating func succeed() { nextOnDisk = flying.removeFirst() }

    /// Returns those that were not kept, the newest first.
    mutating func rollBack() -> [ID] {
        defer { (next, flying) = (nextOnDisk, []) }
        return (nextOnDisk.number..<next.number).reversed().compactMap { ID($0) }
    }
}

private final class NewGames: GamesService {
    let feed = GamesFeed()
    let size = GamesSize()
    var numbers = Numbers<Game>()
    let summaries: [GameSummary] = []

    func game(_ id: GameID) -> Game? { nil }
    func create(home: Team, away: Team) -> GameID { numbers.take() }
    func delete(_ id: GameID) {}
    func apply(_ action: GameAction, to id: GameID, at now: Instant) -> Bool { false }
}

private final class NewBooks: BooksService {
    let feed = BooksFeed()
    let size = BooksSize()
    var numbers = Numbers<Book>()
    private(set) var backOfLast: String?
    let summaries: [BookSummary] = []

    func book(_ id: BookID) -> Book? { nil }
    func cardCount(of id: BookID) -> Int? { book(id)?.cards.count }

    func create(name: Name, cards: [Card]) -> BookID {
        backOfLast = cards.last?.back
        return numbers.take()
    }

    func delete(_ id: BookID) {}
    func move(_ id: BookID, to place: Int) {}
    func add(_ cards: [Card], to id: BookID) {}
    func answer(isKnown: Bool, in id: BookID) {}
    func ask(_ place: Int, in id: BookID) {}
    func askAll(in id: BookID) {}
}
