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
    }

    public let player: PlayerID
    public let kind: Kind

    public init(_ kind: Kind, by player: PlayerID) {
        self.player = player
        self.kind = kind
    }
}
