import BusdScreens
import BusdTerminal

/// The commands of the game creator. All other keys edit the focused name.
enum CreatorCommand: Equatable {
    case nextField
    case previousField
    case confirm
    case back
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .tab, .down: self = .nextField
        case .backTab, .up: self = .previousField
        case .enter: self = .confirm
        case .escape: self = .back
        default: self = .edit(key)
        }
    }
}

enum CreatorHints {
    static func all(canCreate: Bool, focus: FieldPlace) -> [Hint] {
        let others = [Hint("tab", "next", .tab, rank: 1)]
        if case .rule = focus { return rule(canCreate) + [Hint("esc", "back", .escape)] }
        return [Hint("enter", canCreate ? "create" : "next", .enter)]
            + (canCreate ? others : []) + [Hint("esc", "back", .escape)]
    }

    private static func rule(_ canCreate: Bool) -> [Hint] {
        [
            Hint("enter", canCreate ? "create" : "next", .enter), Hint("-", "less", .text("-")),
            Hint("+", "more", .text("+")),
        ]
    }
}
