/// What a player did, as the score keeper taps it.
public struct Move: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case onePoint
        case twoPoints
        case assist
        case rebound
        case foul

        public var points: Int {
            switch self {
            case .onePoint: 1
            case .twoPoints: 2
            case .assist, .rebound, .foul: 0
            }
        }

        /// Its place among all.
        fileprivate var number: Int {
            switch self {
            case .onePoint: 0
            case .twoPoints: 1
            case .assist: 2
            case .rebound: 3
            case .foul: 4
            }
        }
    }

    public let player: PlayerID
    public let kind: Kind

    public init(_ kind: Kind, by player: PlayerID) {
        self.player = player
        self.kind = kind
    }

    /// How many different moves there are.
    static let possibilities = PlayerID.all.count * Kind.allCases.count

    /// Of all the different moves, from 0.
    var number: Int { player.number * Kind.allCases.count + kind.number }
}
