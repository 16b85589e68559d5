import BusdProtocol
import BusdViewModels
import Testing

/// What a screen sees that shows everything: all view models write into one transcript.
@Suite struct `A move is told` {
    private let world = World()
    private let transcript = Transcript()

    /// Starts the view models of game 1, in the worst order: those that are to speak last first.
    private func everything() throws -> [AnyObject] {
        let list = try world.list()
        let board = try world.scoreboard(of: .first)
        let players = try ["away/1", "home/1"].map { try world.player($0, of: .first) }
        transcript.hear(list, as: "games")
        transcript.hear(board, as: "scoreboard")
        for (player, name) in zip(players, ["away", "home"]) { transcript.hear(player, as: name) }
        transcript.lines = []
        return [list, board] + players
    }

    @Test func `by the player, then the scoreboard, then the list`() throws {
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

    @Test func `in this order also when it is taken back`() throws {
        try world.makeGame(moves: [Move(.twoPoints, by: .away1)])
        let all = try everything()
        try world.scoreboard(of: .first).handle(.undo, settling: world.libraries)
        #expect(
            transcript.lines == [
                "away twoPointMoveCount", "scoreboard score", "scoreboard undoable",
                "games gamesEdited",
            ])
        withExtendedLifetime(all) {}
    }

    @Test func `with the end of the game in the same update`() throws {
        try world.makeGame(moves: moves(to: 14, 13))
        world.apply(.togglePause, to: .first)
        let all = try everything()
        world.time.move(to: .seconds(0.1))
        try world.player("home/1", of: .first).handle(.onePointMove, settling: world.libraries)
        #expect(
            transcript.lines == [
                "home onePointMoveCount", "scoreboard score", "scoreboard time",
                "scoreboard paused", "scoreboard finished", "games gamesEdited",
            ])
        withExtendedLifetime(all) {}
    }
}

private final class Transcript {
    var lines: [String] = []

    func hear<Model: ViewModel>(_ model: Model, as name: String) {
        model.output.bind(self) { $0.lines.append("\(name) \($1.name)") }
        model.startOnce()
    }
}
