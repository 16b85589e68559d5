public import BusdProtocol

/// Games that last as long as the program.
public final class InMemoryGames: GamesService {
    public let feed = GamesFeed()
    private var games: [GameID: Game] = [:]
    private var nextID = GameID.first
    public private(set) var size = GamesSize()

    public init() {}

    public var summaries: [GameSummary] {
        games.map { GameSummary($1, id: $0) }.sorted { $0.id > $1.id }
    }

    public func game(_ id: GameID) -> Game? { games[id] }

    @discardableResult
    public func create(home: Team, away: Team) -> GameID {
        let id = nextID
        nextID = id.next
        let game = Game(home: home, away: away)
        games[id] = game
        size.games += 1
        size.nameBytes += game.nameBytes
        feed.tell(.created(id, game))
        return id
    }

    public func delete(_ id: GameID) {
        guard let game = games.removeValue(forKey: id) else { return }
        size.games -= 1
        size.nameBytes -= game.nameBytes
        size.moves -= game.moves.count
        if !game.isPaused { size.running -= 1 }
        feed.tell(.deleted(id))
    }

    @discardableResult
    public func apply(_ action: GameAction, to id: GameID, at now: Instant) -> Bool {
        guard let place = games.index(forKey: id) else { return false }
        let (moves, isPaused) = (games.values[place].moves.count, games.values[place].isPaused)
        guard games.values[place].apply(action, at: now) else { return false }
        size.moves += games.values[place].moves.count - moves
        if games.values[place].isPaused != isPaused { size.running += isPaused ? 1 : -1 }
        feed.tell(.changed(id, games.values[place]))
        return true
    }
}
