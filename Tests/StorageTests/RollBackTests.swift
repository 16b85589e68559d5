import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `A commit that fails` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `says so with SQLite's own name, and with the path`() throws {
        let keeper = try fullKeeper()
        guard case .failure(let error) = try keeper.commit() else {
            Issue.record("there was room")
            return
        }
        #expect(error.description == "\(folder.database): SQLITE_FULL: database or disk is full")
    }

    @Test func `takes back a new game, and its number`() throws {
        let keeper = try fullKeeper(games: 0)
        let listener = Listener(keeper.games.feed)
        for _ in 1...200 { _ = try keeper.games.newGame() }
        #expect(keeper.games.summaries.count == 200)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(keeper.games.summaries == [])
        #expect(listener.heard.suffix(200) == (1...200).reversed().map { "withdrawn \($0)" }[...])
        #expect(try keeper.games.newGame() == .first)
    }

    @Test func `takes back moves, and what they won`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        for _ in 1...14 { keeper.games.play(.onePoint, in: id) }
        try keeper.keep()
        let before = keeper.games.game(id)
        try fill(keeper)
        let listener = Listener(keeper.games.feed)
        keeper.games.play(.onePoint, in: id)
        #expect(keeper.games.summaries.last?.status == .finished)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(keeper.games.game(id) == before)
        #expect(keeper.games.summaries.last?.status == .paused)
        #expect(listener.heard.last == "changed 1 14 paused")
    }

    @Test func `brings back what was deleted`() throws {
        let keeper = try Keeper(folder)
        for _ in 1...3 { _ = try keeper.games.newGame() }
        keeper.games.play(.assist, in: try id(2))
        try keeper.keep()
        let before = keeper.games.summaries
        try fill(keeper)
        let listener = Listener(keeper.games.feed)
        keeper.games.delete(try id(2))
        #expect(keeper.games.game(try id(2)) == nil)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(keeper.games.summaries == before)
        #expect(listener.heard.last == "restored 2 1 paused")
    }

    @Test func `says nothing of a game that came and went in it`() throws {
        let keeper = try Keeper(folder)
        try fill(keeper)
        keeper.games.delete(try keeper.games.newGame())
        let listener = Listener(keeper.games.feed)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(!listener.heard.contains { $0.hasSuffix(" 201") })
        #expect(listener.heard.count == 200)
        #expect(keeper.games.summaries == [])
    }

    @Test func `takes back what has changed since, too`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        try keeper.keep()
        try fill(keeper)
        keeper.store.commit()
        keeper.games.play(.foul, in: id)
        keeper.store.remember(key: "late", of: try address("scoreboard/1"), answer: nil)
        let other = try keeper.games.newGame()
        #expect(try keeper.outcome().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(keeper.games.game(id)?.moves == [])
        #expect(keeper.games.game(other) == nil)
        #expect(try keeper.keys(of: address("scoreboard/1")).isEmpty)
        #expect(!keeper.store.hasChanges)
    }

    @Test func `remembers no key`() throws {
        let keeper = try fullKeeper()
        keeper.store.remember(key: "a", of: try address("games"), answer: 1...3)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(try keeper.keys(of: address("games")).isEmpty)
    }

    @Test func `lets a stopped game run on as if it had never stopped`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        keeper.games.apply(.togglePause, to: id, at: .seconds(10))
        try keeper.keep()
        try fill(keeper)
        keeper.games.apply(.togglePause, to: id, at: .seconds(12))
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        let game = try #require(keeper.games.game(id))
        #expect(!game.isPaused)
        #expect(game.stopwatch.elapsed(at: .seconds(15)) == .seconds(5))
        #expect(keeper.games.summaries.last?.status == .running)
    }

    @Test func `stops a game that it has started`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        try keeper.keep()
        try fill(keeper)
        keeper.games.apply(.togglePause, to: id, at: .seconds(10))
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        #expect(keeper.games.game(id)?.isPaused == true)
        keeper.store.markRunning(at: .seconds(11))
        #expect(!keeper.store.hasChanges)
    }

    @Test func `leaves no trace on disk`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        try keeper.keep()
        let before = keeper.games.summaries
        try fill(keeper)
        keeper.games.play(.foul, in: id)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        // Before anybody has been told, and without a proper end.
        let copy = try Folder()
        for name in folder.names {
            try write(try bytes(of: folder(name)), to: copy(name))
        }
        let again = try Keeper(copy)
        #expect(again.store.findings == [])
        #expect(again.games.summaries == before)
        #expect(again.games.game(id)?.moves == [])
    }

    @Test func `is no obstacle to the next, once there is room`() throws {
        let keeper = try fullKeeper()
        for _ in 1...3 {
            #expect(try keeper.commit().failureName == "SQLITE_FULL")
            keeper.store.rollBack()
            for _ in 1...200 { _ = try keeper.games.newGame() }
        }
        keeper.store.rollBack()
        keeper.store.limit(pages: 100_000)
        let id = try keeper.games.newGame()
        try keeper.commit().get()
        keeper.games.play(.foul, in: id)
        try keeper.commit().get()
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(again.games.game(id)?.moves.count == 1)
    }

    @Test func `leaves a small change possible where there is room for it`() throws {
        let keeper = try Keeper(folder)
        let id = try keeper.games.newGame()
        try keeper.keep()
        try fill(keeper)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        keeper.games.play(.foul, in: id)
        try keeper.commit().get()
        #expect(keeper.games.game(id)?.moves.count == 1)
    }

    // MARK: A log that somebody else has changed

    @Test func `is followed by others, when its log has become shorter`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try keeper.keep()
        let log = try bytes(of: folder.log)
        try fill(keeper)
        try write(Array(log.prefix(100)), to: folder.log)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        for _ in 1...2 {
            keeper.store.rollBack()
            keeper.store.limit(pages: 100_000)
            _ = try keeper.games.newGame()
            #expect(
                try keeper.commit().failureText
                    == "\(folder.log) is shorter than what has been written to it")
        }
        // Whoever brings it back brings everything back.
        try write(log, to: folder.log)
        keeper.store.rollBack()
        _ = try keeper.games.newGame()
        try keeper.commit().get()
        keeper.store.close()
        #expect(try Keeper(folder).games.summaries.count == 2)
    }

    @Test func `is followed by others, when its log has become another`() throws {
        let keeper = try Keeper(folder)
        _ = try keeper.games.newGame()
        try keeper.keep()
        var log = try bytes(of: folder.log)
        try fill(keeper)
        // In the page of the first frame.
        log[100] ^= 1
        try write(log, to: folder.log)
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        _ = try keeper.games.newGame()
        let text = try keeper.commit().failureText ?? ""
        #expect(text.hasPrefix("\(folder.database) has lost "))
        #expect(text.hasSuffix(" pages in its log"))
        keeper.store.rollBack()
        #expect(keeper.games.summaries.count == 1)
    }

    /// A store without room that has this many games, and more than fits to write.
    private func fullKeeper(games: Int = 3) throws -> Keeper {
        let keeper = try Keeper(folder)
        for _ in 0..<games { _ = try keeper.games.newGame() }
        try keeper.keep()
        keeper.store.limit(pages: 1)
        if games > 0 { try fill(keeper) }
        return keeper
    }

    /// Something that does not fit, and no room.
    private func fill(_ keeper: Keeper) throws {
        keeper.store.limit(pages: 1)
        for _ in 1...200 { _ = try keeper.games.newGame() }
    }
}
