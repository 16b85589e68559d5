public import BusdProtocol

/// `game-creator/NAME`: the draft of a game. It accepts any text, and lists the problems.
public final class GameCreatorViewModel: DraftingViewModel {
    public typealias Kind = GameCreator
    public typealias Services = any HasGames & HasDrafts

    public static let placement = Placement.onDemand

    public static let awaitsOutcomes = true

    public let output = Output<GameCreator.ViewModelEvent>()
    private let games: Library<Game>
    private let share: DraftShare
    private var typed = GameDraft() {
        didSet { share.bytes = typed.bytes }
    }

    public var draft: GameDraft? {
        get { typed == GameDraft() ? nil : typed }
        set { typed = newValue ?? GameDraft() }
    }

    public init(at address: Address, services: Services) {
        games = services.games
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
            share.refusal(ofName: name, inPlaceOf: typed[side].players[index.value])
        case .createTapped(let home, let away): refusal(ofCreating: home, away)
        }
    }

    private func refusal(ofCreating home: TeamDraft?, _ away: TeamDraft?) -> Refusal? {
        guard let shown = typed.shown(home: home, away: away) else {
            return Refusal(
                .stale, "the draft was changed elsewhere: look at it, then create it")
        }
        if let teams = shown.teams { return games.refusal(of: .game(teams)) }
        guard home != nil || away != nil, let problem = shown.problems.first else { return nil }
        return Refusal(.badEvent, problem)
    }

    public func handle(event: GameCreator.ViewEvent) {
        switch event {
        case .teamNameChanged(let side, let name): typed[side].name = name
        case .playerNameChanged(let side, let index, let name):
            typed[side].players[index.value] = name
        case .createTapped(let home, let away):
            if let shown = typed.shown(home: home, away: away) { create(shown) }
        }
        show()
    }

    private func create(_ shown: GameDraft) {
        guard let teams = shown.teams else { return }
        games.create(teams) { [weak self] outcome in
            if case .applied(let id) = outcome { self?.created(id) }
        }
    }

    private func created(_ id: GameID) {
        typed = GameDraft()
        output.send(.created(address: id.address.text))
        show()
    }

    private func show() {
        let problems = typed.problems
        output.send(.draft(home: typed.home, away: typed.away))
        output.send(.problems(texts: problems))
        output.send(.createEnabled(isEnabled: problems.isEmpty))
    }
}
