import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdGames

/// The order of events over all view models, which write into one transcript.
@Suite struct UpdateOrderTests {
    private let world = GamesFixture()
    private let transcript = Transcript()

    /// Starts the view models of game 1 in reverse: the list, which must be last, starts first.
    private func everything() throws -> [AnyObject] {
        let list = try world.list()
        let board = try world.scoreboard(of: .first)
        let players = try ["away/1", "home/1"].map { try world.player($0, of: .first) }
        transcript.record(list, as: "games")
        transcript.record(board, as: "scoreboard")
        for (player, name) in zip(players, ["away", "home"]) { transcript.record(player, as: name) }
        transcript.lines = []
        return [list, board] + players
    }

    @Test func `A move is sent by the player, then the scoreboard, then the list`() throws {
        try world.makeGame()
        let all = try everything()
        try world.player("home/1", of: .first).handle(.onePointMove, settling: world.libraries)
        #expect(
            transcript.lines == [
                "home onePointMoveCount", "scoreboard score", "scoreboard undoable",
                "games gamesEdited",
            ])
        withExtendedLifetime(all) {}
    }

    @Test func `An undo is sent by the player, then the scoreboard, then the list`() throws {
        try world.makeGame(moves: [Move(.twoPoint, by: .away1)])
        let all = try everything()
        try world.scoreboard(of: .first).handle(.undo(), settling: world.libraries)
        #expect(
            transcript.lines == [
                "away twoPointMoveCount", "scoreboard score", "scoreboard corrected",
                "scoreboard undoable", "scoreboard redoable", "games gamesEdited",
            ])
        withExtendedLifetime(all) {}
    }

    @Test func `The end of a game is sent in the update of the last move`() throws {
        try world.makeGame(moves: moves(to: 14, 13))
        world.apply(.togglePause, to: .first)
        let all = try everything()
        world.time.move(to: .seconds(0.1))
        try world.player("home/1", of: .first).handle(.onePointMove, settling: world.libraries)
        #expect(
            transcript.lines == [
                "home onePointMoveCount", "scoreboard score", "scoreboard time",
                "scoreboard paused", "scoreboard finished", "scoreboard undoable",
                "games gamesEdited",
            ])
        withExtendedLifetime(all) {}
    }
}

private final class Transcript {
    var lines: [String] = []

    func record<Model: ViewModel>(_ model: Model, as name: String) {
        model.output.bind(self) { $0.lines.append("\(name) \($1.name)") }
        model.startOnce()
    }
}
