public import BusdProtocol

/// `game-creator/NAME`: the draft of a new game.
public enum GameCreator: ViewModelKind {
    public static let name = "game-creator"
    public static let limits = [
        Drafts.draftName, Drafts.drafts, Games.games, Games.gameNames,
    ]

    public enum ViewEvent: WireEvent {
        /// The text in the field for the name of a team: at most `Drafts.longestName` bytes.
        case teamNameChanged(side: Side, name: String)
        /// The text in the field for the name of a player: at most `Drafts.longestName` bytes.
        case playerNameChanged(side: Side, index: PlayerIndex, name: String)
        /// How many points win: one of `GameRules.points`.
        case pointsToWinChanged(points: Int)
        /// How many points the winner must be ahead: one of `GameRules.margins`.
        case marginChanged(points: Int)
        /// How many players a team has: one of `Team.sizes`. The names of others are forgotten.
        case playersChanged(count: Int)
        /// The teams are those on the screen; if the draft has changed meanwhile, the event is
        /// refused with `stale`. Without them, the game is created from the draft as it is.
        case createTapped(home: TeamDraft? = nil, away: TeamDraft? = nil)

        public var canWait: Bool {
            switch self {
            case .teamNameChanged, .playerNameChanged, .pointsToWinChanged, .marginChanged: true
            // The names of others are forgotten.
            case .playersChanged: false
            case .createTapped(let home, let away): home != nil && away != nil
            }
        }

        public static let examples: [Self] = [
            .teamNameChanged(side: .home, name: "Hawks"),
            .playerNameChanged(side: .home, index: .first, name: "Ann"),
            .pointsToWinChanged(points: 21),
            .marginChanged(points: 1),
            .playersChanged(count: 5),
            .createTapped(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: "Jets", players: ["Di", "Eve", "Flo"])),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// Both teams as they were typed.
        case draft(home: TeamDraft, away: TeamDraft)
        /// When the game is won, and the number of players of a team.
        case rules(pointsToWin: Int, margin: Int, players: Int)
        /// The problems of the draft, one sentence each; empty if the game can be created.
        case problems(texts: [String])
        /// Whether there are no problems, so that the game can be created.
        case createEnabled(isEnabled: Bool)
        /// The game exists, and the draft is empty again.
        case created(address: String)

        public var delivery: Delivery {
            switch self {
            case .draft, .rules, .problems, .createEnabled: .latest
            case .created: .every
            }
        }

        public static let examples: [Self] = [
            .draft(home: TeamDraft(name: "Hawks", players: ["Ann", "", ""]), away: TeamDraft()),
            .rules(pointsToWin: 15, margin: 2, players: 3),
            .problems(texts: ["The name of the away team is missing."]),
            .createEnabled(isEnabled: false),
            .created(address: "scoreboard/4"),
        ]
    }
}
