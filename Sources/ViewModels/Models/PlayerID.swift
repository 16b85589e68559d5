public import BusdProtocol

/// One of the six players of a game.
public struct PlayerID: Hashable, Sendable {
    public let side: Side
    public let index: PlayerIndex

    public init(side: Side, index: PlayerIndex) {
        self.side = side
        self.index = index
    }

    /// Its place among `all`.
    var number: Int { index.value + (side == .home ? 0 : Team.size) }

    /// The home team's three, then the away team's.
    public static let all = team(.home) + team(.away)

    public static func team(_ side: Side) -> [PlayerID] {
        (0..<Team.size).compactMap(PlayerIndex.init).map { PlayerID(side: side, index: $0) }
    }
}
