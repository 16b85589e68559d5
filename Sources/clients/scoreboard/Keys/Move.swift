import BusdProtocol
import BusdTerminal

/// A move of a player, with its key and its texts.
enum Move: Int, CaseIterable {
    case onePoint
    case twoPoints
    case assist
    case rebound
    case foul

    var event: Player.ViewEvent {
        switch self {
        case .onePoint: .onePointMove
        case .twoPoints: .twoPointMove
        case .assist: .assistMove
        case .rebound: .reboundMove
        case .foul: .foulMove
        }
    }

    /// The move in the list of plays.
    var kind: Plays.Move {
        switch self {
        case .onePoint: .onePoint
        case .twoPoints: .twoPoint
        case .assist: .assist
        case .rebound: .rebound
        case .foul: .foul
        }
    }

    init(_ kind: Plays.Move) {
        self =
            switch kind {
            case .onePoint: .onePoint
            case .twoPoint: .twoPoints
            case .assist: .assist
            case .rebound: .rebound
            case .foul: .foul
            }
    }

    /// The key that makes the move.
    var letter: Unicode.Scalar {
        switch self {
        case .onePoint: "1"
        case .twoPoints: "2"
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
        case .twoPoints: "2pt"
        case .assist: "ast"
        case .rebound: "reb"
        case .foul: "foul"
        }
    }

    /// What was done: `2 points` of a player.
    var phrase: String {
        switch self {
        case .onePoint: "1 point"
        case .twoPoints: "2 points"
        case .assist: "an assist"
        case .rebound: "a rebound"
        case .foul: "a foul"
        }
    }

    /// The text after its key.
    var words: String {
        switch self {
        case .onePoint: "point"
        case .twoPoints: "points"
        case .assist: "assist"
        case .rebound: "rebound"
        case .foul: "foul"
        }
    }
}
