public import BusdProtocol

/// `games`: the library of games.
public enum Games: ViewModelKind {
    public static let name = "games"
    /// A library on disk may be larger; it is served all the same.
    public static let mostGames = 10_000
    /// Moves of all games together.
    public static let mostMoves = 16_777_216
    /// Games with a running clock.
    public static let mostRunning = 1_000
    /// Bytes of the names of all teams and players together.
    public static let mostNameBytes = 1_048_576

    /// For the number of games.
    public static let games = Limit("games", most: mostGames)
    /// For the names in all games together.
    public static let gameNames = Limit("gameNames", most: mostNameBytes)
    /// For the games that run.
    public static let gamesRunning = Limit("gamesRunning", most: mostRunning)
    /// For the moves of all games together.
    public static let moves = Limit("moves", most: mostMoves)
    public static let limits = [games, gameNames]

    /// The state of a game in the list.
    public enum Status: String, Codable, PlainJSON, Sendable, CaseIterable {
        /// The clock stands still.
        case paused
        /// The clock runs.
        case running
        /// A team has won.
        case finished
    }

    /// A game in the list. `id` is stable; ids count from 1 and are never used again.
    ///
    /// It refers to an immutable object, because many changes copy or shift a list of tens of
    /// thousands of rows.
    public struct Row: Hashable, Sendable, Identifiable {
        struct Content: Codable, PlainJSON, Hashable {
            var id: String
            var address: String
            var home: String
            var away: String
            var score: String
            var status: Status
            var created: Int?
            var isDeleted: Bool?
        }

        fileprivate final class Holder: Sendable {
            let content: Content
            /// The content as JSON, so that a list of thousands is written by copying. Empty in a
            /// row that was decoded.
            let json: [UInt8]

            init(read content: Content) { (self.content, json) = (content, []) }

            init(_ content: consuming Content) {
                var out = JSONWriter()
                out.bytes.reserveCapacity(content.usualBytes)
                content.write(to: &out)
                (self.content, json) = (content, out.bytes)
            }
        }

        fileprivate var holder: Holder

        fileprivate var content: Content { holder.content }
        public var id: String { content.id }
        /// The address of the game's view model: `scoreboard/` and the id.
        public var address: String { content.address }
        /// The name of the home team.
        public var home: String { content.home }
        /// The name of the away team.
        public var away: String { content.away }
        /// The points of both teams, for display: `3 - 2`.
        public var score: String { content.score }
        /// The state of the game.
        public var status: Status { content.status }
        /// When the game was created, in seconds since 1970 (UTC).
        public var created: Int? { content.created }
        /// Whether the game is deleted. For ten minutes, `restoreGame` takes this back.
        public var isDeleted: Bool { content.isDeleted ?? false }

        /// Takes the values unchecked.
        public init(
            id: String, address: String, home: String, away: String, score: String, status: Status,
            created: Int? = nil, isDeleted: Bool = false
        ) {
            holder = Holder(
                Content(
                    id: id, address: address, home: home, away: away, score: score, status: status,
                    created: created, isDeleted: isDeleted ? true : nil))
        }

        /// Replaces the score and the status.
        public mutating func update(score: String, status: Status) {
            var content = content
            (content.score, content.status) = (score, status)
            holder = Holder(content)
        }

        public static func == (one: Self, other: Self) -> Bool {
            one.holder === other.holder || one.content == other.content
        }

        public func hash(into hasher: inout Hasher) { content.hash(into: &hasher) }
    }

    public enum ViewEvent: WireEvent {
        /// Creates a game at the top of the list. The game begins paused and gets the next id.
        /// Without `rules`, `GameRules.usual`. Both teams have the same number of players.
        case createGame(home: Team, away: Team, rules: GameRules? = nil)
        /// Deletes the game with this `Row.id`: it stays in the list for ten minutes, and its view
        /// models are gone. No effect if there is no such game.
        case deleteGame(game: String)
        /// Takes back a deletion. No effect ten minutes after it.
        case restoreGame(game: String)

        public var canWait: Bool {
            switch self {
            case .createGame, .deleteGame, .restoreGame: true
            }
        }

        public static let examples: [Self] = [
            .createGame(
                home: .example(.literal("Hawks"), .literal("Ann"), .literal("Bo"), .literal("Cy")),
                away: .example(.literal("Jets"), .literal("Di"), .literal("Ed"), .literal("Flo")),
                rules: .usual),
            .deleteGame(game: "1"), .restoreGame(game: "1"),
        ]
    }

    public enum ViewModelEvent: BusyEvent {
        /// The whole list, newest first. Sent in a snapshot, and in place of edits that would be
        /// longer.
        case games(games: [Row])
        /// Changes of the list, for views that have it.
        case gamesEdited(edits: [Edit<Row>])
        /// A game was created: its id, and the address of its view model.
        case created(game: String, address: String)

        public var delivery: Delivery {
            switch self {
            case .games: .latest
            case .gamesEdited, .created: .every
            }
        }

        public static let examples: [Self] = [
            .games(games: [exampleRow, deletedRow]),
            .gamesEdited(edits: Edit.examples(deletedRow)),
            .created(game: "4", address: "scoreboard/4"),
        ]
    }

    static let exampleRow = Row(
        id: "1", address: "scoreboard/1", home: "Hawks", away: "Jets", score: "3 - 2",
        status: .paused, created: 1_767_225_600)
    static let deletedRow = Row(
        id: "2", address: "scoreboard/2", home: "Owls", away: "Rams", score: "0 - 0",
        status: .paused, created: 1_767_225_600, isDeleted: true)
}

extension Games.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .gamesEdited(let edits) = self, case .games(var games) = value,
            games.apply(edits)
        else { return nil }
        return .games(games: games)
    }
}

extension Games.Row: Codable {
    public init(from decoder: any Decoder) throws {
        holder = Holder(read: try Content(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension Games.Row: PlainJSON {
    public var knownBytes: Int { holder.json.count }

    public func write(to out: inout JSONWriter) {
        if holder.json.isEmpty { content.write(to: &out) } else { out.raw(holder.json) }
    }
}

extension Games.Row.Content {
    /// The number of bytes if no text needs an escape. More bytes are written all the same.
    fileprivate var usualBytes: Int {
        let names = home.utf8.count + away.utf8.count
        return 80 + id.utf8.count + address.utf8.count + names + score.utf8.count
    }
}
