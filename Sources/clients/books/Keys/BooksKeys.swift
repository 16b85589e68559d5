import BusdScreens
import BusdTerminal

/// The commands of the library.
enum BooksCommand: Equatable {
    case choose(by: Int)
    case move(by: Int)
    case study
    case cards
    case rename
    case delete
    /// Takes the deletion back.
    case restore
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
        case .text("c"): self = .cards
        case .text("r"): self = .rename
        case .text("d"), .delete: self = .delete
        case .text("u"): self = .restore
        case .text("n"): self = .add
        case .text("?"): self = .help
        case .escape: self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum BooksHints {
    /// - Parameter isDeleted: whether the chosen book is marked as deleted.
    static func all(count: Int, isDeleted: Bool = false) -> [Hint] {
        let ofOne =
            isDeleted
            ? [Hint("u", "take back", .text("u"))]
            : [
                Hint("enter", "study", .enter), Hint("c", "cards", .text("c"), rank: 1),
                Hint("r", "rename", .text("r"), rank: 3), Hint("d", "delete", .text("d"), rank: 2),
            ]
        let ofMany = [Hint("J K", "move", .text("J"), rank: 3)]
        return (count > 0 ? ofOne : []) + (count > 1 ? ofMany : []) + [
            Hint("n", "new book", .text("n"), rank: 1), Hint("?", "help", .text("?")),
            Hint("q", "quit", .text("q")),
        ]
    }
}
