import BusdGamesEvents
import BusdProtocol

// scoreboard/ID, and below it the list of moves, scoreboard/ID/plays, and the players:
// scoreboard/ID/home/1 and so on.

extension GameID {
    /// The game of the scoreboard at the address.
    init?(scoreboardAt address: Address) { self.init(of: Scoreboard.self, at: address) }

    /// The game of the scoreboard or player at the address.
    init?(ofPart address: Address) { self.init(of: Scoreboard.self, atOrAbove: address) }

    var address: Address { address(of: Scoreboard.self) }

    private static let plays = "plays"

    var addressOfPlays: Address { .checked("\(address)/\(Self.plays)") }

    /// The game of the list of moves at the address.
    init?(playsAt address: Address) {
        guard let game = GameID(ofPart: address), game.addressOfPlays == address else { return nil }
        self = game
    }
}

extension PlayerID {
    func address(in game: GameID) -> Address {
        .checked("\(game.address)/\(side.rawValue)/\(index.value + 1)")
    }

    /// The player at the address, and the game; `nil` if the address is not a player's.
    static func find(at address: Address) -> (game: GameID, player: PlayerID)? {
        let segments = address.segments
        guard segments.count == 4, let game = GameID(segments[1]),
            let player = all.first(where: { $0.address(in: game) == address })
        else { return nil }
        return (game, player)
    }
}

extension Address {
    fileprivate static func checked(_ text: String) -> Address {
        guard let address = Address(text) else {
            preconditionFailure("\(text) is not an address")  // holds: its parts are short segments
        }
        return address
    }
}
