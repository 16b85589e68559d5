import BusdBroker
import BusdProtocol
import BusdStorage
import BusdViewModels

/// The store, as the bus sees it.
final class StoreJournal: Journal {
    private let store: Store
    private var hasChanged = false

    init(_ store: Store) {
        self.store = store
        store.games.feed.library.bind(self) { $0.noted($1) }
        store.books.feed.library.bind(self) { $0.noted($1) }
    }

    private func noted(_ change: GamesChange) {
        noteChange()
        if case .deleted(let game) = change { store.forget(keysBelow: game.address) }
    }

    private func noted(_ change: BooksChange) {
        noteChange()
        if case .deleted(let book) = change { store.forget(keysBelow: book.address) }
    }

    private func noteChange() {
        hasChanged = true
        store.announceCommit()
    }

    func takeChanged() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    var hasChanges: Bool { store.hasChanges }

    func asOnDisk(_ address: Address, _ make: () -> Void, then: (Int?) -> Void) {
        if let game = GameID(ofPart: address) {
            store.games.asOnDisk(game, make, then: then)
        } else if let book = BookID(ofPart: address) {
            store.books.asOnDisk(book, make, then: then)
        } else {
            make()
        }
    }

    func takeWork() -> Int { store.takeWork() }

    func commit() { store.commit() }
    func rollBack() { store.rollBack() }

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
