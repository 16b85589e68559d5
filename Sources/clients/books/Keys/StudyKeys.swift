import BusdScreens
import BusdTerminal

/// The commands of a study.
enum StudyCommand: Equatable {
    case reveal
    case answer(isKnown: Bool)
    case undo
    case again
    /// By so many lines; a page is `pages`.
    case scroll(lines: Int)
    case turn(pages: Int)
    /// Changes the card.
    case edit
    case cards
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
        case .up, .scrollUp: self = .scroll(lines: -1)
        case .down, .scrollDown: self = .scroll(lines: 1)
        case .pageUp: self = .turn(pages: -1)
        case .pageDown: self = .turn(pages: 1)
        case .text("e"): self = .edit
        case .text("c"): self = .cards
        case .text("?"): self = .help
        case .escape: self = .back
        case .text("q"): self = .quit
        default: return nil
        }
    }
}

enum StudyHints {
    /// - Parameter hasMore: whether lines of the card are below the screen.
    static func all(_ state: StudyState, hasMore: Bool = false) -> [Hint] {
        let undo = state.canUndo ? [Hint("z", "undo", .text("z"), rank: 1)] : []
        let others =
            undo + [
                Hint("c", "cards", .text("c"), rank: 2),
                Hint("esc", "books", .escape), Hint("?", "help", .text("?"), rank: 1),
                Hint("q", "quit", .text("q"), rank: 1),
            ]
        guard state.current != nil else {
            return (state.isDone ? [Hint("a", "again", .text("a"))] : []) + others
        }
        let more = hasMore ? [Hint("↓", "more", .down)] : []
        if !state.isRevealed { return [Hint("space", "reveal", .text(" "))] + more + others }
        return [Hint("k", "known", .text("k")), Hint("u", "unknown", .text("u"))] + more
            + [Hint("e", "change", .text("e"), rank: 2)] + others
    }
}
