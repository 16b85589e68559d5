import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// The work that a store reports, so that a turn of the bus ends.
@Suite struct `The work of a store` {
    private let folder: Folder
    private let keeper: Keeper

    init() throws {
        folder = try Folder()
        keeper = try Keeper(folder)
        _ = keeper.store.takeWork()
    }

    /// Books on disk, with so many cards each.
    private func makeBooks(_ count: Int, cards: Int) throws -> [BookID] {
        let ids = try (0..<count).map { _ in try keeper.books.newBook("a", cards: cards) }
        try keeper.keep()
        return ids
    }

    @Test func `grows by each book that is unpacked, once while it stays unpacked`() throws {
        // A new one stays unpacked while eight others are.
        let ids = try makeBooks(20, cards: 1_000)
        for _ in 0..<2 {
            for id in ids { _ = keeper.books.book(id) }
            #expect(keeper.store.takeWork() > 11 * 1_000 * 16)
        }
        _ = keeper.books.book(ids[19])
        #expect(keeper.store.takeWork() == 0)
    }

    @Test func `grows by what the next commit packs and copies`() throws {
        let id = try makeBooks(1, cards: 1_000)[0]
        _ = keeper.store.takeWork()
        keeper.books.answer(isKnown: true, in: id)
        #expect(keeper.store.takeWork() == 2 * 1_000)
        keeper.books.answer(isKnown: true, in: id)
        #expect(keeper.store.takeWork() == 0)
        keeper.books.add(cards(1), to: id)
        #expect(keeper.store.takeWork() == 48_786 / 8)
    }

    @Test func `grows by each long game that is unpacked`() throws {
        let ids = try (0..<100).map { _ in try keeper.games.newGame() }
        for id in ids { for _ in 0..<300 { keeper.games.play(.foul, in: id) } }
        try keeper.keep()
        _ = keeper.store.takeWork()
        for id in ids { _ = keeper.games.game(id) }
        for id in ids { _ = keeper.games.game(id) }
        #expect(keeper.store.takeWork() >= 100 * 600)
    }
}
