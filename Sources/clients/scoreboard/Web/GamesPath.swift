import BusdGamesEvents
import BusdProtocol
import BusdSite

/// A path of the games' pages.
enum GamesPath: Equatable, CustomStringConvertible {
    /// The newest games.
    case list
    /// A game, at `scoreboard/ID`.
    case game(Address)

    /// Nil if there is no page at the path.
    init?(_ path: String) {
        if path.isExactly("/") {
            self = .list
        } else if let address = path.rest(after: "/").flatMap(Address.init),
            address.segments.count == 2, address.segments[0] == Scoreboard.name[...]
        {
            self = .game(address)
        } else {
            return nil
        }
    }

    /// The game to which an address or a pattern belongs, such as that of a player. Nil if it names
    /// no game.
    init?(gameOf address: String) {
        let segments = address.utf8.split(separator: UInt8(ascii: "/")).prefix(2)
        guard segments.count == 2 else { return nil }
        self.init("/\(Substring(segments[0]))/\(Substring(segments[1]))")
    }

    var description: String {
        switch self {
        case .list: "/"
        case .game(let address): "/\(address)"
        }
    }

    /// How busd lists a phone that keeps the score: `scoreboard` then names it beside the other
    /// keepers.
    var presence: Presence? {
        switch self {
        case .list: nil
        case .game(let address): Presence(at: address, event: "finished")
        }
    }
}
