import Testing

@testable import BusdGames

@Suite struct WrittenGamesTests {
    @Test(arguments: WrittenStore.allCases)
    func `The games of a store that busd 0.9.0 wrote are read`(store: WrittenStore) throws {
        try store.expect(Game.self)
    }
}
