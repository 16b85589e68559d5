import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// Games are moved in memory while nobody needs them.
@Suite struct `Games that are put side by side` {
    private let folder: Folder
    private let keeper: Keeper

    init() throws {
        folder = try Folder()
        keeper = try Keeper(folder)
        for _ in 1...100 {
            let id = try keeper.games.newGame()
            try keeper.keep()
            for _ in 0..<id.number { keeper.games.play(.foul, in: id) }
        }
        try keeper.keep()
    }

    private func games() -> [Game?] { keeper.games.summaries.map { keeper.games.game($0.id) } }

    @Test func `are what they were`() throws {
        let before = games()
        for _ in 1...2 {
            keeper.games.compact()
            #expect(games() == before)
        }
        #expect(keeper.games.summaries.map(\.id.number) == (1...100).reversed())
        keeper.store.close()
        #expect(try Keeper(folder).games.summaries.count == 100)
    }

    @Test func `keep what is not on disk, and can still take it back`() throws {
        let ids = try [1, 2, 3].map { try #require(GameID($0)) }
        let before = games()
        keeper.games.play(.foul, in: ids[0])
        keeper.games.delete(ids[1])
        keeper.store.commit()
        keeper.games.play(.foul, in: ids[2])
        let new = try keeper.games.newGame()
        let changed = games()
        keeper.games.compact()
        #expect(games() == changed)
        try keeper.outcome().get()
        keeper.games.compact()
        #expect(games() == changed)
        keeper.store.rollBack()
        #expect(keeper.games.game(new) == nil)
        #expect(keeper.games.game(ids[1]) == nil)
        #expect(keeper.games.game(ids[2])?.moves.count == 3)
        #expect(games().count == before.count - 1)
    }
}
