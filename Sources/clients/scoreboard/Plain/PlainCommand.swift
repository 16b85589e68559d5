import BusdGamesEvents
import BusdProtocol

/// A line of standard input, without a screen.
enum PlainCommand: Equatable {
    case make(Move, PlayerChoice)
    case start
    case pause
    case correct(Correction)

    /// Why a line is no command, for the user.
    struct Problem: Error, Equatable {
        let text: String
    }

    static let help = "write ann 2, undo, redo, start, pause, +10 or -1; moves are 1 2 a r f"

    /// `ann 2`, `undo`, `+10`; names and words in upper or lower case.
    init(_ line: String, _ names: ContentState) throws(Problem) {
        switch line.lowercased() {
        case "undo", "u": self = .correct(.undo)
        case "redo", "y": self = .correct(.redo)
        case "start": self = .start
        case "pause": self = .pause
        case let text where text.hasPrefix("+") || text.hasPrefix("-"):
            guard let seconds = Int(text) else { throw Problem(text: Self.help) }
            self = .correct(.moveClock(seconds))
        case let text: self = try Self.move(text, names)
        }
    }

    private static func move(_ text: String, _ names: ContentState) throws(Problem) -> Self {
        let words = text.split(separator: " ")
        guard words.count > 1, let last = words.last, let move = Move(word: String(last)) else {
            throw Problem(text: help)
        }
        let name = words.dropLast().joined(separator: " ")
        let all = (0..<2 * names.size).compactMap { PlayerChoice(number: $0, size: names.size) }
        var found = all.filter { names.name($0).lowercased() == name }
        if found.isEmpty { found = all.filter { String($0.letter) == name } }
        guard let player = found.first else { throw Problem(text: "no player is called \(name)") }
        guard found.count == 1 else {
            let letters = found.map { String($0.letter) }.joined(separator: " or ")
            throw Problem(text: "more than one player is called \(name): write \(letters) instead")
        }
        return .make(move, player)
    }
}

extension Move {
    /// `2`, `2pt` or `points`; nil for other words.
    fileprivate init?(word: String) {
        let move = Self.allCases.first { [String($0.letter), $0.label, $0.words].contains(word) }
        guard let move else { return nil }
        self = move
    }
}
