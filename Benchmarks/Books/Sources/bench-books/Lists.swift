import BusdProtocol
import BusdViewModels

/// The edits between two lists, and one change in a long list.
func measureLists() {
    var dice = Dice()
    let rows = rows(4000)
    let shuffled = rows.shuffled(using: &dice)
    measure("edits, 4,000 shuffled rows") { _ = rows.edits(to: shuffled) }
    measure("edits, 4,000 rows turned round") { _ = rows.edits(to: rows.reversed()) }

    let long = bench_books.rows(100_000)
    var updated = long
    updated[50_000].progress = "44%"
    measure("edits, 100,000 rows, one updated") { _ = long.edits(to: updated) }
    var moved = long
    moved.insert(moved.remove(at: 90_000), at: 10)
    measure("edits, 100,000 rows, one moved far") { _ = long.edits(to: moved) }
    var deleted = long
    deleted.remove(at: 50_000)
    measure("edits, 100,000 rows, one deleted") { _ = long.edits(to: deleted) }
    let mixed = long.shuffled(using: &dice)
    measure("edits, 100,000 shuffled rows", rounds: 5) { _ = long.edits(to: mixed) }
}

private func rows(_ count: Int) -> [Books.Row] {
    (1...count).map {
        Books.Row(id: "\($0)", name: "Book number \($0)", cardCount: "120", progress: "43%")
    }
}

/// The services of the list's view model, without a bus.
private final class Library: HasBooks, HasDirectory, Directory {
    let shelf = InMemoryBooks()

    var books: any BooksService { shelf }
    var directory: any Directory { self }

    func add(_ kind: any ViewModelKind.Type, at address: Address) {}
    func remove(_ address: Address) {}
}

/// The time that the list's view model takes for one change among 100,000 books.
func measureLibrary() throws {
    let library = Library()
    let name = try Name("Kanji")
    let cards = (1...200).map { Card(front: "front \($0)", back: "back \($0)") }
    let ids = (1...100_000).map { _ in library.shelf.create(name: name, cards: cards) }
    let list = BooksViewModel(at: .literal("books"), services: library)
    list.startOnce()
    measure("100,000 books, one answer in the first") {
        library.shelf.answer(isKnown: true, in: ids[0])
    }
    measure("100,000 books, one answer in the last") {
        library.shelf.answer(isKnown: true, in: ids[99_999])
    }
    var place = 0
    measure("100,000 books, the last moved to the front") {
        library.shelf.move(ids[99_999 - place], to: place)
        place += 1
    }
    measure("100,000 books, one more") { library.shelf.create(name: name, cards: []) }
    measure("100,000 books, one deleted") {
        library.shelf.delete(ids[50_000 + place])
        place += 1
    }
}
