import BusdGamesEvents
public import BusdProtocol

/// An action on a game. Its form in the log is permanent: one string.
public enum GameAction: Hashable, Sendable {
    /// Stops the clock. No effect if it stands still.
    case pause
    /// Starts the clock. No effect if it runs, or in a finished game.
    case resume
    /// Stops or starts the clock. No effect in a finished game.
    case togglePause
    /// Counts a move at the time of the clock. No effect in a finished game.
    case move(Move)

    // A correction has no effect if the game is not as it was seen.

    /// Takes back the last move, so that it can be done again; a game that it won is reopened.
    /// `seen`: the number of moves.
    case takeBack(seen: Int?)
    /// Does again the move that was taken back last. `seen`: the number of moves.
    case redo(seen: Int?)
    /// Takes out a move.
    case takeOut(id: Int, was: Move)
    /// Makes it another move.
    case change(id: Int, was: Move, to: Move)
    /// Gives a team or a player another name.
    case rename(Renaming)
    /// Sets the clock to this time, in microseconds. `seen`: how often it was set before.
    case setClock(to: Int64, starts: Bool, seen: Int?)
    /// Moves the clock by so many microseconds.
    case moveClock(by: Int64, seen: Int?)
    /// Stops the clock as of an instant, because the daemon stopped then; as of its start if the
    /// start is later.
    case halt(Instant, at: UTCTime)
    /// Marks the game as deleted, and stops its clock.
    case delete
    /// Takes back the deletion. No effect when the game has expired.
    case restore
}

extension GameAction {
    /// Whether it says what its sender saw.
    var isCorrection: Bool {
        switch self {
        case .takeBack(let seen), .redo(let seen), .setClock(_, _, let seen),
            .moveClock(_, let seen):
            seen != nil
        case .takeOut, .change, .rename: true
        case .pause, .resume, .togglePause, .move, .halt, .delete, .restore: false
        }
    }
}

extension GameAction: Codable {
    private var text: String {
        switch self {
        case .move(let move): Self.moves[move.number]
        case .rename(let renaming): renaming.text
        default: words.joined(separator: " ")
        }
    }

    /// Prepared, because a move is the commonest action.
    private static let moves = Move.all.map { "move \($0.number)" }

    private var words: [String] {
        switch self {
        case .move, .rename: []
        case .pause: ["pause"]
        case .resume: ["resume"]
        case .togglePause: ["toggle"]
        case .takeBack(let seen): ["back"] + Self.words(seen)
        case .redo(let seen): ["redo"] + Self.words(seen)
        case .takeOut(let id, let was): ["out", id.numeral, was.number.numeral]
        case .change(let id, let was, let move):
            ["change", id.numeral, was.number.numeral, move.number.numeral]
        case .setClock(let time, let starts, let seen):
            [starts ? "start" : "clock", String(time)] + Self.words(seen)
        case .moveClock(let difference, let seen):
            ["shift", String(difference)] + Self.words(seen)
        case .halt(let instant, let time):
            ["halt", String(instant.microseconds), String(time.seconds)]
        case .delete: ["delete"]
        case .restore: ["restore"]
        }
    }

    private static func words(_ seen: Int?) -> [String] { seen.map { [$0.numeral] } ?? [] }

    private init?(_ text: String) {
        if let renaming = Renaming(text) {
            self = .rename(renaming)
            return
        }
        guard let (word, numbers) = text.wordAndNumbers else { return nil }
        let seen = numbers.last.flatMap { Int(exactly: $0) }
        switch (ExactText(word), numbers.count) {
        case ("pause", 0): self = .pause
        case ("resume", 0): self = .resume
        case ("toggle", 0): self = .togglePause
        case ("delete", 0): self = .delete
        case ("restore", 0): self = .restore
        case ("back", 0...1): self = .takeBack(seen: seen)
        case ("redo", 0...1): self = .redo(seen: seen)
        case ("move", 1):
            guard let move = Move(numbers[0]) else { return nil }
            self = .move(move)
        case ("halt", 2):
            guard Instant.stored.contains(numbers[0]), UTCTime.stored.contains(numbers[1]) else {
                return nil
            }
            self = .halt(Instant(microseconds: numbers[0]), at: UTCTime(seconds: numbers[1]))
        case ("out", 2):
            guard let was = Move(numbers[1]) else { return nil }
            self = .takeOut(id: Int(widening: numbers[0]), was: was)
        case ("change", 3):
            guard let was = Move(numbers[1]), let move = Move(numbers[2]) else { return nil }
            self = .change(id: Int(widening: numbers[0]), was: was, to: move)
        case ("clock", 1...2), ("start", 1...2):
            guard Instant.stored.contains(numbers[0]) else { return nil }
            self = .setClock(
                to: numbers[0], starts: word.utf8.first == UInt8(ascii: "s"),
                seen: numbers.count == 2 ? seen : nil)
        case ("shift", 1...2):
            guard Self.shifts.contains(numbers[0]) else { return nil }
            self = .moveClock(by: numbers[0], seen: numbers.count == 2 ? seen : nil)
        default: return nil
        }
    }

    /// By how many microseconds the clock can be moved. A sum with its time does not overflow.
    static let shifts = -Instant.stored.upperBound...Instant.stored.upperBound

    public init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not an action of a game") { (text: String) in Self(text) }
    }

    public func encode(to encoder: any Encoder) throws {
        try text.encode(to: encoder)
    }
}

extension Move {
    /// `nil` unless there is a move with that number.
    fileprivate init?(_ number: Int64) { self.init(number: Int(widening: number)) }
}

/// `team home 5:Hawks6:Eagles`, `player 3 2:Di4:Dina`. First comes the team or the player, then the
/// name that the scorer saw, then the new name. Each name follows its number of bytes.
extension Renaming {
    fileprivate var text: String {
        owner.word + CountedTexts([was.text, name.text]).text
    }

    fileprivate init?(_ text: String) {
        let owner = Owner.all.first { text.utf8.starts(with: $0.word.utf8) }
        guard let owner, let texts = CountedTexts(text, after: owner.word)?.texts,
            texts.count == 2, let was = try? Name(texts[0]), let name = try? Name(texts[1])
        else { return nil }
        self.init(owner, was: was, name: name)
    }
}

extension Renaming.Owner {
    fileprivate static let all =
        Side.allCases.map { Self.team($0) } + PlayerID.all.map { .player($0) }

    /// With a space at its end.
    fileprivate var word: String {
        switch self {
        case .team(let side): "team \(side.rawValue) "
        case .player(let player): "player \(player.number.numeral) "
        }
    }
}

extension String {
    /// The word, and the numbers behind it, with one space before each; `nil`: it is another form.
    fileprivate var wordAndNumbers: (word: String, numbers: [Int64])? {
        let parts = utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { Int64(Substring($0)) }  // fits: else nil
        guard let word = parts.first, numbers.count == parts.count - 1 else { return nil }
        return (String(Substring(word)), numbers)
    }
}
