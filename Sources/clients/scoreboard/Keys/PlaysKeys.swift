import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The commands of the list of plays. The keys of players and moves correct the chosen play.
enum PlaysCommand: Equatable {
    case step(by: Int)
    case give(to: PlayerChoice)
    case make(Move)
    case takeOut
    case search
    case help
    case back
    case quit

    /// - Parameters:
    ///   - page: how many rows the list shows.
    ///   - size: how many players each team has.
    init?(_ key: Key, page: Int, size: Int) {
        if let choice = PlayerChoice(letter: key, size: size) {
            self = .give(to: choice)
        } else if let move = Move(key: key) {
            self = .make(move)
        } else {
            switch key {
            case .text("t"), .delete: self = .takeOut
            case .text("/"): self = .search
            case .text("?"): self = .help
            case .escape, .text("l"): self = .back
            case .text("q"): self = .quit
            // `j` and `k` are letters of players.
            case .text: return nil
            default:
                guard let step = key.step(page: page) else { return nil }
                self = .step(by: step)
            }
        }
    }
}

enum PlaysHints {
    /// The letters of a team's players.
    static func players(_ side: Side, _ names: ContentState) -> [Hint] {
        names[side].players.enumerated().map { index, player in
            let letter = PlayerChoice(side: side, index: index).letter
            return Hint(String(letter), player.name, .text(letter), rank: index)
        }
    }

    static func all(isEmpty: Bool) -> [Hint] {
        let ofOne = [
            Hint("letter", "give it to a player", .text("?"), rank: 2),
            Hint("1 2 a r f", "make it a move", .text("?"), rank: 1),
            Hint("t", "take out", .text("t")),
        ]
        return (isEmpty ? [] : ofOne) + [
            Hint("/", "search", .text("/"), rank: 3), Hint("esc", "back", .escape),
        ]
    }
}
