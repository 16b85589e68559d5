import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The size of a stored library` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func size(games: Int, moves: Int, running: Int = 0) -> GamesSize {
        var size = GamesSize()
        (size.games, size.moves, size.running) = (games, moves, running)
        // Hawks, Ann, Bo, Cy; Jets, Di, Ed, Flo
        size.nameBytes = games * 23
        return size
    }

    private func size(books: Int, cardBytes: Int) -> BooksSize {
        var size = BooksSize()
        (size.books, size.cardBytes) = (books, cardBytes)
        return size
    }

    @Test func `follows games and moves, and a commit that fails takes it back`() throws {
        let keeper = try Keeper(folder)
        let first = try keeper.games.newGame()
        let second = try keeper.games.newGame()
        for _ in 1...3 { keeper.games.play(.foul, in: first) }
        keeper.games.play(.foul, in: second)
        #expect(keeper.games.size == size(games: 2, moves: 4))
        try keeper.keep()
        keeper.store.limit(pages: 1)
        keeper.games.apply(.undo, to: first, at: .start)
        keeper.games.apply(.togglePause, to: first, at: .start)
        keeper.games.delete(second)
        keeper.games.delete(second)
        for _ in 1...300 { _ = try keeper.games.newGame() }
        keeper.games.delete(try keeper.games.newGame())
        #expect(keeper.games.size == size(games: 301, moves: 2, running: 1))
        #expect(try keeper.commit().isSuccess == false)
        keeper.store.rollBack()
        #expect(keeper.games.size == size(games: 2, moves: 4))
    }

    @Test func `follows books and cards, and a commit that fails takes it back`() throws {
        let keeper = try Keeper(folder)
        // `front 1` and `back 1` are 13 bytes, and each card counts 32 more.
        let first = try keeper.books.newBook("a", cards: 2)
        let second = try keeper.books.newBook("b", cards: 1)
        #expect(keeper.books.size == size(books: 2, cardBytes: 3 * 45))
        try keeper.keep()
        keeper.store.limit(pages: 1)
        keeper.books.add(cards(2), to: first)
        let long = Card(front: String(repeating: "x", count: 100_000), back: "")
        keeper.books.add([long], to: first)
        keeper.books.delete(second)
        keeper.books.add(cards(2), to: second)
        #expect(keeper.books.size == size(books: 1, cardBytes: 4 * 45 + 100_032))
        #expect(try keeper.commit().isSuccess == false)
        keeper.store.rollBack()
        #expect(keeper.books.size == size(books: 2, cardBytes: 3 * 45))
    }

    @Test func `is the same after a start`() throws {
        do {
            let keeper = try Keeper(folder)
            let id = try keeper.games.newGame()
            for _ in 1...300 { keeper.games.play(.foul, in: id) }
            try keeper.books.newBook("a", cards: 2)
            try keeper.keep()
        }
        let keeper = try Keeper(folder)
        #expect(keeper.games.size == size(games: 1, moves: 300))
        #expect(keeper.books.size == size(books: 1, cardBytes: 2 * 45))
    }

    @Test func `may be over the limits: such a library is served after a start`() throws {
        do {
            let keeper = try Keeper(folder)
            try keeper.books.newBook("a", cards: Books.mostCards + 1)
            for _ in 0..<Books.mostBooks { try keeper.books.newBook("b", cards: 0) }
            try keeper.keep()
        }
        let books = try Keeper(folder).books
        #expect(books.size.books == Books.mostBooks + 1)
        #expect(books.summaries.count == Books.mostBooks + 1)
        #expect(books.cardCount(of: .first) == Books.mostCards + 1)
        books.answer(isKnown: true, in: .first)
        #expect(books.book(.first)?.current == 1)
        books.move(.first, to: Books.mostBooks)
        #expect(books.summaries.last?.id == .first)
    }
}
