package import Protocol
package import ViewModels

/// The library of games as it is on disk, and what has changed since.
///
/// `kept` is what the last commit that succeeded has left on disk, packed. A game that is needed is
/// unpacked, and changed there; a commit takes off with what the changed games have become, and
/// when it lands that is what is kept. So going back is easy: the changed games are what is kept of
/// them.
package final class StoredGames: GamesService {
    package let feed = GamesFeed()

    var kept: [GameID: PackedGame]
    var keptNextID: GameID
    var nextID: GameID
    /// Those that run, that have changed, and that were needed lately.
    var unpacked: [GameID: Game] = [:]
    /// On disk, and deleted since.
    var deleted: Set<GameID> = []
    var running: Set<GameID> = []

    /// What has happened to a game since the last commit took off.
    struct Touch {
        /// So many of its first moves are still the same.
        var common: Int
        var last = Instant(microseconds: 0)
    }

    var touched: [GameID: Touch] = [:]
    var flight = Flight()
    var markedAt: Instant?

    /// How many games are unpacked before those that nobody needs are let go.
    private var mostUnpacked = fewestUnpacked
    private static let fewestUnpacked = 256

    init(_ games: [(GameID, PackedGame)], nextID: GameID) {
        kept = [:]
        kept.reserveCapacity(games.count)
        for (id, game) in games { kept[id] = game }
        self.nextID = nextID
        keptNextID = nextID
    }

    // MARK: The service

    package var summaries: [GameSummary] {
        let new = unpacked.keys.filter { kept[$0] == nil }
        return (kept.keys + new).filter { !deleted.contains($0) }.sorted(by: >)
            .compactMap { id in
                if let game = unpacked[id] { return GameSummary(game, id: id) }
                return kept[id]?.summary(id)
            }
    }

    package func game(_ id: GameID) -> Game? {
        unpack(id)
        return unpacked[id]
    }

    @discardableResult
    package func create(home: Team, away: Team) -> GameID {
        let id = nextID
        nextID = id.next
        let game = Game(home: home, away: away)
        unpacked[id] = game
        touched[id] = Touch(common: 0)
        feed.tell(.created(id, game))
        return id
    }

    package func delete(_ id: GameID) {
        unpack(id)
        guard unpacked.removeValue(forKey: id) != nil else { return }
        deleted.insert(id)
        running.remove(id)
        touched[id] = Touch(common: 0)
        feed.tell(.deleted(id))
    }

    package func apply(_ action: GameAction, to id: GameID, at now: Instant) {
        unpack(id)
        guard let before = unpacked[id]?.moves.count, unpacked[id]?.apply(action, at: now) == true,
            let game = unpacked[id]
        else { return }
        let common = min(touched[id]?.common ?? before, game.moves.count)
        touched[id] = Touch(common: common, last: now)
        noteWhetherRunning(game, id)
        feed.tell(.changed(id, game))
    }

    private func unpack(_ id: GameID) {
        guard unpacked[id] == nil, !deleted.contains(id), let game = kept[id]?.game else { return }
        letGo()
        unpacked[id] = game
    }

    func letGo() {
        guard unpacked.count >= mostUnpacked else { return }
        unpacked = unpacked.filter { isNeeded($0.key) }
        mostUnpacked = max(Self.fewestUnpacked, 2 * unpacked.count)
    }

    private func isNeeded(_ id: GameID) -> Bool {
        running.contains(id) || touched[id] != nil || flight.games[id] != nil
    }

    func noteWhetherRunning(_ game: Game, _ id: GameID) {
        if game.isPaused { running.remove(id) } else { running.insert(id) }
    }
}
