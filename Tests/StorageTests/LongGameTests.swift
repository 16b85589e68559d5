import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// A game's moves are on disk in chunks of 256, and the rest; what goes wrong, goes wrong at their
/// ends.
@Suite struct `A very long game` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [255, 256, 257, 511, 512, 513, 1000])
    func `is there again, however long`(count: Int) throws {
        let keeper = try Keeper(folder, durability: .normal)
        let id = try keeper.games.newGame()
        for number in 0..<count { keeper.games.apply(.play(move(number)), to: id, at: .start) }
        try keeper.keep()
        keeper.store.close()
        let again = try Keeper(folder, durability: .normal)
        #expect(again.store.findings == [])
        #expect(again.games.game(id)?.moves == (0..<count).map(move))
        #expect(try Keeper.check(folder, after: again) == [])
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `grows and shrinks over all boundaries`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var keeper = try Keeper(folder, durability: .normal)
        let id = try keeper.games.newGame()
        var moves: [Move] = []
        for _ in 1...25 {
            for _ in 0..<random.number(0..<400) where !moves.isEmpty {
                keeper.games.apply(.undo, to: id, at: .start)
                moves.removeLast()
            }
            for _ in 0..<random.number(0..<400) {
                let move = move(random.number(0..<18))
                keeper.games.apply(.play(move), to: id, at: .start)
                moves.append(move)
            }
            if random.once(in: 2) { try keeper.keep() }
            guard random.once(in: 3) else { continue }
            try keeper.keep()
            keeper.store.close()
            keeper = try Keeper(folder, durability: .normal)
            #expect(keeper.games.game(id)?.moves == moves)
            #expect(keeper.store.findings == [])
        }
        try keeper.keep()
        #expect(try Keeper.check(folder, after: keeper) == [])
    }

    @Test func `goes with all its moves`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        let id = try keeper.games.newGame()
        for number in 0..<600 { keeper.games.apply(.play(move(number)), to: id, at: .start) }
        try keeper.keep()
        keeper.games.delete(id)
        try keeper.keep()
        keeper.store.close()
        let connection = try Connection(path: folder.database)
        #expect(try connection.integer("SELECT count(*) FROM moves") == 0)
        #expect(try connection.integer("SELECT count(*) FROM games") == 0)
    }

    @Test func `costs one small write a move`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        let id = try keeper.games.newGame()
        for number in 0..<20_000 { keeper.games.apply(.play(move(number)), to: id, at: .start) }
        try keeper.keep()
        // The log is begun anew after this.
        keeper.store.close()
        let again = try Keeper(folder, durability: .normal)
        for number in 1...100 {
            again.games.apply(.play(move(number)), to: id, at: .start)
            try again.commit().get()
        }
        // A page for the game, now and then one for a full chunk.
        #expect(try bytes(of: folder.log).count < 110 * 4120)
    }

    /// None that scores, so that the game does not end.
    private func move(_ number: Int) -> Move {
        let kinds: [Move.Kind] = [.assist, .rebound, .foul]
        return Move(kinds[number % 3], by: PlayerID.all[number % 6])
    }
}

extension Keeper {
    /// What `busd check` finds once the store is closed.
    static func check(_ folder: Folder, after keeper: Keeper) throws -> [String] {
        keeper.store.close()
        return try Store.check(folder: folder.path)
    }
}
