import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// A log that grows has room ahead, so that the file system need not find some for each commit.
@Suite struct `Room in the log` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Bytes behind the head.
    private func size() throws -> Int { try bytes(of: folder.log).count - 32 }

    private func used() throws -> Int { try folder.writtenLog().count - 32 }

    private func play(_ keeper: Keeper, _ moves: ClosedRange<Int>) throws {
        for number in moves {
            let kind: Move.Kind = number % 2 == 0 ? .foul : .rebound
            keeper.games.apply(.play(Move(kind, by: .home1)), to: .first, at: .start)
            try keeper.keep()
        }
        // The writer does one thing after the other.
        _ = try keeper.keys(of: GameID.first.address)
    }

    @Test func `is made once it grows`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try play(keeper, 1...30)
        #expect(try size() == used())
        try play(keeper, 31...80)
        let room = try size() - used()
        #expect(room % 4120 == 0)
        #expect((900...1023).contains(room / 4120))
        let before = try size()
        try play(keeper, 81...120)
        #expect(try size() == before)
    }

    @Test func `goes on growing by as much at a time`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try play(keeper, 1...80)
        let before = try size()
        try play(keeper, 81...1200)
        #expect(try size() > before + 900 * 4120)
        #expect(try used() < size())
    }

    @Test func `is nothing to who reads the log after a crash`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try play(keeper, 1...100)
        let copy = try Folder()
        for name in folder.names where name != "store.lock" {
            try write(try bytes(of: folder(name)), to: copy(name))
        }
        #expect(try copy.writtenLog().count < bytes(of: copy.log).count)
        #expect(try Store.check(folder: copy.path) == [])
        let again = try Keeper(copy)
        #expect(again.store.findings == [])
        #expect(again.games.game(.first)?.moves.count == 100)
        try play(again, 101...200)
        again.store.close()
        #expect(try Keeper(copy).games.game(.first)?.moves.count == 200)
    }

    @Test func `goes with a commit that fails, and comes again`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try play(keeper, 1...100)
        let kept = try folder.writtenLog()
        keeper.store.limit(pages: 1)
        for _ in 1...200 { _ = try keeper.games.newGame() }
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        #expect(try bytes(of: folder.log) == kept)
        keeper.store.rollBack()
        keeper.store.limit(pages: 100_000)
        try play(keeper, 101...300)
        #expect(try used() < size())
        keeper.store.close()
        #expect(try Keeper(folder).games.game(.first)?.moves.count == 300)
    }

    @Test func `is not made where nothing waits for the disk`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        _ = try keeper.games.newGame()
        for _ in 1...3 { try play(keeper, 1...60) }
        #expect(try size() == used())
    }

    @Test func `is left to others where the disk has little`() throws {
        let path = folder("file")
        try write([1, 2, 3], to: path)
        try File.fill(path, to: 10_000, where: .max)
        #expect(try bytes(of: path) == [1, 2, 3])
        try File.fill(path, to: 200_000, where: 1)
        #expect(try bytes(of: path) == [1, 2, 3] + [UInt8](repeating: 0, count: 199_997))
        try File.fill(path, to: 10, where: 1)
        #expect(try bytes(of: path).count == 200_000)
        try File.fill(folder("missing"), to: 10, where: 1)
        #expect(folder.names == ["file"])
    }
}
