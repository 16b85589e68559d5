import BusdScreens
import BusdTerminal

/// The commands of the list of cards.
enum BookCardsCommand: Equatable {
    case choose(by: Int)
    case move(by: Int)
    case edit
    case add
    case remove
    case undo
    case search
    case help
    case back
    case quit

    /// - Parameter page: how many cards the list shows.
    init?(_ key: Key, page: Int) {
        if let step = key.step(page: page) {
            self = .choose(by: step)
            return
        }
        switch key {
        case .shiftUp, .text("K"): self = .move(by: -1)
        case .shiftDown, .text("J"): self = .move(by: 1)
        case .enter, .text("e"): self = .edit
        case .text("n"): self = .add
        case .text("d"), .delete: self = .remove
        case .text("z"), .backspace: self = .undo
        case .text("/"): self = .search
        case .text("?"): self = .help
        case .escape: self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }

    static func hints(_ state: BookCards) -> [Hint] {
        let ofOne = [
            Hint("e", "change", .text("e")), Hint("d", "remove", .text("d"), rank: 1),
            Hint("J K", "move", .text("J"), rank: 3), Hint("/", "search", .text("/"), rank: 1),
        ]
        return (state.chosenCard == nil ? [] : ofOne)
            + [Hint("n", "new card", .text("n"), rank: 2)]
            + (state.undo == nil ? [] : [Hint("z", "undo", .text("z"))])
            + [Hint("esc", state.search.isEmpty ? "back" : "all", .escape)]
    }
}

/// The commands while a card is edited. All other keys edit one side of it, Enter too.
enum CardEditorCommand: Equatable {
    case save
    case cancel
    case otherSide
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .control("d"): self = .save
        case .escape: self = .cancel
        case .tab, .backTab: self = .otherSide
        default: self = .edit(key)
        }
    }

    static let hints = [
        Hint("ctrl-d", "save", .control("d")), Hint("tab", "other side", .tab),
        Hint("esc", "cancel", .escape),
    ]
}

/// The commands while a book is renamed. All other keys edit the name.
enum RenameCommand: Equatable {
    case save
    case cancel
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .enter: self = .save
        case .escape: self = .cancel
        default: self = .edit(key)
        }
    }

    static let hints = [Hint("enter", "rename", .enter), Hint("esc", "cancel", .escape)]
}
