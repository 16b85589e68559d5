/// `scoreboard/ID/home/N` and `…/away/N`, N from 1 to 3: a player, as the content view shows one.
public enum Player: ViewModelKind {
    public static let name = "player"
    /// Of one player in a game.
    public static let mostMoves = 2_000
    public static let limits: KeyValuePairs = [
        "movesOfPlayer": mostMoves, "moves": Games.mostMoves,
    ]

    public enum ViewEvent: WireEvent {
        case onePointMove
        case twoPointMove
        case assistMove
        case reboundMove
        case foulMove
        /// The former name of `twoPointMove`, which `describe` does not list; the next version does
        /// not have it.
        case twoPointsMove

        /// A move that is counted later is the same move.
        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .onePointMove, .twoPointMove, .assistMove, .reboundMove, .foulMove,
        ]

        public init(plainly json: JSONValue) throws(NotPlain) {
            let events = Self.examples + [.twoPointsMove]
            guard let event = events.first(where: json.isPlainly) else { throw NotPlain() }
            self = event
        }

        public var name: String {
            switch self {
            case .onePointMove: "onePointMove"
            case .twoPointMove: "twoPointMove"
            case .assistMove: "assistMove"
            case .reboundMove: "reboundMove"
            case .foulMove: "foulMove"
            case .twoPointsMove: "twoPointsMove"
            }
        }
    }

    public enum ViewModelEvent: WireEvent {
        case name(text: String)
        case onePointMoveCount(text: String, count: Int)
        case twoPointMoveCount(text: String, count: Int)
        case assistMoveCount(text: String, count: Int)
        case reboundMoveCount(text: String, count: Int)
        case foulMoveCount(text: String, count: Int)

        public var delivery: Delivery { .latest }

        public var name: String {
            switch self {
            case .name: "name"
            case .onePointMoveCount: "onePointMoveCount"
            case .twoPointMoveCount: "twoPointMoveCount"
            case .assistMoveCount: "assistMoveCount"
            case .reboundMoveCount: "reboundMoveCount"
            case .foulMoveCount: "foulMoveCount"
            }
        }

        public func writePlainly(to out: inout JSONWriter) -> Bool {
            out.event(name) { out in
                switch self {
                case .name(let text): out.member("text", text)
                case .onePointMoveCount(let text, let count),
                    .twoPointMoveCount(let text, let count),
                    .assistMoveCount(let text, let count),
                    .reboundMoveCount(let text, let count),
                    .foulMoveCount(let text, let count):
                    out.member("text", text)
                    out.member("count", count)
                }
            }
            return true
        }

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
