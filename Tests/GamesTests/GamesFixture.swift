import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// With the services that only view models of games need.
final class GamesFixture: LibraryFixture<Game>, HasGames, HasWallClock {
    let date = FixedWallClock()

    init(
        log: any Log = MemoryLog(), content: LogContent = LogContent(),
        now: Instant = Instant(microseconds: 0)
    ) {
        super.init(log, content, now: now)
    }

    var games: Library<Game> { things }
    var wallClock: any WallClock { date }
    /// The newest first.
    var ids: [GameID] { games.ids.reversed() }

    /// Creates a game of the Hawks and the Jets with these moves.
    @discardableResult
    func makeGame(moves: [Move] = []) throws -> GameID {
        let id = try create(try hawksAndJets())
        for move in moves { apply(.move(move), to: id) }
        return id
    }

    @discardableResult
    func create(_ teams: Teams, rules: GameRules = .usual) throws -> GameID {
        try create(GameSeed(teams, rules: rules, created: date.now))
    }

    /// A view of a scoreboard, after its first values.
    func watchScoreboard(of id: GameID) throws -> RecordingView<ScoreboardViewModel> {
        let view = watch(try scoreboard(of: id))
        view.forget()
        return view
    }

    func scoreboard(of id: GameID) throws -> ScoreboardViewModel {
        let address = try address("scoreboard/\(id.text)")
        return try #require(ScoreboardViewModel(at: address, services: self))
    }

    func player(_ path: String, of id: GameID) throws -> PlayerViewModel {
        let address = try address("scoreboard/\(id.text)/\(path)")
        return try #require(PlayerViewModel(at: address, services: self))
    }

    func plays(of id: GameID) throws -> PlaysViewModel {
        let address = try address("scoreboard/\(id.text)/plays")
        return try #require(PlaysViewModel(at: address, services: self))
    }

    func list() throws -> GamesViewModel {
        GamesViewModel(at: try address("games"), services: self)
    }
}

func hawks() throws -> Team { try team("Hawks", "Ann", "Bo", "Cy") }
func jets() throws -> Team { try team("Jets", "Di", "Ed", "Flo") }
func hawksAndJets() throws -> Teams { Teams(home: try hawks(), away: try jets()) }

func team(_ name: String, _ players: String...) throws -> Team {
    try #require(Team(name: try Name(name), players: try players.map { try Name($0) }))
}

extension Game {
    init(_ teams: Teams) {
        self.init(GameSeed(teams, created: UTCTime(seconds: 1_790_000_000)))
    }

    var moves: [Move] { list.plays.map(\.move) }

    func count(of kind: Move.Kind, by player: PlayerID) -> Int {
        list.count(of: Move(kind, by: player))
    }
}

extension PlayerID {
    /// The players of teams of three: the home team's, then the away team's.
    static let six = Array(all.prefix(6))
    static let home1 = PlayerID.all[0]
    static let home2 = PlayerID.all[1]
    static let away1 = PlayerID.all[3]
    static let away3 = PlayerID.all[5]
    static let away5 = PlayerID.all[9]
}

/// Moves from 0 - 0 to this score. No score on the way ends the game.
func moves(to home: Int, _ away: Int) -> [Move] {
    let both = min(home, away)
    let level = (0..<both).flatMap { _ in
        [Move(.onePoint, by: .home1), Move(.onePoint, by: .away1)]
    }
    let lead = [Move](
        repeating: Move(.onePoint, by: home > away ? .home1 : .away1),
        count: max(home, away) - both)
    return level + lead
}
