import BusdScreens
import BusdTerminal

/// The commands of the screen with the name. All other keys edit the name.
enum NameCommand: Equatable {
    case goOn
    case leave
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .enter: self = .goOn
        case .escape: self = .leave
        default: self = .edit(key)
        }
    }

    static func hints(canGoOn: Bool) -> [Hint] {
        (canGoOn ? [Hint("enter", "next", .enter)] : []) + [Hint("esc", "back", .escape)]
    }
}

/// The commands of the screen with the cards. All other keys edit the cards, Enter and Tab too.
enum CardsCommand: Equatable {
    case add
    case goBack
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .control("d"): self = .add
        case .escape: self = .goBack
        default: self = .edit(key)
        }
    }

    static func hints(canAdd: Bool) -> [Hint] {
        (canAdd ? [Hint("ctrl-d", "add the book", .control("d"))] : []) + [
            Hint("tab", "other side", .tab, rank: 1),
            Hint("enter", "next card", .enter, rank: 1), Hint("esc", "name", .escape),
        ]
    }
}
