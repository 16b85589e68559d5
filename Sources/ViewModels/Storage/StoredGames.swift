package import BusdProtocol
package import BusdViewModels

/// The library of games, as it is on disk and as it has changed since.
package final class StoredGames: GamesService {
    package let feed = GamesFeed()

    private(set) var ledger: Ledger<PackedGame>
    private var running: Set<GameID> = []
    /// Moves of all games.
    private var moveCount: Int
    /// Of the names in all games.
    private var nameBytes: Int
    /// How many moves each game has had ever since a commit took it along last. A long game is not
    /// looked through for each move.
    private var sameMoves: [GameID: Int] = [:]
    /// The latest moment of which anything is known.
    private var now = Instant(microseconds: 0)
    /// What is asked of this game is answered with what it has been.
    private var shown: (id: GameID, game: Game)?
    /// The time of the games that are running is to be written.
    private var isMarked = false

    init(_ games: [(GameID, PackedGame)], nextID: GameID) {
        ledger = Ledger(games, nextID: nextID)
        moveCount = games.reduce(0) { $0 + $1.1.moveCount }
        nameBytes = games.reduce(0) { $0 + $1.1.nameBytes }
    }

    // MARK: The service

    package var size: GamesSize {
        var size = GamesSize()
        size.games = ledger.count
        size.moves = moveCount
        size.running = running.count
        size.nameBytes = nameBytes
        return size
    }

    package var summaries: [GameSummary] {
        ledger.ids.sorted(by: >).compactMap { id in
            ledger.unpacked[id].map { GameSummary($0, id: id) } ?? ledger.kept[id]?.summary(id)
        }
    }

    package func game(_ id: GameID) -> Game? {
        if let shown, shown.id == id { return shown.game }
        return ledger[id]
    }

    /// While `make` runs, the game is as it is on disk. Those who begin to follow it meanwhile are
    /// then told, and they alone, what it has become: with each commit under way, which are counted
    /// from the oldest, and (`nil`) since. Each time they have been told when `then` runs.
    package func asOnDisk(_ id: GameID, _ make: () -> Void, then: (Int?) -> Void) {
        guard let past = ledger.past(of: id) else { return make() }
        shown = (id, past.kept)
        let tell = feed.newcomers(to: id, make)
        for step in past.steps {
            shown = (id, step.thing)
            tell(step.thing)
            then(step.commit)
        }
        shown = nil
    }

    @discardableResult
    package func create(home: Team, away: Team) -> GameID {
        let game = Game(home: home, away: away)
        let id = ledger.create(game)
        nameBytes += game.nameBytes
        feed.tell(.created(id, game))
        return id
    }

    package func delete(_ id: GameID) {
        let moves = ledger.unpacked[id]?.moves.count ?? ledger.kept[id]?.moveCount ?? 0
        let names = ledger.unpacked[id]?.nameBytes ?? ledger.kept[id]?.nameBytes ?? 0
        guard ledger.delete(id) else { return }
        moveCount -= moves
        nameBytes -= names
        running.remove(id)
        feed.tell(.deleted(id))
    }

    @discardableResult
    package func apply(_ action: GameAction, to id: GameID, at now: Instant) -> Bool {
        var moves = 0
        let changed = ledger.change(id) { game in
            moves = game.moves.count
            return game.apply(action, at: now)
        }
        guard let game = changed else { return false }
        moveCount += game.moves.count - moves
        self.now = max(self.now, now)
        sameMoves[id] = min(sameMoves[id] ?? .max, game.moves.count)
        if game.isPaused { running.remove(id) } else { running.insert(id) }
        feed.tell(.changed(id, game))
        return true
    }

    /// Notes the time of the games that are running, so that it outlives the program.
    func markRunning(at now: Instant) {
        self.now = max(self.now, now)
        isMarked = !running.isEmpty
    }

    /// Takes no more memory than it needs, which takes some milliseconds.
    package func compact() { ledger.compact(PackedGame.renew) }

    // MARK: Commits

    var hasChanges: Bool { ledger.hasChanges || isMarked }

    func takeWork() -> Int { ledger.takeWork() }

    func takeOff(with transaction: inout Transaction) {
        if isMarked { for id in running { ledger.touch(id) } }
        isMarked = false
        (transaction.games, transaction.nextGame) = ledger.takeOff {
            [now, sameMoves] id, before, game in
            var packed = before ?? game.map { PackedGame(home: $0.home, away: $0.away) }
            if let game {
                packed?.become(game, sameMoves: sameMoves[id] ?? game.moves.count, at: now)
            } else {
                packed?.mark(at: now)
            }
            return packed
        }
        sameMoves = [:]
    }

    func land() { ledger.land() }

    func rollBack() {
        isMarked = false
        sameMoves = [:]
        let returns = ledger.rollBack()
        moveCount = ledger.kept.values.reduce(0) { $0 + $1.moveCount }
        nameBytes = ledger.kept.values.reduce(0) { $0 + $1.nameBytes }
        for back in returns { noteWhetherRunning(back.id) }
        for back in returns { tell(back) }
    }

    private func noteWhetherRunning(_ id: GameID) {
        if ledger.kept[id]?.runningSince == nil { running.remove(id) } else { running.insert(id) }
    }

    private func tell(_ back: Ledger<PackedGame>.Return) {
        let game = ledger[back.id]
        switch (back, game) {
        case (.changed(let id), let game?): feed.tell(.changed(id, game))
        case (.restored(let id), let game?): feed.tell(.restored(id, game))
        case (_, _): feed.tell(.withdrawn(back.id))
        }
    }
}
