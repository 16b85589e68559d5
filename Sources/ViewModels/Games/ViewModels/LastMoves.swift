import BusdGamesEvents
import BusdProtocol

/// What a scoreboard shows of the last moves: which one undo would take back, and which one can be
/// done again.
struct LastMoves {
    private var moves = 0
    private var last: Play?
    private var undone: Play?
    /// `nil`: nothing has been shown.
    private var undoneCount: Int?

    /// Sends what has changed.
    ///
    /// - Parameter areRenamed: whether a team or a player has another name than before.
    mutating func show(
        _ game: Game, areRenamed: Bool, _ output: Output<Scoreboard.ViewModelEvent>
    ) {
        if let undoneCount, let text = correction(game, undoneCount) {
            output.send(.corrected(text: text))
        }
        let isFirst = undoneCount == nil
        let (count, newest) = (game.list.plays.count, game.list.plays.last)
        if isFirst || areRenamed || moves != count || last != newest {
            (moves, last) = (count, newest)
            output.send(
                .undoable(canUndo: count > 0, moves: count, text: newest.map { text(of: $0, game) })
            )
        }
        let newestUndone = game.list.undone.last
        if isFirst || areRenamed || undone != newestUndone {
            undone = newestUndone
            output.send(
                .redoable(
                    canRedo: newestUndone != nil, text: newestUndone.map { text(of: $0, game) }))
        }
        undoneCount = game.list.undone.count
    }

    private func correction(_ game: Game, _ undoneCount: Int) -> String? {
        if game.list.undone.count > undoneCount, let play = game.list.undone.last {
            return "took back " + text(of: play, game)
        }
        if let undone, let play = game.list.plays.last, play.id == undone.id {
            return "did " + text(of: play, game) + " again"
        }
        return nil
    }

    private func text(of play: Play, _ game: Game) -> String {
        play.move.kind.phrase + " of " + (game.teams[play.move.player]?.text ?? "")
    }
}
