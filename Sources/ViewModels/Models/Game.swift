public import BusdProtocol

/// A pickup game: who plays, what was done in which order, and for how long.
///
/// A value without a clock of its own. The moves are a stack, so undo takes back the last one, the
/// winning one too: only the last move can have won, as none counts after it.
public struct Game: Equatable, Sendable {
    public let home: Team
    public let away: Team
    public private(set) var moves: [Move] = []
    public private(set) var score = Score()
    public private(set) var stopwatch: Stopwatch
    /// What `moves` holds, counted; by `Move.number`.
    private var counts = Array(repeating: 0, count: Move.possibilities)

    /// A game begins paused and without moves; one that is read from storage brings both. Moves
    /// after the winning one do not count.
    public init(home: Team, away: Team, moves: [Move] = [], elapsed: Duration = .zero) {
        self.home = home
        self.away = away
        stopwatch = Stopwatch(elapsed: elapsed)
        for move in moves where !isFinished { push(move) }
    }

    /// Bytes of the names in it.
    package var nameBytes: Int { home.nameBytes + away.nameBytes }

    /// Does what is asked; returns false, and changes nothing, where the rules do not allow it.
    public mutating func apply(_ action: GameAction, at now: Instant) -> Bool {
        switch action {
        case .play(let move): play(move, at: now)
        case .undo: undo()
        case .pause: isPaused ? false : togglePause(at: now)
        case .resume: isPaused ? togglePause(at: now) : false
        case .togglePause: togglePause(at: now)
        }
    }

    private mutating func play(_ move: Move, at now: Instant) -> Bool {
        guard !isFinished else { return false }
        push(move)
        if isFinished { stopwatch.stop(at: now) }
        return true
    }

    /// A game that is reopened stays paused.
    private mutating func undo() -> Bool {
        guard let move = moves.popLast() else { return false }
        counts[move.number] -= 1
        score[move.player.side] -= move.kind.points
        return true
    }

    private mutating func togglePause(at now: Instant) -> Bool {
        guard !isFinished else { return false }
        if isPaused { stopwatch.start(at: now) } else { stopwatch.stop(at: now) }
        return true
    }

    private mutating func push(_ move: Move) {
        moves.append(move)
        counts[move.number] += 1
        score[move.player.side] += move.kind.points
    }
}

extension Game {
    public var winner: Side? { score.winner }
    public var isFinished: Bool { winner != nil }
    public var isPaused: Bool { !stopwatch.isRunning }
    public var canUndo: Bool { !moves.isEmpty }

    public var status: Games.Status {
        if isFinished { .finished } else if isPaused { .paused } else { .running }
    }

    public func count(of kind: Move.Kind, by player: PlayerID) -> Int {
        counts[Move(kind, by: player).number]
    }

    public func name(of player: PlayerID) -> Name {
        let team = player.side == .home ? home : away
        return team.players[player.index.value]
    }
}

/// What a score keeper can ask of a game.
public enum GameAction: Hashable, Sendable {
    case play(Move)
    /// Takes back the last move, and reopens the game if that move won it.
    case undo
    case pause
    case resume
    case togglePause
}
