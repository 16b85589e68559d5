public import Protocol

/// A pickup game: who plays, what was done in which order, and for how long.
///
/// A value without a clock of its own. The moves are a stack, so undo takes back the last one, the
/// winning one too: only the last move can have won, as none counts after it.
public struct Game: Equatable, Sendable {
    public let home: Team
    public let away: Team
    public private(set) var moves: [Move] = []
    public private(set) var stopwatch: Stopwatch
    private var counts: [Move: Int] = [:]

    /// A game begins paused, and without moves; one that is read from storage brings both.
    public init(home: Team, away: Team, moves: [Move] = [], elapsed: Duration = .zero) {
        self.home = home
        self.away = away
        stopwatch = Stopwatch(elapsed: elapsed)
        for move in moves where !isFinished { push(move) }
    }

    /// Does what is asked; returns false, and changes nothing, where the rules do not allow it.
    public mutating func apply(_ action: GameAction, at now: Instant) -> Bool {
        switch action {
        case .play(let move): play(move, at: now)
        case .undo: undo()
        case .togglePause: togglePause(at: now)
        }
    }

    private mutating func play(_ move: Move, at now: Instant) -> Bool {
        guard !isFinished else { return false }
        push(move)
        if isFinished { stopwatch.stop(at: now) }
        return true
    }

    private mutating func undo() -> Bool {
        guard let move = moves.popLast() else { return false }
        counts[move, default: 0] -= 1
        return true
    }

    private mutating func togglePause(at now: Instant) -> Bool {
        guard !isFinished else { return false }
        if isPaused { stopwatch.start(at: now) } else { stopwatch.stop(at: now) }
        return true
    }

    private mutating func push(_ move: Move) {
        moves.append(move)
        counts[move, default: 0] += 1
    }
}

/// What a score keeper can ask of a game.
public enum GameAction: Hashable, Sendable {
    case play(Move)
    /// Takes back the last move, and reopens the game if that move won it.
    case undo
    case togglePause
}

extension Game {
    public func team(_ side: Side) -> Team { side == .home ? home : away }

    public func name(of player: PlayerID) -> Name { team(player.side).players[player.index.value] }

    public func count(of kind: Move.Kind, by player: PlayerID) -> Int {
        counts[Move(kind, by: player)] ?? 0
    }

    public var score: Score { Score(home: points(of: .home), away: points(of: .away)) }
    public var winner: Side? { score.winner }
    public var isFinished: Bool { winner != nil }
    public var isPaused: Bool { !stopwatch.isRunning }
    public var canUndo: Bool { !moves.isEmpty }

    private func points(of side: Side) -> Int {
        PlayerID.team(side).reduce(0) { sum, player in
            Move.Kind.allCases.reduce(sum) { $0 + $1.points * count(of: $1, by: player) }
        }
    }
}
