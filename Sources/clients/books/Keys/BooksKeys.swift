import BusdScreens
import BusdTerminal

/// The commands of the library.
enum BooksCommand: Equatable {
    case choose(by: Int)
    case move(by: Int)
    case study
    case delete
    case add
    case help
    case back
    case quit

    /// - Parameter page: how many rows the list shows.
    init?(_ key: Key, page: Int) {
        if let step = key.step(page: page) {
            self = .choose(by: step)
            return
        }
        switch key {
        case .shiftUp, .text("K"): self = .move(by: -1)
        case .shiftDown, .text("J"): self = .move(by: 1)
        case .enter, .text(" "): self = .study
        case .text("d"), .delete: self = .delete
        case .text("n"): self = .add
        case .text("?"): self = .help
        case .escape: self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum BooksHints {
    static func all(count: Int) -> [Hint] {
        let ofOne = [Hint("enter", "study", .enter), Hint("d", "delete", .text("d"), rank: 2)]
        let ofMany = [Hint("J K", "move", .text("J"), rank: 3)]
        return (count > 0 ? ofOne : []) + (count > 1 ? ofMany : []) + [
            Hint("n", "new book", .text("n"), rank: 1), Hint("?", "help", .text("?")),
            Hint("q", "quit", .text("q")),
        ]
    }
}
