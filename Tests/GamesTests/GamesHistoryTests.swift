import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdGames

/// Games are created and deleted: the edits lead to the same list as a new snapshot.
@Suite struct GamesHistoryTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `Edits of games lead to the same list as a snapshot`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = GamesFixture()
        let list = try world.list()
        let client = ListClient(of: list)
        for _ in 1...200 {
            let id = try #require(GameID(Int.random(in: 1...40, using: &random)))
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1:
                list.handle(
                    .createGame(home: try hawks(), away: try jets()), settling: world.libraries)
            case 2:
                list.handle(.deleteGame(game: id.text), settling: world.libraries)
                if Bool.random(using: &random) {
                    world.time.advance(by: .seconds(600))
                    world.libraries.settle()
                }
            case 3: world.apply(.togglePause, to: id)
            case 4: world.apply(.takeBack(seen: nil), to: id)
            case 5: list.handle(.restoreGame(game: id.text), settling: world.libraries)
            default:
                let move = Move(.twoPoint, by: .home1)
                world.apply(.move(move), to: id)
            }
            #expect(list.output.current == [.games(games: client.rows)])
            #expect(client.rows.map(\.id) == world.ids.map(\.text))
            let summaries = world.ids.compactMap { world.games.summary(of: $0) }
            #expect(client.rows.map(\.score) == summaries.map(\.score.text))
            #expect(client.rows.map(\.status) == summaries.map(\.status))
            #expect(client.rows.map(\.isDeleted) == summaries.map { $0.deleted != nil })
            #expect(world.addresses.kinds.count == 8 * client.rows.count { !$0.isDeleted })
        }
    }
}
