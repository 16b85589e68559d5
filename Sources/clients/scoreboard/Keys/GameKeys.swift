import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The commands of a game.
enum GameCommand: Equatable {
    case choose(PlayerChoice)
    case make(Move)
    case startOrPause
    case undo
    case redo
    /// Moves the clock by so many seconds.
    case moveClock(Int)
    /// Starts a clock that a restart has stopped, at the time where it would be.
    case catchUp
    case plays
    case correct
    case games
    case create
    case help
    case back
    case quit

    /// The command of a key, while this player is chosen. Nil for a key without a command.
    ///
    /// - Parameter size: how many players each team has.
    init?(_ key: Key, chosen: PlayerChoice, size: Int) {
        if let choice = chosen.after(key, size: size) ?? PlayerChoice(letter: key, size: size) {
            self = .choose(choice)
        } else if let move = Move(key: key) {
            self = .make(move)
        } else {
            switch key {
            case .text(" "): self = .startOrPause
            case .text("u"): self = .undo
            case .text("y"): self = .redo
            case .text("-"): self = .moveClock(-1)
            case .text("+"): self = .moveClock(1)
            case .text("<"): self = .moveClock(-10)
            case .text(">"): self = .moveClock(10)
            case .text("b"): self = .catchUp
            case .text("l"): self = .plays
            case .text("c"): self = .correct
            case .text("g"): self = .games
            case .text("n"): self = .create
            case .text("?"): self = .help
            case .escape: self = .back
            case .text("q"): self = .quit
            default: return nil
            }
        }
    }
}

/// The hints at the bottom of a game.
enum GameHints {
    /// The moves: in words, or with the names of their columns if there is little room.
    static func moves(columns: Int) -> [Hint] {
        let inWords = Move.allCases.map { Hint(String($0.letter), $0.words, $0.key) }
        if Hint.fitting(inWords, columns: columns).hints.count == inWords.count { return inWords }
        return Move.allCases.map { Hint(String($0.letter), $0.label.filter(\.isLetter), $0.key) }
    }

    static func all(_ state: ContainerState) -> [Hint] {
        [
            Hint("space", state.isPaused ? "start" : "pause", .text(" "), rank: 1),
            Hint("u", "undo", .text("u"), rank: 1, details: state.last),
            Hint("y", "redo", .text("y"), rank: 1, details: state.undone),
            Hint("l", "plays", .text("l"), rank: 2), Hint("c", "correct", .text("c"), rank: 3),
            Hint("g", "games", .text("g"), rank: 5), Hint("n", "new game", .text("n"), rank: 6),
            Hint("?", "help", .text("?")), Hint("q", "quit", .text("q")),
        ].filter { isOfUse($0, state) }
    }

    private static func isOfUse(_ hint: Hint, _ state: ContainerState) -> Bool {
        switch hint.key {
        case .text(" "): !state.isFinished
        case .text("u"): state.canUndo
        case .text("y"): state.canRedo
        default: true
        }
    }
}
