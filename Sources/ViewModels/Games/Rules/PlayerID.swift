import BusdGamesEvents
import BusdProtocol

/// One of the players of a game: up to five of each team.
struct PlayerID: Hashable, Sendable {
    let side: Side
    let index: PlayerIndex

    init(side: Side, index: PlayerIndex) {
        self.side = side
        self.index = index
    }

    /// Its place among `all`. Permanent: the log has it. The first three of each team come first,
    /// because once no team had more.
    var number: Int {
        switch index.value {
        case 0..<3: index.value + (side == .home ? 0 : 3)
        default: index.value + (side == .home ? 3 : 5)
        }
    }

    /// By `number`.
    static let all: [PlayerID] = [0..<3, 3..<5].flatMap { indices in
        Side.allCases.flatMap { side in
            indices.compactMap(PlayerIndex.init).map { PlayerID(side: side, index: $0) }
        }
    }

    /// The first players of a team, in their order.
    static func team(_ side: Side, of size: Int) -> [PlayerID] {
        (0..<size).compactMap(PlayerIndex.init).map { PlayerID(side: side, index: $0) }
    }
}
