import Terminal

/// What one can ask of the list of games.
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
        switch key {
        case .up, .scrollUp, .text("k"): self = .move(by: -1)
        case .down, .scrollDown, .text("j"): self = .move(by: 1)
        case .pageUp: self = .move(by: -max(1, page))
        case .pageDown: self = .move(by: max(1, page))
        case .home: self = .move(by: -1_000_000)
        case .end: self = .move(by: 1_000_000)
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
