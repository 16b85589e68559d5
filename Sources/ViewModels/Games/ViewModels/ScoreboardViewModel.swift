public import BusdGamesEvents
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
    private var teams: Teams?
    private var last = LastMoves()
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
        let areRenamed = showTeams(of: game)
        output.send(players(game))
        show(game, areRenamed: areRenamed)
    }

    public func refusal(of event: Scoreboard.ViewEvent) -> Refusal? {
        if let refusal = refusalOfValues(event) { return refusal }
        switch event {
        case .resume, .togglePause, .setClock(_, true, _):
            guard let phase, phase.isPaused, phase.winner == nil else { break }
            if let refusal = games.refusal(of: .running) { return refusal }
        case .pause, .undo, .redo, .renameTeam, .renamePlayer, .setClock, .moveClock: break
        }
        return action(of: event).flatMap { games.refusal(ofCorrecting: id, $0, at: clock.now) }
    }

    private func refusalOfValues(_ event: Scoreboard.ViewEvent) -> Refusal? {
        switch event {
        case .setClock(let time, _, _) where microseconds(ofTime: time) == nil:
            Refusal(
                .badEvent, "a time is minutes and seconds, with tenths or without: 01:10.3",
                at: "time")
        case .moveClock(let seconds, _) where !Self.shifts.contains(seconds):
            Refusal(.badEvent, "the clock is moved by at most a day", at: "seconds")
        case .renameTeam(_, let name, let was), .renamePlayer(_, _, let name, let was):
            // fits: see `Name.mostBytes`
            games.refusal(of: .name(name.text.utf8.count - was.text.utf8.count))
        case .pause, .resume, .togglePause, .undo, .redo, .setClock, .moveClock: nil
        }
    }

    /// Seconds by which an event may move the clock.
    private static let shifts = -86_400...86_400

    public func handle(event: Scoreboard.ViewEvent) {
        if let action = action(of: event) { games.propose(action, to: id) }
    }

    /// `nil`: it was refused.
    private func action(of event: Scoreboard.ViewEvent) -> GameAction? {
        switch event {
        case .pause: .pause
        case .resume: .resume
        case .togglePause: .togglePause
        case .undo(let moves): .takeBack(seen: moves)
        case .redo(let moves): .redo(seen: moves)
        case .renameTeam(let side, let name, let was):
            .rename(Renaming(.team(side), was: was, name: name))
        case .renamePlayer(let side, let index, let name, let was):
            .rename(Renaming(.player(PlayerID(side: side, index: index)), was: was, name: name))
        case .setClock(let time, let starts, let setting):
            microseconds(ofTime: time).map {
                .setClock(to: $0, starts: starts ?? false, seen: setting)
            }
        case .moveClock(let seconds, let setting):
            .moveClock(
                by: Int64(widening: seconds) * 1_000_000,  // fits: at most a day, see `shifts`
                seen: setting)
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
        show(game, areRenamed: showTeams(of: game))
    }

    private func show(_ game: Game, areRenamed: Bool) {
        output.send(score(game))
        showTime(of: game.stopwatch)
        show(
            Phase(
                isPaused: game.isPaused, winner: game.winner, setting: game.settings,
                halted: game.halted))
        last.show(game, areRenamed: areRenamed, output)
    }

    /// Whether they have other names than before.
    private func showTeams(of game: Game) -> Bool {
        guard game.teams != teams else { return false }
        teams = game.teams
        output.send(.teams(home: game.home.name.text, away: game.away.name.text))
        return true
    }

    private struct Phase: Equatable {
        let isPaused: Bool
        let winner: Side?
        let setting: Int
        let halted: UTCTime?
    }

    private func show(_ newest: Phase) {
        guard newest != phase else { return }
        phase = newest
        output.send(.paused(isPaused: newest.isPaused))
        output.send(.finished(isFinished: newest.winner != nil, winner: newest.winner))
        output.send(
            .clock(
                setting: newest.setting, stopped: newest.halted.map { Int(widening: $0.seconds) }))
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

    private func players(_ game: Game) -> Scoreboard.ViewModelEvent {
        .players(home: addresses(.home, game), away: addresses(.away, game))
    }

    private func addresses(_ side: Side, _ game: Game) -> [String] {
        PlayerID.team(side, of: game.teams.size).map { $0.address(in: id).text }
    }

    private func score(_ game: Game) -> Scoreboard.ViewModelEvent {
        let score = game.score
        return .score(home: score.home, away: score.away, text: score.text)
    }
}
