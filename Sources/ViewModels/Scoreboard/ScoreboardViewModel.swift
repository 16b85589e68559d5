public import BusdProtocol

/// `scoreboard/ID`: a game, as the container view shows it.
public final class ScoreboardViewModel: DurableViewModel {
    public typealias Kind = Scoreboard
    public typealias Services = any HasGames & HasClock

    public static let placement = Placement.added

    public let output = Output<Scoreboard.ViewModelEvent>()
    private let id: GameID
    private let games: any GamesService
    private let clock: any Clock
    private var stopwatch = Stopwatch()
    /// The time that is shown; `nil` before there is any.
    private var shownTenths: Int64?
    /// What else is shown but the score, which most moves leave as it is.
    private var phase: Phase?
    /// Fires when the text of `time` changes; `nil` while the game is paused.
    private var tick: ScheduledAction?

    public init?(at address: Address, services: Services) {
        guard let id = GameID(scoreboardAt: address), services.games.game(id) != nil else {
            return nil
        }
        self.id = id
        games = services.games
        clock = services.clock
    }

    public func start() {
        guard let game = games.game(id) else { return }
        games.feed.followers(of: id).scoreboard.bind(self) { $0.show($1) }
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

    public func handle(event: Scoreboard.ViewEvent) { _ = changes(handling: event) }

    /// Undoing a foul changes the count of a player, and nothing that the scoreboard shows.
    public func changes(handling event: Scoreboard.ViewEvent) -> Bool {
        switch event {
        case .pause: games.apply(.pause, to: id, at: clock.now)
        case .resume: games.apply(.resume, to: id, at: clock.now)
        case .togglePause: games.apply(.togglePause, to: id, at: clock.now)
        case .undo: games.apply(.undo, to: id, at: clock.now)
        }
    }

    /// All that is shown is the game's. The time of one that runs goes on.
    package var canSleep: Bool { tick == nil }

    /// The time has gone on, and what was said of it has not been heard: it is said anew.
    package func takeBack(to shown: [Scoreboard.ViewModelEvent]) {
        for case .time(let text) in shown { output.send(.time(text: text)) }
        shownTenths = nil
        tick = clock.schedule(at: clock.now) { [weak self] in self?.showTime() }
    }

    deinit { games.feed.left(id) }

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

    /// Most moves leave the time as it is, and what waits for the next tenth too.
    private func showTime(of newest: Stopwatch) {
        guard newest != stopwatch || newest.tenths(at: clock.now) != shownTenths else { return }
        stopwatch = newest
        showTime()
    }

    /// Reads the time off the stopwatch, however late the timer was, so no time is ever lost.
    private func showTime() {
        let now = clock.now
        let tenths = stopwatch.tenths(at: now)
        if tenths != shownTenths { output.send(.time(text: timeText(tenths: tenths))) }
        shownTenths = tenths
        tick = stopwatch.nextTenth(after: now).map { instant in
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
