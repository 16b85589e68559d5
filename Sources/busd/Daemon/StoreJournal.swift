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

        /// Whether what is at the address is one of them, or a part of one.
        func concerns(_ address: Address) -> Bool {
            game(at: address) != nil || books.contains { $0.address.isOrHas(address) }
        }

        func game(at address: Address) -> GameID? {
            games.first { $0.address.isOrHas(address) }
        }
    }

    init(_ store: Store) {
        self.store = store
        store.games.feed.library.bind(self) { $0.noted($1) }
        store.books.feed.library.bind(self) { $0.noted($1) }
    }

    private func noted(_ change: GamesChange) {
        hasChanged = true
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

    func isSettled(_ address: Address) -> Bool { !unsettled.contains { $0.concerns(address) } }

    private var unsettled: [Changed] { [changed] + covered.suffix(store.commitsUnderWay) }

    /// Of books nobody sleeps whom another changes.
    func asOnDisk(_ address: Address, _ make: () -> Void) -> Bool {
        guard let game = unsettled.lazy.compactMap({ $0.game(at: address) }).first else {
            return false
        }
        let isDone = store.games.asOnDisk(game, make)
        hasChanged = hasChanged || isDone
        return isDone
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

extension Address {
    fileprivate func isOrHas(_ part: Address) -> Bool { part == self || part.isBelow(self) }
}
