import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import Glibc

/// A game with all that happened in it, at one moment.
struct GameRecord {
    struct Team {
        let side: Side
        let name: String
        let players: [Player]

        var points: Int { players.reduce(0) { $0 + $1.points } }
    }

    struct Player {
        let name: String
        /// By `Plays.Move`.
        let counts: [Plays.Move: Int]

        var points: Int { counts.reduce(0) { $0 + $1.value * $1.key.points } }
    }

    let id: String
    /// In UTC: `2026-01-31T14:05:09Z`.
    let created: String?
    let status: Games.Status
    let winner: Side?
    /// The time of the game clock.
    let time: String
    /// The home team first.
    let teams: [Team]
    let plays: [Plays.Row]

    func name(of play: Plays.Row) -> String {
        let players = teams.first { $0.side == play.side }?.players ?? []
        return players.indices.contains(play.index.value) ? players[play.index.value].name : ""
    }
}

// MARK: Reading

extension GameRecord {
    /// Reads games, in this order. A game that does not exist is left out.
    static func read(
        _ games: some Sequence<Games.Row>, _ session: Session
    ) throws -> [GameRecord] {
        var records: [GameRecord] = []
        var rest = Array(games)
        while !rest.isEmpty {
            let parts = try self.parts(of: rest, session)
            let values = try session.values(of: parts.flatMap(\.addresses))
            var place = 0
            var changed: [Games.Row] = []
            for part in parts {
                let own = values[place...].prefix(part.addresses.count)
                place += part.addresses.count
                let known = own.compactMap { $0 }
                guard known.count == own.count else {
                    if known.count == own.count - 1 { throw RequestFailure.hidden }
                    continue
                }
                // All values have the same `done`, unless something happened between them.
                if Set(known.map(\.done)).count == 1 {
                    records.append(GameRecord(part, known))
                } else {
                    changed.append(part.game)
                }
            }
            rest = changed
        }
        return records
    }

    /// The view models of a game.
    private struct Parts {
        let game: Games.Row
        /// The scoreboard, the plays, the players of the home team and those of the other.
        let addresses: [Address]
        /// Players of the home team.
        let home: Int
    }

    private static func parts(
        of games: [Games.Row], _ session: Session
    ) throws -> [Parts] {
        let named = games.compactMap { game in Address(game.address).map { (game, $0) } }
        let values = try session.values(of: named.map(\.1))
        return zip(named, values).compactMap { named, values in
            let (game, scoreboard) = named
            guard let values, let plays = scoreboard.appending(Plays.name) else { return nil }
            for case .players(let home, let away) in values.events(Scoreboard.ViewModelEvent.self) {
                let players = (home + away).compactMap { Address($0) }
                return Parts(
                    game: game, addresses: [scoreboard, plays] + players, home: home.count)
            }
            return nil
        }
    }

    private init(_ parts: Parts, _ values: [PresentValues]) {
        id = parts.game.id
        created = parts.game.created.map { isoTime(seconds: $0) }
        var (names, isPaused, winner, time) = (["", ""], true, Side?.none, "")
        for event in values[0].events(Scoreboard.ViewModelEvent.self) {
            switch event {
            case .teams(let home, let away): names = [home, away]
            case .time(let text): time = text
            case .paused(let value): isPaused = value
            case .finished(_, let side): winner = side
            case .players, .score, .undoable, .redoable, .clock, .corrected: break
            }
        }
        (self.winner, self.time) = (winner, time)
        status = if winner != nil { .finished } else if isPaused { .paused } else { .running }

        var plays: [Plays.Row] = []
        for case .plays(let rows) in values[1].events(Plays.ViewModelEvent.self) { plays = rows }
        self.plays = plays
        var counts: [PlayerPlace: [Plays.Move: Int]] = [:]
        for play in plays {
            counts[PlayerPlace(side: play.side, place: play.index.value), default: [:]][
                play.move, default: 0] += 1
        }
        let players = values.dropFirst(2).map { values in
            for case .name(let text) in values.events(BusdGamesEvents.Player.ViewModelEvent.self) {
                return text
            }
            return ""
        }
        teams = zip(
            [Side.home, .away], [players.prefix(parts.home), players.dropFirst(parts.home)]
        )
        .map { side, players in
            Team(
                side: side, name: names[side == .home ? 0 : 1],
                players: players.enumerated().map { place, name in
                    Player(
                        name: name,
                        counts: counts[PlayerPlace(side: side, place: place)] ?? [:])
                })
        }
    }

    private struct PlayerPlace: Hashable {
        let side: Side
        let place: Int
    }
}

private func isoTime(seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [UInt8](repeating: 0, count: 32)
    let count = text.withUnsafeMutableBytes { bytes in
        strftime(bytes.baseAddress, bytes.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    }
    return String(decoding: text.prefix(count), as: UTF8.self)
}
