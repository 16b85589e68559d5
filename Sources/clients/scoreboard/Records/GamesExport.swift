import BusdClient
import BusdGamesEvents
import BusdOptions
import BusdProtocol
import BusdScreens

/// Games as CSV or JSON.
struct GamesExport {
    enum Format {
        case csv(GameTable)
        case json
    }

    enum Choice {
        /// The game with this `scoreboard/ID`.
        case one(Address)
        case all
    }

    let choice: Choice
    let form: Format

    /// Games that are read at once. Their plays are in memory meanwhile.
    private static let chunk = 16

    func run(_ session: Session, _ console: Console) throws {
        var games = try rows(session)
        if case .one(let address) = choice {
            games = games.filter { $0.address.isExactly(address.text) }
            let name = address.name.printable
            guard let game = games.first else {
                throw Outcome(.refused, "there is no game \(name)")
            }
            guard !game.isDeleted else {
                throw Outcome(.refused, "game \(name) is deleted: in scoreboard, u takes it back")
            }
        }
        try export(games.filter { !$0.isDeleted }, session, console)
    }

    /// The games, the oldest first.
    private func rows(_ session: Session) throws -> [Games.Row] {
        let values = try session.values(of: [.literal("games")])[0]
        for case .games(let rows) in values?.events(Games.ViewModelEvent.self) ?? [] {
            return rows.reversed()
        }
        return []
    }

    private func export(
        _ games: [Games.Row], _ session: Session, _ console: Console
    ) throws {
        let progress = Progress(of: games.count, "games")
        defer { progress.end() }
        if case .csv(let table) = form { console.put(table.head) }
        for start in stride(from: 0, to: games.count, by: Self.chunk) {
            let chunk = games[start...].prefix(Self.chunk)
            // A game that was deleted meanwhile is left out.
            for game in try GameRecord.read(chunk, session) {
                switch form {
                case .csv(let table): console.put(table.lines(of: game))
                case .json: console.put(json: game.json[...])
                }
            }
            console.flush()
            guard console.isOpen else { return }
            progress.show(start + chunk.count)
        }
    }
}
