public import BusdGamesEvents
public import BusdProtocol

/// `game-creator/NAME`: the draft of a game. It accepts any text, and lists the problems.
public final class GameCreatorViewModel: DraftingViewModel {
    public typealias Kind = GameCreator
    public typealias Services = any HasGames & HasDrafts & HasWallClock

    public static let placement = Placement.onDemand

    public static let awaitsOutcomes = true

    public let output = Output<GameCreator.ViewModelEvent>()
    private let games: Library<Game>
    private let wallClock: any WallClock
    private let share: DraftShare
    private var typed = GameDraft() {
        didSet { share.bytes = typed.bytes }
    }

    public var draft: GameDraft? {
        get { typed == GameDraft() ? nil : typed }
        set { typed = newValue ?? GameDraft() }
    }

    public init(at address: Address, services: Services) {
        (games, wallClock) = (services.games, services.wallClock)
        share = DraftShare(of: services.drafts)
    }

    public var subject: Subject { games.subject }

    public func isDurable(_ event: GameCreator.ViewEvent) -> Bool {
        if case .createTapped = event { true } else { false }
    }

    public func start() { show() }

    public func refusal(of event: GameCreator.ViewEvent) -> Refusal? {
        switch event {
        case .teamNameChanged(let side, let name):
            share.refusal(ofName: name, inPlaceOf: typed[side].name)
        case .playerNameChanged(let side, let index, let name):
            typed.has(index)
                ? share.refusal(ofName: name, inPlaceOf: typed[side].players[index.value])
                : Refusal(.badEvent, "a team of this game has \(typed.size) players", at: "index")
        case .pointsToWinChanged(let points):
            refusal(of: points, GameRules.points, "the points to win", at: "points")
        case .marginChanged(let points):
            refusal(of: points, GameRules.margins, "the margin", at: "points")
        case .playersChanged(let count):
            refusal(of: count, Team.sizes, "the players of a team", at: "count")
        case .createTapped(let home, let away): refusal(ofCreating: home, away)
        }
    }

    private func refusal(
        of number: Int, _ allowed: ClosedRange<Int>, _ name: String, at path: String
    ) -> Refusal? {
        guard !allowed.contains(number) else { return nil }
        return Refusal(
            .badEvent, "\(name) must be \(allowed.lowerBound) to \(allowed.upperBound)", at: path)
    }

    private func refusal(ofCreating home: TeamDraft?, _ away: TeamDraft?) -> Refusal? {
        if let home, let away, home.players.count != away.players.count {
            return Refusal(
                .badEvent, "both teams need the same number of players", at: "away.players")
        }
        guard let shown = typed.shown(home: home, away: away) else {
            return Refusal(
                .stale, "the draft was changed elsewhere: look at it, then create it")
        }
        if let teams = shown.teams { return games.refusal(of: .game(teams)) }
        guard home != nil || away != nil, let problem = shown.problems.first else { return nil }
        return Refusal(.badEvent, problem.text, at: problem.path)
    }

    public func handle(event: GameCreator.ViewEvent) {
        switch event {
        case .teamNameChanged(let side, let name): typed[side].name = name
        case .playerNameChanged(let side, let index, let name):
            if typed.has(index) { typed[side].players[index.value] = name }
        case .pointsToWinChanged(let points): setRules(points, typed.rules.margin)
        case .marginChanged(let points): setRules(typed.rules.pointsToWin, points)
        case .playersChanged(let count): if Team.sizes.contains(count) { typed.size = count }
        case .createTapped(let home, let away):
            if let shown = typed.shown(home: home, away: away) { create(shown) }
        }
        show()
    }

    private func setRules(_ pointsToWin: Int, _ margin: Int) {
        if let rules = GameRules(pointsToWin: pointsToWin, margin: margin) { typed.rules = rules }
    }

    private func create(_ shown: GameDraft) {
        guard let teams = shown.teams else { return }
        games.create(GameSeed(teams, rules: shown.rules, created: wallClock.now)) {
            [weak self] outcome in
            if case .applied(let id) = outcome { self?.created(id) }
        }
    }

    private func created(_ id: GameID) {
        typed = GameDraft()
        output.send(.created(address: id.address.text))
        show()
    }

    private func show() {
        let problems = typed.problems.map(\.text)
        output.send(.draft(home: typed.home, away: typed.away))
        output.send(
            .rules(
                pointsToWin: typed.rules.pointsToWin, margin: typed.rules.margin,
                players: typed.size))
        output.send(.problems(texts: problems))
        output.send(.createEnabled(isEnabled: problems.isEmpty))
    }
}
