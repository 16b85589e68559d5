import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// A durable view model without a view may be released. A new one then has the same values.
@Suite struct SleepTests {
    private let world = GamesFixture()

    private func values<Model: ViewModel>(of model: Model) -> [Model.ViewModelEvent] {
        model.startOnce()
        return model.output.current
    }

    @Test func `A scoreboard that is made again has the same values`() throws {
        let id = try world.makeGame()
        let model = try world.scoreboard(of: id)
        #expect(model.startOnce())
        model.handle(.togglePause, settling: world.libraries)
        world.time.advance(by: .milliseconds(1_234))
        #expect(!model.canSleep)
        model.handle(.togglePause, settling: world.libraries)
        world.apply(.move(Move(.twoPoint, by: .home1)), to: id)
        #expect(model.canSleep)
        world.time.advance(by: .seconds(60))
        let again = try world.scoreboard(of: id)
        #expect(values(of: again) == values(of: model))
        #expect(values(of: again).contains(.time(text: "00:01.2")))
    }

    @Test func `A player that is made again has the same values`() throws {
        let id = try world.makeGame()
        let model = try world.player("home/1", of: id)
        #expect(model.startOnce())
        model.handle(.foulMove, settling: world.libraries)
        #expect(model.canSleep)
        let again = try world.player("home/1", of: id)
        #expect(values(of: again) == values(of: model))
        #expect(values(of: again).contains(.foulMoveCount(text: "1", count: 1)))
    }

    @Test func `A list cannot sleep, because it adds other view models`() throws {
        #expect(!(try world.list()).canSleep)
    }

    @Test func `A player that is made again follows its game, and counts once`() throws {
        let id = try world.makeGame()
        for _ in 1...2 {
            let view = world.watch(try world.player("home/1", of: id))
            view.forget()
            view.send(.foulMove)
            view.expect(.foulMoveCount(text: "\(view.model.fouls)", count: view.model.fouls))
        }
        let model = try world.player("home/1", of: id)
        #expect(model.startOnce())
        world.apply(.move(Move(.foul, by: .home1)), to: id)
        #expect(model.fouls == 3)
    }
}

extension PlayerViewModel {
    fileprivate var fouls: Int {
        for case .foulMoveCount(_, let count) in output.current { return count }
        return 0
    }
}
