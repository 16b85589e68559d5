import BusdScreens
import BusdTerminal

/// The commands of a study.
enum StudyCommand: Equatable {
    case reveal
    case answer(isKnown: Bool)
    case undo
    case again
    case help
    case back
    case quit

    init?(_ key: Key) {
        switch key {
        case .text(" "), .enter: self = .reveal
        case .text("k"), .text("y"), .right: self = .answer(isKnown: true)
        case .text("u"), .text("n"), .left: self = .answer(isKnown: false)
        case .text("z"), .backspace: self = .undo
        case .text("a"): self = .again
        case .text("?"): self = .help
        case .escape: self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum StudyHints {
    static func all(_ state: StudyState) -> [Hint] {
        let undo = state.canUndo ? [Hint("z", "undo", .text("z"), rank: 1)] : []
        let others =
            undo + [
                Hint("esc", "books", .escape), Hint("?", "help", .text("?"), rank: 1),
                Hint("q", "quit", .text("q"), rank: 1),
            ]
        guard state.current != nil else {
            return (state.isDone ? [Hint("a", "again", .text("a"))] : []) + others
        }
        if !state.isRevealed { return [Hint("space", "reveal", .text(" "))] + others }
        return [Hint("k", "known", .text("k")), Hint("u", "unknown", .text("u"))] + others
    }
}
