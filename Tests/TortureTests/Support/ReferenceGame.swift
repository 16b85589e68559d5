import BusdGamesEvents

/// The expected state of a game, for one writer that takes one step after the other.
struct ReferenceGame {
    enum Step {
        case move(player: Int, MoveKind)
        case undo
        case togglePause

        /// The part of the address below the game, and the event.
        var event: (below: String, name: String) {
            switch self {
            case .move(let player, let kind): ("/\(Player.all[player])", kind.event)
            case .undo: ("", "undo")
            case .togglePause: ("", "togglePause")
            }
        }
    }

    private var moves: [(player: Int, kind: MoveKind)] = []
    private(set) var isPaused = true

    /// The state that the bus must show, without the time.
    var shown: Library.Game {
        var game = Library.Game()
        for move in moves { game.counts[move.player][move.kind.rawValue] += 1 }
        game.score = game.scoreOfPlayers
        game.isPaused = isPaused
        game.isFinished = isFinished
        game.canUndo = !moves.isEmpty
        return game
    }

    private var isFinished: Bool {
        var points = [0, 0]
        for move in moves {
            let worth = [MoveKind.onePoint: 1, .twoPoint: 2][move.kind] ?? 0
            points[move.player / 3] += worth
        }
        return (points.max() ?? 0) >= 15 && abs(points[0] - points[1]) >= 2
    }

    /// Returns whether the addressed view model emits an event: a player emits its count, the
    /// scoreboard everything else.
    @discardableResult
    mutating func take(_ step: Step) -> Bool {
        let before = shown
        switch step {
        case .move(let player, let kind):
            if isFinished { return false }
            moves.append((player, kind))
            if isFinished { isPaused = true }
            return true
        case .togglePause:
            if isFinished { return false }
            isPaused.toggle()
        case .undo:
            if moves.isEmpty { return false }
            moves.removeLast()
            // The scoreboard shows what undo would take back next.
            return true
        }
        var after = shown
        after.counts = before.counts
        return after != before
    }

    mutating func daemonRestarted() { isPaused = true }
}
