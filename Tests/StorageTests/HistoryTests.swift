import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// Random days with a store: everything that can be done to games, with restarts, commits that fail
/// and others still on their way. Beside it games that are kept in memory only, to which just that
/// is done which a store must not lose.
@Suite struct `Any history of a store` {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `has after a restart what was committed, and after a failure what was before`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let day = try Day()
        for _ in 1...120 {
            try day.step(using: &random)
            try day.compare()
        }
    }
}

private final class Day {
    /// What can be done to games, as a value.
    private enum Step {
        case create
        case delete(GameID)
        case apply(GameAction, GameID, Instant)
        case restart(Instant)
    }

    private let folder = try? Folder()
    private var keeper: Keeper
    private var mirror: Mirror
    private var now = Instant.start

    private var done: [Step] = []
    /// So many of them are on disk.
    private var committed = 0
    private var plain = InMemoryGames()

    init() throws {
        keeper = try Keeper(try #require(folder), durability: .normal)
        mirror = Mirror(keeper.games)
    }

    func step(using random: inout SeededGenerator) throws {
        now = now + .microseconds(Int64.random(in: 0...3_000_000, using: &random))
        switch random.number(0..<20) {
        case 0...1: make()
        case 2: if random.once(in: 3) { delete(anyID(using: &random)) }
        case 3...4: apply(.togglePause, anyID(using: &random))
        case 5...6: for _ in 0..<random.number(1..<9) { apply(.undo, anyID(using: &random)) }
        case 7...8: try commit()
        case 9: try commit(pieces: random.number(2..<5), using: &random)
        case 10: if random.once(in: 4) { try restart() }
        case 11: try fail(whileChanging: random.once(in: 2), using: &random)
        case 12: keeper.store.markRunning(at: now)
        default: for _ in 0..<random.number(1..<9) { play(using: &random) }
        }
    }

    // MARK: Changes

    private func make() {
        guard let hawks = try? hawks(), let jets = try? jets() else { return }
        keeper.games.create(home: hawks, away: jets)
        plain.create(home: hawks, away: jets)
        done.append(.create)
    }

    private func delete(_ id: GameID) {
        keeper.games.delete(id)
        plain.delete(id)
        done.append(.delete(id))
    }

    private func apply(_ action: GameAction, _ id: GameID) {
        keeper.games.apply(action, to: id, at: now)
        plain.apply(action, to: id, at: now)
        done.append(.apply(action, id, now))
    }

    private func play(using random: inout SeededGenerator) {
        let kinds: [Move.Kind] = [.onePoint, .twoPoints, .twoPoints, .assist, .rebound, .foul]
        let player = PlayerID.all[random.number(0..<6)]
        let kind = kinds[random.number(0..<kinds.count)]
        apply(.play(Move(kind, by: player)), anyID(using: &random))
    }

    /// Sometimes of a game that was never there.
    private func anyID(using random: inout SeededGenerator) -> GameID {
        GameID(random.number(1..<9)) ?? .first
    }

    // MARK: The disk

    private func commit() throws {
        try keeper.keep()
        committed = done.count
    }

    /// Several are under way at once.
    private func commit(pieces: Int, using random: inout SeededGenerator) throws {
        for _ in 1...pieces {
            for _ in 1...3 { play(using: &random) }
            if random.once(in: 3) { apply(.undo, anyID(using: &random)) }
            if random.once(in: 6) { delete(anyID(using: &random)) }
            keeper.store.commit()
        }
        while keeper.store.commitsUnderWay > 0 { try keeper.outcome().get() }
        committed = done.count
    }

    private func restart() throws {
        keeper.store.markRunning(at: now)
        try commit()
        keeper.store.close()
        keeper = try Keeper(try #require(folder), durability: .normal)
        #expect(keeper.store.findings == [])
        mirror = Mirror(keeper.games)
        pauseAll(plain, at: now)
        done.append(.restart(now))
        committed = done.count
    }

    /// A commit fails, whether or not something else is done in the meantime.
    private func fail(whileChanging: Bool, using random: inout SeededGenerator) throws {
        keeper.store.limit(pages: 1)
        for _ in 1...200 { make() }
        keeper.store.commit()
        if whileChanging {
            for _ in 1...5 { play(using: &random) }
            delete(anyID(using: &random))
            // Nor does one that was handed over behind it count.
            if random.once(in: 2) { keeper.store.commit() }
        }
        #expect(try keeper.outcome().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        keeper.store.limit(pages: 100_000)
        done.removeSubrange(committed...)
        plain = InMemoryGames()
        for step in done { replay(step) }
    }

    private func replay(_ step: Step) {
        switch step {
        case .create:
            guard let hawks = try? hawks(), let jets = try? jets() else { return }
            plain.create(home: hawks, away: jets)
        case .delete(let id): plain.delete(id)
        case .apply(let action, let id, let now): plain.apply(action, to: id, at: now)
        case .restart(let now): pauseAll(plain, at: now)
        }
    }

    private func pauseAll(_ games: InMemoryGames, at now: Instant) {
        for summary in games.summaries where summary.status == .running {
            games.apply(.togglePause, to: summary.id, at: now)
        }
    }

    // MARK: Comparing

    func compare() throws {
        #expect(keeper.games.summaries == plain.summaries)
        for summary in plain.summaries {
            let (game, other) = (keeper.games.game(summary.id), plain.game(summary.id))
            let ours = try #require(game)
            let theirs = try #require(other)
            #expect(ours.moves == theirs.moves)
            #expect(ours.isPaused == theirs.isPaused)
            for later in [now, now + .seconds(7)] {
                #expect(
                    ours.stopwatch.elapsed(at: later) == theirs.stopwatch.elapsed(at: later))
            }
        }
        #expect(
            mirror.moves
                == plain.summaries.reduce(into: [:]) { all, summary in
                    all[summary.id] = plain.game(summary.id)?.moves
                })
    }
}

/// Knows the games by what the feed tells alone.
private final class Mirror {
    private(set) var moves: [GameID: [Move]] = [:]

    init(_ games: StoredGames) {
        for summary in games.summaries { moves[summary.id] = games.game(summary.id)?.moves }
        games.feed.library.bind(self) { $0.hear($1) }
    }

    private func hear(_ change: GamesChange) {
        switch change {
        case .created(let id, let game), .restored(let id, let game):
            #expect(moves.updateValue(game.moves, forKey: id) == nil)
        case .changed(let id, let game):
            #expect(moves.updateValue(game.moves, forKey: id) != nil)
        case .deleted(let id), .withdrawn(let id):
            #expect(moves.removeValue(forKey: id) != nil)
        }
    }
}
