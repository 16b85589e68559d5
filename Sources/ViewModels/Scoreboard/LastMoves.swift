import BusdProtocol

/// What a scoreboard shows of the last moves: which one undo would take back, and which one can be
/// done again.
struct LastMoves {
    private var moves = 0
    private var last: Play?
    private var undone: Play?
    /// `nil`: nothing has been shown.
    private var undoneCount: Int?
    private var teams: Teams?

    /// Sends what has changed.
    mutating func show(_ game: Game, _ output: Output<Scoreboard.ViewModelEvent>) {
        let list = game.list
        let hasSameNames = game.teams == teams
        if let undoneCount, let text = correction(game, undoneCount) {
            output.send(.corrected(text: text))
        }
        if undoneCount == nil || moves != list.plays.count || last != list.plays.last
            || !hasSameNames
        {
            (moves, last) = (list.plays.count, list.plays.last)
            output.send(
                .undoable(canUndo: moves > 0, moves: moves, text: last.map { text(of: $0, game) }))
        }
        if undoneCount == nil || undone != list.undone.last || !hasSameNames {
            undone = list.undone.last
            output.send(
                .redoable(canRedo: undone != nil, text: undone.map { text(of: $0, game) }))
        }
        (undoneCount, teams) = (list.undone.count, game.teams)
    }

    private func correction(_ game: Game, _ undoneCount: Int) -> String? {
        let list = game.list
        if list.undone.count > undoneCount, let play = list.undone.last {
            return "took back \(text(of: play, game))"
        }
        if let undone, let play = list.plays.last, play.id == undone.id {
            return "did \(text(of: play, game)) again"
        }
        return nil
    }

    private func text(of play: Play, _ game: Game) -> String {
        let name = game.teams[play.move.player]?.text ?? ""
        return "\(play.move.kind.words) of \(name)"
    }
}

extension Move.Kind {
    fileprivate var words: String {
        switch self {
        case .onePoint: "1 point"
        case .twoPoints: "2 points"
        case .assist: "an assist"
        case .rebound: "a rebound"
        case .foul: "a foul"
        }
    }
}
