import Broker
import Protocol
import Storage
import ViewModels

/// The store, as the bus sees it.
final class StoreJournal: Journal {
    private let store: Store
    private var hasChanged = false
    /// The games and the books that have changed since the last commit began, and those that each
    /// commit under way covers, the oldest first.
    private var changed = Changed()
    private var covered: [Changed] = []

    private struct Changed {
        var games: Set<GameID> = []
        var books: Set<BookID> = []

        func contains(_ thing: Thing) -> Bool {
            switch thing {
            case .game(let id): games.contains(id)
            case .book(let id): books.contains(id)
            }
        }
    }

    init(_ store: Store) {
        self.store = store
        store.games.feed.library.bind(self) { $0.noted($1) }
        store.books.feed.library.bind(self) { $0.noted($1) }
    }

    private func noted(_ change: GamesChange) {
        hasChanged = true
        store.announceCommit()
        switch change {
        case .created(let game, _), .changed(let game, _), .withdrawn(let game),
            .restored(let game, _):
            changed.games.insert(game)
        case .deleted(let game):
            changed.games.insert(game)
            store.forget(keysBelow: game.address)
        }
    }

    private func noted(_ change: BooksChange) {
        hasChanged = true
        store.announceCommit()
        switch change {
        case .created(let book, _), .changed(let book, _), .withdrawn(let book),
            .restored(let book, _):
            changed.books.insert(book)
        case .deleted(let book):
            changed.books.insert(book)
            store.forget(keysBelow: book.address)
        case .moved, .reordered: break
        }
    }

    func takeChanged() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    var hasChanges: Bool { store.hasChanges }

    func isSettled(_ address: Address) -> Bool {
        guard let thing = Thing(at: address) else { return true }
        return !changed.contains(thing) && !underWay.contains { $0.contains(thing) }
    }

    private var underWay: ArraySlice<Changed> { covered.suffix(store.commitsUnderWay) }

    /// Of games alone: who wants to see a book that sleeps, and to which cards are added, waits.
    func asOnDisk(_ address: Address, _ make: () -> Void) -> Int? {
        guard case .game(let game) = Thing(at: address), !changed.games.contains(game) else {
            return nil
        }
        let commits = underWay.enumerated().filter { $1.games.contains(game) }
        guard commits.count == 1, store.games.asOnDisk(game, make) else { return nil }
        return commits[0].offset
    }

    func commit() {
        covered = covered.suffix(store.commitsUnderWay) + [changed]
        changed = Changed()
        store.commit()
    }

    func rollBack() {
        store.rollBack()
        changed = Changed()
        covered = []
    }

    func remember(key: String, of address: Address, answer: ClosedRange<Int>?) {
        store.remember(key: key, of: address, answer: answer)
    }

    func recallKeys(of address: Address) -> Recall {
        switch store.recallKeys(of: address) {
        case nil: .underWay
        case .success(let keys): .keys(keys)
        case .failure: .failed
        }
    }
}

/// Of what a view model is made.
private enum Thing {
    case game(GameID)
    case book(BookID)

    init?(at address: Address) {
        if let id = GameID(ofPart: address) {
            self = .game(id)
        } else if let id = BookID(ofPart: address) {
            self = .book(id)
        } else {
            return nil
        }
    }
}
