/// `game-creator/NAME`: a game in the making.
public enum GameCreator: ViewModelKind {
    public static let name = "game-creator"
    public static let limits: KeyValuePairs = [
        "draftName": Drafts.longestName, "drafts": Drafts.mostBytes, "games": Games.mostGames,
    ]

    public enum ViewEvent: WireEvent {
        case teamNameChanged(side: Side, name: String)
        case playerNameChanged(side: Side, index: PlayerIndex, name: String)
        case createTapped

        public static let examples: [Self] = [
            .teamNameChanged(side: .home, name: "Hawks"),
            .playerNameChanged(side: .home, index: .first, name: "Ann"),
            .createTapped,
        ]
    }

    public enum ViewModelEvent: WireEvent {
        case draft(home: TeamDraft, away: TeamDraft)
        /// What is wrong with the draft, a sentence each; empty when it can be created.
        case problems(texts: [String])
        case createEnabled(isEnabled: Bool)
        /// The game exists, and the draft is empty again.
        case created(address: String)

        public var delivery: Delivery {
            switch self {
            case .draft, .problems, .createEnabled: .latest
            case .created: .every
            }
        }

        public static let examples: [Self] = [
            .draft(home: TeamDraft(name: "Hawks", players: ["Ann", "", ""]), away: TeamDraft()),
            .problems(texts: ["The name of the away team is missing."]),
            .createEnabled(isEnabled: false),
            .created(address: "scoreboard/4"),
        ]
    }
}
