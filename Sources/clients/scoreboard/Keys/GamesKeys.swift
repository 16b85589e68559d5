import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The commands of the list of games.
enum GamesCommand: Equatable {
    case move(by: Int)
    case open
    case delete
    case restore
    case search
    case create
    case help
    case back
    case quit

    /// - Parameter page: how many rows the list shows.
    init?(_ key: Key, page: Int) {
        if let step = key.step(page: page) {
            self = .move(by: step)
            return
        }
        switch key {
        case .enter: self = .open
        case .text("d"), .delete: self = .delete
        case .text("u"): self = .restore
        case .text("/"): self = .search
        case .text("n"): self = .create
        case .text("?"): self = .help
        case .escape, .text("g"): self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum GamesHints {
    /// - Parameter chosen: nil if the list is empty.
    static func all(chosen: Games.Row?) -> [Hint] {
        ofOne(chosen) + [
            Hint("n", "new game", .text("n"), rank: 1), Hint("/", "search", .text("/"), rank: 3),
            Hint("?", "help", .text("?")), Hint("q", "quit", .text("q")),
        ]
    }

    private static func ofOne(_ chosen: Games.Row?) -> [Hint] {
        guard let chosen else { return [] }
        if chosen.isDeleted { return [Hint("u", "take the deletion back", .text("u"))] }
        return [Hint("enter", "open", .enter), Hint("d", "delete", .text("d"), rank: 2)]
    }
}
