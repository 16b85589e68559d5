import BusdScreens
import BusdTerminal

/// The commands of the list of games.
enum GamesCommand: Equatable {
    case move(by: Int)
    case open
    case delete
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
        case .text("n"): self = .create
        case .text("?"): self = .help
        case .escape, .text("g"): self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum GamesHints {
    static func all(isEmpty: Bool) -> [Hint] {
        let ofOne = [
            Hint("enter", "open", .enter), Hint("d", "delete", .text("d"), rank: 2),
        ]
        return (isEmpty ? [] : ofOne) + [
            Hint("n", "new game", .text("n"), rank: 1), Hint("?", "help", .text("?")),
            Hint("q", "quit", .text("q")),
        ]
    }
}
