public import BusdProtocol

/// An action on a game. Its form in the log is permanent: one string.
public enum GameAction: Hashable, Sendable {
    /// Counts a move. No effect in a finished game.
    case play(Move)
    /// Removes the last move, and reopens the game if this move won it.
    case undo
    /// Stops the clock. No effect if it stands still.
    case pause
    /// Starts the clock. No effect if it runs, or in a finished game.
    case resume
    /// Stops or starts the clock. No effect in a finished game.
    case togglePause
    /// Stops the clock as of an instant, or as of its start if the start is later.
    case pauseAsOf(Instant)
}

extension GameAction: Codable {
    private static let play = "play "
    private static let pauseAsOf = "pauseAsOf "

    private var text: String {
        switch self {
        case .play(let move): Self.play + move.number.numeral
        case .undo: "undo"
        case .pause: "pause"
        case .resume: "resume"
        case .togglePause: "toggle"
        case .pauseAsOf(let instant): Self.pauseAsOf + String(instant.microseconds)
        }
    }

    private init?(_ text: String) {
        switch ExactText(text) {
        case "undo": self = .undo
        case "pause": self = .pause
        case "resume": self = .resume
        case "toggle": self = .togglePause
        default:
            if let move = text.argument(after: Self.play).flatMap({ Move(number: $0) }) {
                self = .play(move)
            } else if let instant = text.argument(after: Self.pauseAsOf),
                case let microseconds = Int64(widening: instant),
                Instant.stored.contains(microseconds)
            {
                self = .pauseAsOf(Instant(microseconds: microseconds))
            } else {
                return nil
            }
        }
    }

    public init(from decoder: any Decoder) throws {
        self = try decoder.value(ofText: "an action of a game") { Self($0) }
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension String {
    /// The number after `word`, which includes a space at its end.
    func argument(after word: String) -> Int? {
        guard utf8.starts(with: word.utf8) else { return nil }
        return Int(Substring(utf8.dropFirst(word.utf8.count)))  // fits: else it is nil
    }
}
