public import BusdProtocol

/// A pickup game: the teams, the moves in their order, and the time that was played.
///
/// The moves are a stack: undo removes the last move. The winning move is always the last, because
/// no move counts after it. So undo can reopen a finished game.
public struct Game: Thing {
    public static let kind = "game"

    package let home: Team
    package let away: Team
    package private(set) var moves: [Move] = []
    package private(set) var score = Score()
    package private(set) var stopwatch: Stopwatch
    /// How often each move was made, indexed by `Move.number`.
    private var counts = Array(repeating: 0, count: Move.possibilities)

    /// A game begins paused and without moves.
    public init(_ teams: Teams) { self.init(teams, moves: [], stopwatch: Stopwatch()) }

    /// A stored game. Moves after the winning one do not count.
    package init(_ teams: Teams, moves: [Move], stopwatch: Stopwatch) {
        home = teams.home
        away = teams.away
        self.stopwatch = stopwatch
        for move in moves where !isFinished { push(move) }
    }

    public func hasEffect(_ action: GameAction, at time: Instant) -> Bool {
        switch action {
        case .undo: canUndo
        case .pause: !isPaused && !isFinished
        case .resume: isPaused && !isFinished
        case .play, .togglePause: !isFinished
        case .pauseAsOf: !isPaused
        }
    }

    public mutating func apply(_ action: GameAction, at time: Instant) -> Bool {
        guard hasEffect(action, at: time) else { return false }
        switch action {
        case .play(let move):
            push(move)
            if isFinished { stopwatch.stop(at: time) }
        case .undo: undo()
        case .pause, .resume, .togglePause:
            if isPaused { stopwatch.start(at: time) } else { stopwatch.stop(at: time) }
        case .pauseAsOf(let instant): stopwatch.stop(at: instant)
        }
        return true
    }

    private mutating func push(_ move: Move) {
        moves.append(move)
        counts[move.number] += 1
        score[move.player.side] += move.kind.points
    }

    /// A game that is reopened stays paused.
    private mutating func undo() {
        guard let move = moves.popLast() else { return }
        counts[move.number] -= 1
        score[move.player.side] -= move.kind.points
    }

    // MARK: In a library

    public var summary: GameSummary { GameSummary(self) }

    public static func size(of summary: GameSummary) -> GamesSize {
        GamesSize(
            moves: summary.moves, running: summary.status == .running ? 1 : 0,
            nameBytes: summary.nameBytes)
    }

    public static func measuresTime(_ size: GamesSize) -> Bool { size.running > 0 }

    public static func growth(by action: GameAction) -> GamesSize {
        switch action {
        case .play: GamesSize(moves: 1)
        case .resume, .togglePause: GamesSize(running: 1)
        case .undo, .pause, .pauseAsOf: .zero
        }
    }
}

/// The number of a game, as `games` and `scoreboard` have it.
public typealias GameID = Identifier<Game>

extension Game {
    package var winner: Side? { score.winner }
    package var isFinished: Bool { winner != nil }
    package var isPaused: Bool { !stopwatch.isRunning }
    package var canUndo: Bool { !moves.isEmpty }

    package var status: Games.Status {
        if isFinished { .finished } else if isPaused { .paused } else { .running }
    }

    package func count(of kind: Move.Kind, by player: PlayerID) -> Int {
        counts[Move(kind, by: player).number]
    }

    package func name(of player: PlayerID) -> Name {
        let team = player.side == .home ? home : away
        return team.players[player.index.value]
    }
}

/// Values that follow from the moves are not stored. The moves are one string, with one
/// `Move.letter` per move.
extension Game: Codable {
    private struct Stored: Codable {
        var names: Teams
        var moves: String
        var measured: Int64
        var runningSince: Int64?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        let letters = stored.moves.utf8
        guard letters.count <= Self.mostStoredMoves else {
            throw Self.corrupted("these are too many moves", decoder)
        }
        let moves = try letters.map { letter in
            guard let move = Move(letter: letter) else {
                throw Self.corrupted("this is not a move", decoder)
            }
            return move
        }
        self.init(
            stored.names, moves: moves,
            stopwatch: Stopwatch(
                elapsed: .microseconds(try decoder.checked(microseconds: stored.measured)),
                runningSince: try stored.runningSince.map {
                    Instant(microseconds: try decoder.checked(microseconds: $0))
                }))
    }

    /// A state of another daemon may have any number. A move takes up to 60 bytes while it is read.
    private static let mostStoredMoves = 1 << 20

    private static func corrupted(_ text: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text))
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(
            names: Teams(home: home, away: away),
            moves: String(decoding: moves.map(\.letter), as: UTF8.self),
            measured: stopwatch.measured, runningSince: stopwatch.runningSince?.microseconds
        ).encode(to: encoder)
    }
}

/// How much a library of games holds.
public struct GamesSize: AdditiveArithmetic, Sendable {
    package var moves: Int
    /// Games with a running clock.
    package var running: Int
    /// Bytes of the names of all teams and players.
    package var nameBytes: Int

    public static let zero = GamesSize()

    package init(moves: Int = 0, running: Int = 0, nameBytes: Int = 0) {
        (self.moves, self.running, self.nameBytes) = (moves, running, nameBytes)
    }

    public static func + (a: Self, b: Self) -> Self {
        Self(
            moves: a.moves + b.moves, running: a.running + b.running,
            nameBytes: a.nameBytes + b.nameBytes)
    }

    public static func - (a: Self, b: Self) -> Self {
        Self(
            moves: a.moves - b.moves, running: a.running - b.running,
            nameBytes: a.nameBytes - b.nameBytes)
    }
}
