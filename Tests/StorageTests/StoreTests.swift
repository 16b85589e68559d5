import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `A store` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `begins empty, whole and without anything to write`() throws {
        let keeper = try Keeper(folder)
        #expect(keeper.games.summaries == [])
        #expect(keeper.store.findings == [])
        #expect(!keeper.store.hasChanges)
        keeper.store.commit()
        #expect(keeper.store.takeOutcome() == nil)
    }

    @Test func `has a new game after a restart`() throws {
        let game = try reopened { keeper in
            _ = keeper.games.create(home: try hawks(), away: try jets())
        }.games.game(.first)
        #expect(game == Game(home: try hawks(), away: try jets()))
    }

    @Test func `has every move, in its order`() throws {
        let all =
            PlayerID.all.flatMap { player in
                Move.Kind.allCases.filter { $0.points == 0 }.map { Move($0, by: player) }
            } + [Move(.onePoint, by: .home1), Move(.twoPoints, by: .away3)]
        let keeper = try reopened { keeper in
            let id = try keeper.games.newGame()
            for move in all { keeper.games.apply(.play(move), to: id, at: .start) }
        }
        #expect(keeper.games.game(.first)?.moves == all)
        #expect(keeper.games.game(.first)?.score == Score(home: 1, away: 2))
    }

    @Test func `takes back moves from before the restart`() throws {
        var keeper = try reopened { keeper in
            let id = try keeper.games.newGame()
            for kind in [Move.Kind.onePoint, .foul, .twoPoints] { keeper.games.play(kind, in: id) }
        }
        keeper = try reopened(keeper) { keeper in
            for _ in 1...2 { keeper.games.apply(.undo, to: .first, at: .start) }
            keeper.games.play(.assist, in: .first)
        }
        #expect(keeper.games.game(.first)?.moves.map(\.kind) == [.onePoint, .assist])
    }

    @Test func `reopens a game that was won before the restart`() throws {
        let keeper = try reopened { keeper in
            let id = try keeper.games.newGame()
            for _ in 1...15 { keeper.games.play(.onePoint, in: id) }
        }
        #expect(keeper.games.summaries.map(\.status) == [.finished])
        keeper.games.apply(.undo, to: .first, at: .start)
        #expect(keeper.games.summaries.map(\.status) == [.paused])
        #expect(keeper.games.game(.first)?.score == Score(home: 14))
    }

    @Test func `has no game that was deleted, and not its number either`() throws {
        var keeper = try reopened { keeper in
            for _ in 1...3 { _ = try keeper.games.newGame() }
        }
        keeper = try reopened(keeper) { keeper in
            keeper.games.delete(try id(3))
            keeper.games.delete(.first)
        }
        #expect(keeper.games.summaries.map(\.id) == [try id(2)])
        #expect(keeper.games.game(.first) == nil)
        #expect(try keeper.games.newGame() == id(4))
    }

    @Test func `gives no number twice, even of a game that was gone at once`() throws {
        let keeper = try reopened { keeper in
            keeper.games.delete(try keeper.games.newGame())
        }
        #expect(keeper.games.summaries == [])
        #expect(try keeper.games.newGame() == id(2))
    }

    @Test func `lists the newest first, unpacked or not`() throws {
        let keeper = try reopened { keeper in
            for _ in 1...3 { _ = try keeper.games.newGame() }
        }
        keeper.games.play(.twoPoints, in: try id(2))
        _ = try keeper.games.newGame()
        #expect(keeper.games.summaries.map(\.id.number) == [4, 3, 2, 1])
        #expect(keeper.games.summaries.map(\.score.home) == [0, 0, 2, 0])
    }

    @Test func `does nothing for a game that is not there`() throws {
        let keeper = try Keeper(folder)
        keeper.games.play(.foul, in: .first)
        keeper.games.delete(.first)
        keeper.games.apply(.undo, to: try keeper.games.newGame().next, at: .start)
        try keeper.keep()
        keeper.games.apply(.undo, to: .first, at: .start)
        #expect(!keeper.store.hasChanges)
    }

    @Test(arguments: ["Zoë 😀", "e\u{301}quipe", "a'; DROP TABLE games; --", "%s%n%@", "\u{301}x"])
    func `keeps names to the code point`(name: String) throws {
        let odd = try team(name, "1", "2\u{200d}3", name)
        let keeper = try reopened { $0.games.create(home: odd, away: odd) }
        let home = try #require(keeper.games.game(.first)?.home)
        #expect(Array(home.name.text.unicodeScalars) == Array(name.unicodeScalars))
        #expect(home == odd)
        let summary = try #require(keeper.games.summaries.first)
        #expect(Array(summary.away.text.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test func `keeps the longest names`() throws {
        let longest = String(repeating: "👩‍👩‍👧‍👦", count: Name.longest)
        let odd = try team(longest, longest, longest, longest)
        let keeper = try reopened { $0.games.create(home: odd, away: odd) }
        #expect(keeper.games.game(.first)?.away == odd)
    }

    // MARK: Commits

    @Test func `commits end in the order in which they began`() throws {
        let keeper = try Keeper(folder)
        for count in 1...3 {
            _ = try keeper.games.newGame()
            keeper.store.commit()
            #expect(keeper.store.commitsUnderWay == count)
            #expect(!keeper.store.hasChanges)
        }
        for count in [2, 1, 0] {
            try keeper.outcome().get()
            #expect(keeper.store.commitsUnderWay == count)
            #expect(keeper.games.ledger.kept.count == 3 - count)
        }
        #expect(keeper.store.takeOutcome() == nil)
        keeper.store.close()
        #expect(try Keeper(folder).games.summaries.count == 3)
    }

    @Test func `what changes while it is under way is in a later commit, whole`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        keeper.store.commit()
        keeper.games.play(.foul, in: .first)
        keeper.store.commit()
        keeper.games.play(.rebound, in: .first)
        keeper.games.apply(.undo, to: .first, at: .start)
        keeper.games.apply(.undo, to: .first, at: .start)
        keeper.games.play(.assist, in: .first)
        keeper.store.commit()
        keeper.games.delete(try keeper.games.newGame())
        try keeper.commit().get()
        for _ in 1...3 { try keeper.outcome().get() }
        let game = try #require(keeper.games.game(.first))
        #expect(game.moves.map(\.kind) == [.assist])
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.games.summaries.map(\.id) == [.first])
        #expect(again.games.game(.first)?.moves == game.moves)
    }

    @Test func `a game deleted while it is on its way to disk is gone`() throws {
        let keeper = try Keeper(folder)
        let game = try keeper.games.newGame()
        keeper.store.commit()
        keeper.games.delete(game)
        keeper.store.commit()
        #expect(keeper.games.summaries.isEmpty)
        for _ in 1...2 { try keeper.outcome().get() }
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.games.summaries.isEmpty)
        #expect(try again.games.newGame() == game.next)
    }

    @Test func `loses what was not committed, and nothing else`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try keeper.commit().get()
        keeper.games.play(.foul, in: .first)
        _ = try keeper.games.newGame()
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.games.summaries.map(\.id) == [.first])
        #expect(again.games.game(.first)?.moves == [])
    }

    @Test func `finishes what it was given before it closes`() throws {
        let keeper = try Keeper(folder)
        for _ in 1...50 { _ = try keeper.games.newGame() }
        keeper.store.commit()
        keeper.store.close()
        #expect(keeper.store.takeOutcome()?.isSuccess == true)
        #expect(try Keeper(folder).games.summaries.count == 50)
    }

    @Test func `leaves its file, its lock and its ids behind`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try keeper.commit().get()
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite", "store.sqlite-wal"])
        keeper.store.close()
        keeper.store.close()
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
    }

    @Test func `has everything after a long day`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        let id = try keeper.games.newGame()
        // More than the length at which the log is brought into the file.
        for _ in 1...2500 {
            keeper.games.play(.foul, in: id)
            try keeper.commit().get()
        }
        keeper.store.close()
        let game = try #require(try Keeper(folder).games.game(id))
        #expect(game.count(of: .foul, by: .home1) == 2500)
    }

    // MARK: Time

    @Test func `pauses what was running, with the time of the last note`() throws {
        let keeper = try reopened { keeper in
            let id = try keeper.games.newGame()
            keeper.games.apply(.togglePause, to: id, at: .seconds(10))
            try keeper.keep()
            keeper.store.markRunning(at: .seconds(11.5))
            #expect(keeper.store.hasChanges)
        }
        let game = try #require(keeper.games.game(.first))
        #expect(game.isPaused)
        #expect(game.stopwatch.elapsed(at: .seconds(99)) == .seconds(1.5))
        #expect(keeper.games.summaries.map(\.status) == [.paused])
    }

    @Test func `notes the time with a move, too`() throws {
        let keeper = try reopened { keeper in
            let id = try keeper.games.newGame()
            keeper.games.apply(.togglePause, to: id, at: .seconds(1))
            keeper.games.apply(.play(Move(.foul, by: .home1)), to: id, at: .seconds(3))
        }
        #expect(keeper.games.game(.first)?.stopwatch.elapsed(at: .start) == .seconds(2))
    }

    @Test func `adds up the times of several days to the microsecond`() throws {
        var keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        for day in 1...5 {
            keeper = try reopened(keeper) { keeper in
                let start = Instant.seconds(Double(day) * 1000)
                keeper.games.apply(.togglePause, to: .first, at: start)
                keeper.games.apply(.togglePause, to: .first, at: start + .microseconds(99_999))
            }
        }
        let game = try #require(keeper.games.game(.first))
        #expect(game.stopwatch.elapsed(at: .start) == .microseconds(499_995))
    }

    @Test func `writes nothing for the time where nothing runs`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        keeper.games.apply(.togglePause, to: id, at: .seconds(1))
        keeper.games.apply(.togglePause, to: id, at: .seconds(2))
        try keeper.keep()
        keeper.store.markRunning(at: .seconds(3))
        #expect(!keeper.store.hasChanges)
    }

    @Test func `tells nobody of a note, and goes on running`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        keeper.games.apply(.togglePause, to: id, at: .seconds(1))
        try keeper.keep()
        let listener = Listener(keeper.games.feed)
        keeper.store.markRunning(at: .seconds(2))
        try keeper.keep()
        #expect(listener.heard == [])
        let game = try #require(keeper.games.game(id))
        #expect(!game.isPaused)
        #expect(game.stopwatch.elapsed(at: .seconds(4)) == .seconds(3))
    }

    @Test func `notes the time of many games at once`() throws {
        let keeper = try reopened { keeper in
            for number in 1...300 {
                keeper.games.apply(
                    .togglePause, to: try keeper.games.newGame(), at: .seconds(Double(number)))
            }
            try keeper.keep()
            keeper.store.markRunning(at: .seconds(301))
        }
        for number in 1...300 {
            let game = try #require(keeper.games.game(try id(number)))
            #expect(game.stopwatch.elapsed(at: .start) == .seconds(301 - number))
        }
    }

    // MARK: Nothing kept

    @Test func `keeps nothing where that is wanted, and always succeeds`() throws {
        let keeper = try Keeper(folder, durability: .none)
        _ = try keeper.games.newGame()
        keeper.store.remember(key: "a", of: try address("games"), answer: 1...2)
        #expect(keeper.store.hasChanges)
        keeper.store.commit()
        #expect(keeper.store.takeOutcome()?.isSuccess == true)
        #expect(keeper.store.takeOutcome() == nil)
        #expect(!keeper.store.hasChanges)
        #expect(keeper.games.summaries.map(\.id) == [.first])
        #expect(try keeper.keys(of: address("games")).isEmpty)
        keeper.store.close()
        #expect(folder.names == [])
    }

    @Test func `survives its program with normal durability`() throws {
        let keeper = try reopened(durability: .normal) { keeper in
            for _ in 1...20 {
                _ = try keeper.games.newGame()
                try keeper.keep()
            }
        }
        #expect(keeper.games.summaries.count == 20)
    }

    @Test func `has the last second in its file by itself with normal durability`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        _ = try keeper.games.newGame()
        try keeper.commit().get()
        // The checkpoint is what syncs, and the next commit then begins the log anew: it gets no
        // longer.
        let length = try bytes(of: folder.log).count
        let started = try bytes(of: folder.database)
        while try bytes(of: folder.database) == started { keeper.bell.wait(milliseconds: 50) }
        keeper.games.play(.foul, in: .first)
        try keeper.commit().get()
        #expect(try bytes(of: folder.log).count <= length)
    }

    /// The store after a restart in which all changes were committed.
    private func reopened(
        _ keeper: Keeper? = nil, durability: Durability = .full, _ change: (Keeper) throws -> Void
    ) throws -> Keeper {
        let keeper = try keeper ?? Keeper(folder, durability: durability)
        try change(keeper)
        try keeper.keep()
        keeper.store.close()
        return try Keeper(folder, durability: durability)
    }
}

/// Hears what the feed tells, as short texts.
final class Listener {
    private(set) var heard: [String] = []

    init(_ feed: GamesFeed) {
        feed.library.bind(self) { listener, change in
            switch change {
            case .created(let id, let game): listener.hear("created", id, game)
            case .changed(let id, let game): listener.hear("changed", id, game)
            case .restored(let id, let game): listener.hear("restored", id, game)
            case .deleted(let id): listener.heard.append("deleted \(id.text)")
            case .withdrawn(let id): listener.heard.append("withdrawn \(id.text)")
            }
        }
    }

    private func hear(_ what: String, _ id: GameID, _ game: Game) {
        heard.append("\(what) \(id.text) \(game.moves.count) \(game.status)")
    }
}
