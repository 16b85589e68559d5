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
    private var changed: Set<Address> = []
    private var covered: [Set<Address>] = []

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
            changed.insert(game.address)
        case .deleted(let game):
            changed.insert(game.address)
            store.forget(keysBelow: game.address)
        }
    }

    private func noted(_ change: BooksChange) {
        hasChanged = true
        switch change {
        case .created(let book, _), .changed(let book, _), .withdrawn(let book),
            .restored(let book, _):
            changed.insert(book.address)
        case .deleted(let book):
            changed.insert(book.address)
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
        let unsettled = [changed] + covered.suffix(store.commitsUnderWay)
        return !unsettled.joined().contains { $0 == address || address.isBelow($0) }
    }

    func commit() {
        covered = covered.suffix(store.commitsUnderWay) + [changed]
        changed = []
        store.commit()
    }

    func rollBack() {
        store.rollBack()
        changed = []
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
