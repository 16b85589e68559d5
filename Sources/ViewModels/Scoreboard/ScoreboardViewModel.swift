public import BusdProtocol

/// `scoreboard/ID`: a game, as the container view shows it.
public final class ScoreboardViewModel: DurableViewModel {
    public typealias Kind = Scoreboard
    public typealias Services = any HasGames & HasClock

    public static let placement = Placement.added

    public let output = Output<Scoreboard.ViewModelEvent>()
    private let id: GameID
    private let games: Library<Game>
    private let clock: any Clock
    private var stopwatch = Stopwatch()
    /// The time that is shown; `nil` before there is any.
    private var shownTenths: Int64?
    /// What else is shown but the score, which most moves leave as it is.
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

    /// The time of a game that runs goes on.
    public var canSleep: Bool { tick == nil }

    deinit { games.unfollow(id) }

    /// Shows the game as it stands; `nil` once it has been deleted.
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

    /// While an action is pending the time stands still: the action may stop it.
    private var shownInstant: Instant { games.pendingSince(id) ?? clock.now }

    /// Most moves leave the time as it is, and the timer for the next tenth too.
    private func showTime(of newest: Stopwatch) {
        guard newest != stopwatch || newest.tenths(at: shownInstant) != shownTenths else { return }
        stopwatch = newest
        showTime()
    }

    /// Reads the time off the stopwatch, however late the timer was, so no time is ever lost.
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

/// Minutes, seconds and tenths, `01:10.3`. The minutes go on past 99.
func timeText(tenths: Int64) -> String {
    let seconds = tenths / 10
    return "\(twoDigits(seconds / 60)):\(twoDigits(seconds % 60)).\(tenths % 10)"
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
