public import BusdProtocol

/// `scoreboard/ID/home/N` and `…/away/N`, N from 1 to 5: a player, as the content view shows one.
public enum Player: ViewModelKind {
    public static let name = "player"
    /// Moves of one player in a game.
    public static let mostMoves = 2_000
    /// For the moves of one player in a game.
    public static let movesOfPlayer = Limit("movesOfPlayer", most: mostMoves)
    public static let limits = [movesOfPlayer, Games.moves]

    public enum ViewEvent: BusyEvent {
        /// A basket of one point.
        case onePointMove
        /// A basket of two points.
        case twoPointMove
        /// A pass that led to a basket. No points.
        case assistMove
        /// A rebound. No points.
        case reboundMove
        /// A foul. No points.
        case foulMove

        /// A move means the same if it is counted later.
        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .onePointMove, .twoPointMove, .assistMove, .reboundMove, .foulMove,
        ]
    }

    public enum ViewModelEvent: BusyEvent {
        /// The name of the player.
        case name(text: String)
        /// The number of moves, and the same number for display.
        case onePointMoveCount(text: String, count: Int)
        /// The number of moves, and the same number for display.
        case twoPointMoveCount(text: String, count: Int)
        /// The number of moves, and the same number for display.
        case assistMoveCount(text: String, count: Int)
        /// The number of moves, and the same number for display.
        case reboundMoveCount(text: String, count: Int)
        /// The number of moves, and the same number for display.
        case foulMoveCount(text: String, count: Int)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .name(text: "Ann"),
            .onePointMoveCount(text: "2", count: 2),
            .twoPointMoveCount(text: "1", count: 1),
            .assistMoveCount(text: "0", count: 0),
            .reboundMoveCount(text: "3", count: 3),
            .foulMoveCount(text: "0", count: 0),
        ]
    }
}
