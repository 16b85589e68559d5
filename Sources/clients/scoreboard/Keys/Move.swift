import BusdGamesEvents
import BusdProtocol
import BusdTerminal

typealias Move = Plays.Move

/// The key of a move, and its texts.
extension Move {
    var event: Player.ViewEvent {
        switch self {
        case .onePoint: .onePointMove
        case .twoPoint: .twoPointMove
        case .assist: .assistMove
        case .rebound: .reboundMove
        case .foul: .foulMove
        }
    }

    /// The key that makes the move.
    var letter: Unicode.Scalar {
        switch self {
        case .onePoint: "1"
        case .twoPoint: "2"
        case .assist: "a"
        case .rebound: "r"
        case .foul: "f"
        }
    }

    var key: Key { .text(letter) }

    init?(key: Key) {
        guard let move = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = move
    }

    /// The head of its column.
    var label: String {
        switch self {
        case .onePoint: "1pt"
        case .twoPoint: "2pt"
        case .assist: "ast"
        case .rebound: "reb"
        case .foul: "foul"
        }
    }

    /// The text after its key.
    var words: String {
        switch self {
        case .onePoint: "point"
        case .twoPoint: "points"
        case .assist: "assist"
        case .rebound: "rebound"
        case .foul: "foul"
        }
    }
}
