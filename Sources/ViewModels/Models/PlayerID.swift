package import BusdProtocol

/// One of the six players of a game.
package struct PlayerID: Hashable, Sendable {
    package let side: Side
    package let index: PlayerIndex

    package init(side: Side, index: PlayerIndex) {
        self.side = side
        self.index = index
    }

    /// Its place among `all`.
    var number: Int { index.value + (side == .home ? 0 : Team.size) }

    /// The home team's three, then the away team's.
    package static let all = team(.home) + team(.away)

    package static func team(_ side: Side) -> [PlayerID] {
        (0..<Team.size).compactMap(PlayerIndex.init).map { PlayerID(side: side, index: $0) }
    }
}
