import Protocol
import ViewModels

/// A game as the store keeps it in memory while nobody needs it, and as it is on disk.
struct PackedGame: Equatable, Packed {
    static let mostUnpacked = 256

    /// Eight names, a line each: the home team and its players, the away team and its players. A
    /// name has no line feed, as it has no control character.
    let teams: String
    /// `Move.byte`, the first move first.
    private(set) var moves: [UInt8]
    private(set) var score: Score
    /// Microseconds, up to `runningSince` where the game is running.
    private(set) var elapsed: Int64
    /// Never on disk: a game that is read is paused.
    private(set) var runningSince: Instant?

    /// Why what was read is not a game.
    struct Nonsense: Error {
        let reason: String
    }

    /// A game that was read.
    init(teams: String, moves: [UInt8], elapsed: Int64) throws(Nonsense) {
        guard elapsed >= 0 else { throw Nonsense(reason: "its time is \(elapsed)") }
        guard Self.split(teams) != nil else { throw Nonsense(reason: "its names are not names") }
        self.teams = teams
        self.moves = moves
        self.elapsed = elapsed
        score = Score()
        for byte in moves {
            guard score.winner == nil else { throw Nonsense(reason: "it has moves after its end") }
            guard let move = Move(byte: byte) else {
                throw Nonsense(reason: "it has a move \(byte)")
            }
            score[move.player.side] += move.kind.points
        }
    }

    /// A new game.
    init(home: Team, away: Team) {
        let names = [home, away].flatMap { [$0.name.text] + $0.players.map(\.text) }
        teams = names.joined(separator: "\n")
        moves = []
        score = Score()
        elapsed = 0
    }

    /// Takes over what the game has become at `now`.
    mutating func become(_ game: Game, at now: Instant) {
        let same = countInCommon(moves, game.moves.lazy.map(\.byte))
        moves.replaceSubrange(same..., with: game.moves[same...].lazy.map(\.byte))
        score = game.score
        elapsed = game.stopwatch.elapsed(at: now).microseconds
        runningSince = game.isPaused ? nil : now
    }

    /// Takes over the time alone.
    mutating func mark(at now: Instant) {
        guard let runningSince, runningSince < now else { return }
        elapsed += (now - runningSince).microseconds
        self.runningSince = now
    }

    /// The game again, running if it was.
    var thing: Game? {
        guard let (home, away) = Self.split(teams) else { return nil }
        var game = Game(
            home: home, away: away, moves: moves.compactMap(Move.init(byte:)),
            elapsed: .microseconds(elapsed))
        if let runningSince { _ = game.apply(.togglePause, at: runningSince) }
        return game
    }

    func summary(_ id: GameID) -> GameSummary? {
        let lines = Self.lines(teams)
        guard lines.count == 2 * (Team.size + 1), let home = try? Name(lines[0]),
            let away = try? Name(lines[Team.size + 1])
        else { return nil }
        let status: Games.Status =
            score.winner != nil ? .finished : runningSince == nil ? .paused : .running
        return GameSummary(id: id, home: home, away: away, score: score, status: status)
    }

    private static func split(_ teams: String) -> (home: Team, away: Team)? {
        let names = lines(teams).compactMap { try? Name($0) }
        guard names.count == 2 * (Team.size + 1),
            let home = Team(name: names[0], players: Array(names[1...3])),
            let away = Team(name: names[4], players: Array(names[5...7]))
        else { return nil }
        return (home, away)
    }

    private static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }
}
