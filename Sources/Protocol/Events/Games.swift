/// `games`: the library of games.
public enum Games: ViewModelKind {
    public static let name = "games"

    public enum Status: String, Codable, Sendable {
        case paused
        case running
        case finished
    }

    /// A game in the list. `id` is stable; ids count from 1 and are never used again.
    public struct Row: Codable, Hashable, Sendable, Identifiable {
        public var id: String
        public var address: String
        public var home: String
        public var away: String
        public var score: String
        public var status: Status

        public init(
            id: String, address: String, home: String, away: String, score: String, status: Status
        ) {
            self.id = id
            self.address = address
            self.home = home
            self.away = away
            self.score = score
            self.status = status
        }
    }

    public enum ViewEvent: WireEvent {
        case createGame(home: Team, away: Team)
        case deleteGame(game: String)

        public static let examples: [Self] = [
            .createGame(
                home: exampleTeam("Hawks", "Ann", "Bo", "Cy"),
                away: exampleTeam("Jets", "Di", "Ed", "Flo")),
            .deleteGame(game: "1"),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// The whole list, newest first: in the snapshot, and instead of edits that would be
        /// longer.
        case games(games: [Row])
        case gamesEdited(edits: [Edit<Row>])
        case created(game: String, address: String)

        public var delivery: Delivery {
            switch self {
            case .games: .latest
            case .gamesEdited, .created: .every
            }
        }

        public var name: String {
            switch self {
            case .games: "games"
            case .gamesEdited: "gamesEdited"
            case .created: "created"
            }
        }

        public func writePlainly(to out: inout JSONWriter) -> Bool {
            out.event(name) { out in
                switch self {
                case .games(let games): out.member("games", games)
                case .gamesEdited(let edits): out.member("edits", edits)
                case .created(let game, let address):
                    out.member("game", game)
                    out.member("address", address)
                }
            }
            return true
        }

        public static let examples: [Self] = [
            .games(games: [exampleRow]),
            .gamesEdited(edits: [.insert(at: 0, row: exampleRow)]),
            .created(game: "4", address: "scoreboard/4"),
        ]
    }

    static let exampleRow = Row(
        id: "1", address: "scoreboard/1", home: "Hawks", away: "Jets", score: "3 - 2",
        status: .paused)
}

extension Games.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .gamesEdited(let edits) = self, case .games(var games) = value,
            games.apply(edits)
        else { return nil }
        return .games(games: games)
    }
}

extension Games.Row: PlainJSON {
    public func write(to out: inout JSONWriter) {
        out.object { out in
            out.member("id", id)
            out.member("address", address)
            out.member("home", home)
            out.member("away", away)
            out.member("score", score)
            out.member("status", status.rawValue)
        }
    }
}
