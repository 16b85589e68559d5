import BusdGamesEvents
public import BusdProtocol

/// A pickup game: the teams, the moves in their order, and the time that was played.
///
/// Undo removes the last move. The winning move is always the last, because no move counts after
/// it, and no correction lets an earlier one win. So undo can reopen a finished game.
public struct Game: Thing {
    public static let kind = "game"

    private(set) var teams: Teams
    let rules: GameRules
    let created: UTCTime
    private(set) var list = PlayList()
    private(set) var stopwatch = Stopwatch()
    /// How often the clock was set.
    private(set) var settings = 0
    /// When a stop of the daemon stopped the clock; `nil`: it was changed since.
    private(set) var halted: UTCTime?
    /// When the game was marked as deleted.
    private(set) var deleted: Instant?

    /// A game begins paused and without moves.
    public init(_ seed: GameSeed) {
        (teams, rules, created) = (seed.teams, seed.rules, seed.created)
    }

    // MARK: Actions

    public func hasEffect(_ action: GameAction, at time: Instant) -> Bool {
        obstacle(to: action, at: time) == nil
    }

    public mutating func apply(_ action: GameAction, at time: Instant) -> Bool {
        guard obstacle(to: action, at: time) == nil else { return false }
        switch action {
        case .move(let move):
            list.push(move, at: stopwatch.microseconds(at: time))
            stopIfFinished(at: time)
        // A game that is reopened stays paused.
        case .takeBack: list.takeBack()
        case .redo:
            list.redo()
            stopIfFinished(at: time)
        case .takeOut(let id, _):
            if let place = list.place(of: id) { list.remove(at: place) }
            stopIfFinished(at: time)
        case .change(let id, _, let move):
            if let place = list.place(of: id) { list.replace(at: place, with: move) }
            stopIfFinished(at: time)
        case .rename(let renaming):
            list.forgetUndone()
            teams.rename(renaming)
        case .pause, .resume, .togglePause:
            if isPaused { start(at: time) } else { stopwatch.stop(at: time) }
        case .setClock(let microseconds, let starts, _):
            set(to: microseconds, at: time)
            if starts, isPaused { start(at: time) }
        case .moveClock(let difference, _):
            // fits: both are bounded, see `GameAction.shifts`
            set(to: stopwatch.microseconds(at: time) + difference, at: time)
        case .halt(let instant, let moment):
            stopwatch.stop(at: instant)
            halted = moment
        case .delete:
            if !isPaused { stopwatch.stop(at: time) }
            deleted = time
        case .restore: deleted = nil
        }
        return true
    }

    private mutating func stopIfFinished(at time: Instant) {
        if isFinished, !isPaused { stopwatch.stop(at: time) }
    }

    private mutating func start(at time: Instant) {
        stopwatch.start(at: time)
        halted = nil
    }

    private mutating func set(to microseconds: Int64, at time: Instant) {
        list.forgetUndone()
        stopwatch.set(to: microseconds, at: time)
        settings += 1  // fits: one for each entry of a log
        halted = nil
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
        case .move: GamesSize(moves: 1)
        case .resume, .togglePause, .setClock(_, true, _): GamesSize(running: 1)
        case .rename(let renaming): GamesSize(nameBytes: renaming.name.text.utf8.count)
        case .pause, .takeBack, .redo, .takeOut, .change, .setClock, .moveClock, .halt, .delete,
            .restore:
            .zero
        }
    }

    public static func expiry(of summary: GameSummary) -> Instant? {
        summary.deleted.map { $0 + Deletion.span }
    }
}

/// The number of a game, as `games` and `scoreboard` have it.
public typealias GameID = Identifier<Game>

extension Game {
    var home: Team { teams.home }
    var away: Team { teams.away }
    var score: Score { list.score }
    var winner: Side? { score.winner(by: rules) }
    var isFinished: Bool { winner != nil }
    var isPaused: Bool { !stopwatch.isRunning }
    var canUndo: Bool { !list.plays.isEmpty }

    var status: Games.Status {
        if isFinished { .finished } else if isPaused { .paused } else { .running }
    }
}

// MARK: In a state

extension Game: Codable {
    private struct Stored: Codable {
        var seed: GameSeed
        var plays: StoredPlays
        var undone: StoredPlays?
        var next: Int
        var measured: Int64
        var runningSince: Int64?
        var settings: Int?
        var halted: UTCTime?
        var deleted: Int64?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init(stored.seed)
        guard let plays = stored.plays.plays(),
            let undone = (stored.undone ?? StoredPlays([])).plays(),
            let list = PlayList(plays: plays, undone: undone, next: stored.next),
            list.winningPlace(by: rules).map({ $0 == plays.count - 1 }) ?? true,
            0...LogEntry.numbers.upperBound ~= stored.settings ?? 0
        else { throw decoder.corrupted("these are not the moves of a game") }
        self.list = list
        stopwatch = try Stopwatch(stored.measured, stored.runningSince, decoder)
        settings = stored.settings ?? 0
        halted = stored.halted
        deleted = try stored.deleted.map {
            Instant(microseconds: try decoder.checked(microseconds: $0))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(
            seed: GameSeed(teams, rules: rules, created: created), plays: StoredPlays(list.plays),
            undone: list.undone.isEmpty ? nil : StoredPlays(list.undone), next: list.next,
            measured: stopwatch.measured, runningSince: stopwatch.runningSince?.microseconds,
            settings: settings == 0 ? nil : settings, halted: halted,
            deleted: deleted?.microseconds
        ).encode(to: encoder)
    }
}

extension Stopwatch {
    fileprivate init(_ measured: Int64, _ runningSince: Int64?, _ decoder: any Decoder) throws {
        self.init(
            elapsed: .microseconds(try decoder.checked(microseconds: measured)),
            runningSince: try runningSince.map {
                Instant(microseconds: try decoder.checked(microseconds: $0))
            })
    }
}
