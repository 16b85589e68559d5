public import BusdProtocol

/// `scoreboard/ID`: a game, for the container view.
public final class ScoreboardViewModel: DurableViewModel {
    public typealias Kind = Scoreboard
    public typealias Services = any HasGames & HasClock

    public static let placement = Placement.added

    public let output = Output<Scoreboard.ViewModelEvent>()
    private let id: GameID
    private let games: Library<Game>
    private let clock: any Clock
    private var stopwatch = Stopwatch()
    /// The shown time; `nil` if none has been shown yet.
    private var shownTenths: Int64?
    /// The shown values that most moves do not change.
    private var phase: Phase?
    /// Fires when the text of `time` changes; `nil` while the game is paused.
    private var tick: ScheduledAction?

    public init?(at address: Address, services: Services) {
        guard let id = GameID(scoreboardAt: address), services.games.contains(id) else {
            return nil
        }
        self.id = id
        games = services.games
        clock = services.clock
    }

    public var subject: Subject { games.subject(id) }

    public func start() {
        guard let game = games[id] else { return }
        games.follow(id).bind(self) { $0.show($1) }
        output.send(teams(game))
        output.send(players())
        show(game)
    }

    public func refusal(of event: Scoreboard.ViewEvent) -> Refusal? {
        switch event {
        case .resume, .togglePause:
            guard let phase, phase.isPaused, phase.winner == nil else { return nil }
            return games.refusal(of: .running)
        case .pause, .undo: return nil
        }
    }

    public func handle(event: Scoreboard.ViewEvent) {
        switch event {
        case .pause: games.propose(.pause, to: id)
        case .resume: games.propose(.resume, to: id)
        case .togglePause: games.propose(.togglePause, to: id)
        case .undo: games.propose(.undo, to: id)
        }
    }

    /// While the game runs, a timer shows its time.
    public var canSleep: Bool { tick == nil }

    deinit { games.unfollow(id) }

    /// - Parameter game: `nil` if the game was deleted.
    private func show(_ game: Game?) {
        guard let game else {
            tick = nil
            return
        }
        output.send(score(game))
        showTime(of: game.stopwatch)
        show(Phase(isPaused: game.isPaused, winner: game.winner, canUndo: game.canUndo))
    }

    private struct Phase: Equatable {
        let isPaused: Bool
        let winner: Side?
        let canUndo: Bool
    }

    private func show(_ newest: Phase) {
        guard newest != phase else { return }
        phase = newest
        output.send(.paused(isPaused: newest.isPaused))
        output.send(.finished(isFinished: newest.winner != nil, winner: newest.winner))
        output.send(.undoable(canUndo: newest.canUndo))
    }

    /// While an action is pending, the shown time stands still: the action may stop the clock.
    private var shownInstant: Instant { games.pendingSince(id) ?? clock.now }

    /// Most moves change neither the shown time nor the timer for the next tenth.
    private func showTime(of newest: Stopwatch) {
        guard newest != stopwatch || newest.tenths(at: shownInstant) != shownTenths else { return }
        stopwatch = newest
        showTime()
    }

    /// Reads the time from the stopwatch, so that a late timer loses no time.
    private func showTime() {
        let tenths = stopwatch.tenths(at: shownInstant)
        if tenths != shownTenths { output.send(.time(text: timeText(tenths: tenths))) }
        shownTenths = tenths
        tick = stopwatch.nextTenth(after: clock.now).map { instant in
            clock.schedule(at: instant) { [weak self] in self?.showTime() }
        }
    }

    private func teams(_ game: Game) -> Scoreboard.ViewModelEvent {
        .teams(home: game.home.name.text, away: game.away.name.text)
    }

    private func players() -> Scoreboard.ViewModelEvent {
        .players(home: playerAddresses(.home), away: playerAddresses(.away))
    }

    private func playerAddresses(_ side: Side) -> [String] {
        PlayerID.team(side).map { $0.address(in: id).text }
    }

    private func score(_ game: Game) -> Scoreboard.ViewModelEvent {
        let score = game.score
        return .score(home: score.home, away: score.away, text: score.text)
    }
}

/// Minutes, seconds and tenths, `01:10.3`. The minutes can exceed 99.
func timeText(tenths: Int64) -> String {
    let seconds = tenths / 10
    return "\(twoDigits(seconds / 60)):\(twoDigits(seconds % 60)).\(tenths % 10)"
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
