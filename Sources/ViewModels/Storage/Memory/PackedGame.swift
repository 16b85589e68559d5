import BusdProtocol
import BusdViewModels

/// A game as the store keeps it in memory while nobody needs it, and as it is on disk. There may be
/// tens of thousands of them, so all is in one piece of memory; a long game's older moves are in
/// another, which what the game becomes shares with what it was.
struct PackedGame: Equatable, Packed {
    static let mostUnpacked = 64

    /// The moves in full chunks of `ChunkRow.size`: `Move.byte`, the first move first.
    private(set) var older: [UInt8]
    /// The names, and behind them the moves after those.
    private var bytes: [UInt8]
    private let latestStart: Int32
    /// Never on disk: a game that is read is paused.
    private var isRunning = false
    /// Microseconds, up to `markedAt` where the game is running.
    private(set) var elapsed: Int64
    private var markedAt = Instant(microseconds: 0)

    /// Why what was read is not a game.
    struct Nonsense: Error {
        let reason: String
    }

    /// A game that was read.
    init(teams: String, moves: [UInt8], elapsed: Int64) throws(Nonsense) {
        guard elapsed >= 0 else { throw Nonsense(reason: "its time is \(elapsed)") }
        guard Self.split(teams) != nil else { throw Nonsense(reason: "its names are not names") }
        var score = Score()
        for byte in moves {
            guard score.winner == nil else { throw Nonsense(reason: "it has moves after its end") }
            guard let move = Move(byte: byte) else {
                throw Nonsense(reason: "it has a move \(byte)")
            }
            score.count(move)
        }
        self.init(teams, moves, elapsed)
    }

    /// A new game.
    init(home: Team, away: Team) {
        let names = [home, away].flatMap { [$0.name.text] + $0.players.map(\.text) }
        self.init(names.joined(separator: "\n"), [], 0)
    }

    private init(_ teams: String, _ moves: [UInt8], _ elapsed: Int64) {
        let count = teams.utf8.count
        let latest = moves.suffix(moves.count % ChunkRow.size)
        older = Array(moves.dropLast(latest.count))
        bytes = []
        bytes.reserveCapacity(count + latest.count)
        bytes += teams.utf8
        bytes += latest
        latestStart = Int32(clamping: count)
        self.elapsed = elapsed
    }

    /// Puts games side by side: all give up their memory before one of them takes some again.
    static func renew(_ games: inout [PackedGame]) {
        var rest = games.flatMap(\.bytes)[...]
        let lengths = games.map(\.bytes.count)
        for index in games.indices { games[index].bytes = [] }
        for (index, length) in zip(games.indices, lengths) {
            games[index].bytes = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    // MARK: What is in it

    /// Eight names, a line each: the home team and its players, the away team and its players. A
    /// name has no line feed, as it has no control character.
    var teams: String {
        String(decoding: bytes[..<Int(latestStart)], as: UTF8.self)  // fits: 32 bits do
    }

    /// Bytes of the eight names. A line feed separates each name from the next.
    var nameBytes: Int { max(0, Int(latestStart) - 7) }  // fits: 32 bits do

    /// The moves after `older`.
    var latest: ArraySlice<UInt8> { bytes[Int(latestStart)...] }  // fits: 32 bits do

    var moveCount: Int { older.count + latest.count }

    var runningSince: Instant? { isRunning ? markedAt : nil }

    private var moves: some Sequence<Move> {
        [older[...], latest].joined().lazy.compactMap(Move.init(byte:))
    }

    var score: Score {
        moves.reduce(into: Score()) { $0.count($1) }
    }

    var workToUnpack: Int { 512 + 2 * moveCount }

    static func workToPack(_ game: Game) -> Int { 0 }

    /// The game again, running if it was.
    var thing: Game? {
        guard let (home, away) = Self.split(teams) else { return nil }
        var game = Game(
            home: home, away: away, moves: Array(moves), elapsed: .microseconds(elapsed))
        if let runningSince { _ = game.apply(.togglePause, at: runningSince) }
        return game
    }

    func summary(_ id: GameID) -> GameSummary? {
        let lines = Self.lines(teams)
        guard lines.count == 2 * (Team.size + 1), let home = Name(stored: lines[0]),
            let away = Name(stored: lines[Team.size + 1])
        else { return nil }
        let score = score
        let status: Games.Status =
            score.winner != nil ? .finished : isRunning ? .running : .paused
        return GameSummary(id: id, home: home, away: away, score: score, status: status)
    }

    private static func split(_ teams: String) -> (home: Team, away: Team)? {
        let names = lines(teams).compactMap(Name.init(stored:))
        guard names.count == 2 * (Team.size + 1),
            let home = Team(name: names[0], players: Array(names[1...3])),
            let away = Team(name: names[4], players: Array(names[5...7]))
        else { return nil }
        return (home, away)
    }

    static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    // MARK: Changes

    /// Takes over what the game has become at `now`.
    ///
    /// - Parameter sameMoves: so many moves, from the first on, it has had since it was packed.
    mutating func become(_ game: Game, sameMoves: Int, at now: Instant) {
        let full = game.moves.count - game.moves.count % ChunkRow.size
        let sameOlder = min(sameMoves, full, older.count)
        var sameLatest = min(max(0, sameMoves - full), latest.count)
        if sameOlder < max(full, older.count) {
            var moves: [UInt8] = []
            moves.reserveCapacity(full)
            moves += older[..<sameOlder]
            moves += game.moves[sameOlder..<full].lazy.map(\.byte)
            older = moves
            sameLatest = 0
        }
        bytes.replaceSubrange(
            (Int(latestStart) + sameLatest)...,  // fits: 32 bits do
            with: game.moves[(full + sameLatest)...].lazy.map(\.byte))
        elapsed = game.stopwatch.microseconds(at: now)
        isRunning = !game.isPaused
        markedAt = now
    }

    /// Takes over the time alone.
    mutating func mark(at now: Instant) {
        guard isRunning, markedAt < now else { return }
        // No time is longer, whatever a file or a clock that is moved by hand says.
        elapsed = max(elapsed, elapsed &+ (now - markedAt).microseconds)
        markedAt = now
    }
}

extension Score {
    fileprivate mutating func count(_ move: Move) {
        self[move.player.side] += move.kind.points
    }
}
