public import BusdProtocol

/// `game-creator/NAME`: a game in the making. It takes any text, and says what is wrong with it.
public final class GameCreatorViewModel: DraftingViewModel {
    public typealias Kind = GameCreator
    public typealias Services = any HasGames & HasDrafts

    public static let placement = Placement.onDemand

    public let output = Output<GameCreator.ViewModelEvent>()
    private let games: any GamesService
    private let share: DraftShare
    package var draft = GameDraft()

    public init(at address: Address, services: Services) {
        games = services.games
        share = DraftShare(of: services.drafts)
    }

    public func start() { show() }

    public func refusal(of event: GameCreator.ViewEvent) -> Refusal? {
        switch event {
        case .teamNameChanged(let side, let name):
            share.refusal(ofName: name, inPlaceOf: draft[side].name)
        case .playerNameChanged(let side, let index, let name):
            share.refusal(ofName: name, inPlaceOf: draft[side].players[index.value])
        case .createTapped(let home, let away): refusal(ofCreating: home, away)
        }
    }

    private func refusal(ofCreating home: TeamDraft?, _ away: TeamDraft?) -> Refusal? {
        guard let shown = draft.shown(home: home, away: away) else {
            return Refusal(
                .stale, "the draft was changed elsewhere: look at it, and create it then")
        }
        if let teams = shown.teams { return games.refusal(of: .game(teams.home, teams.away)) }
        guard home != nil || away != nil, let problem = shown.problems.first else { return nil }
        return Refusal(.badEvent, problem)
    }

    public func handle(event: GameCreator.ViewEvent) {
        switch event {
        case .teamNameChanged(let side, let name): draft[side].name = name
        case .playerNameChanged(let side, let index, let name):
            draft[side].players[index.value] = name
        case .createTapped(let home, let away):
            if let shown = draft.shown(home: home, away: away) { create(shown) }
        }
        show()
    }

    private func create(_ shown: GameDraft) {
        guard let (home, away) = shown.teams else { return }
        let id = games.create(home: home, away: away)
        draft = GameDraft()
        output.send(.created(address: id.address.text))
    }

    /// A game that could not be kept is a draft again.
    package func takeBack(to shown: [GameCreator.ViewModelEvent]) { show() }

    private func show() {
        share.bytes = draft.bytes
        let problems = draft.problems
        output.send(.draft(home: draft.home, away: draft.away))
        output.send(.problems(texts: problems))
        output.send(.createEnabled(isEnabled: problems.isEmpty))
    }
}
