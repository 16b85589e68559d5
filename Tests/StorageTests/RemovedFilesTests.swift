import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Files that are removed or replaced while a store is open.
@Suite struct RemovedFilesTests {
    private let parent: Folder
    private let folder: Folder
    private let keeper: Keeper

    init() throws {
        parent = try Folder()
        folder = try Folder(in: parent.path)
        keeper = try Keeper(folder)
        try newGame().get()
    }

    private func newGame() throws -> Result<Void, StoreError> {
        _ = try keeper.games.newGame()
        let outcome = try keeper.commit()
        if !outcome.isSuccess { keeper.store.rollBack() }
        return outcome
    }

    private var refusal: String {
        "\(folder.database) was removed or replaced while busd runs: put it back, or save "
            + "its content with 'busd backup FILE' and restart busd"
    }

    private var gamesAfterRestart: Int {
        get throws {
            keeper.store.close()
            return try Keeper(folder).games.summaries.count
        }
    }

    @Test func `a removed database refuses commits, and a backup still has all of it`() throws {
        unlink(folder.database)
        for _ in 1...2 { #expect(try newGame().failureText == refusal) }
        try keeper.backup(to: parent("copy")).get()
        #expect(try Store.check(copy: parent("copy")) == [])
        keeper.store.close()
        rename(parent("copy"), folder.database)
        unlink(folder.log)
        #expect(try Keeper(folder).games.summaries.count == 1)
    }

    @Test func `a removed database is the daemon's, not one that is missing`() throws {
        unlink(folder.database)
        #expect(throws: StoreError.inUse(path: folder.path, process: nil)) {
            try Store.backup(folder: folder.path, to: parent("copy"))
        }
    }

    @Test func `a database that was moved away and is put back takes commits again`() throws {
        rename(folder.database, folder("away"))
        #expect(try newGame().failureText == refusal)
        rename(folder("away"), folder.database)
        #expect(try newGame().isSuccess)
        #expect(try gamesAfterRestart == 2)
    }

    @Test func `a folder that was moved away and is put back takes commits again`() throws {
        rename(folder.path, parent("away"))
        #expect(try newGame().failureText == refusal)
        rename(parent("away"), folder.path)
        #expect(try newGame().isSuccess)
        #expect(try gamesAfterRestart == 2)
    }

    @Test func `a database that was replaced is not written`() throws {
        try keeper.backup(to: parent("copy")).get()
        let before = try bytes(of: parent("copy"))
        rename(parent("copy"), folder.database)
        for _ in 1...2 { #expect(try newGame().failureText == refusal) }
        keeper.store.close()
        #expect(try bytes(of: folder.database) == before)
    }

    @Test func `a log that is removed loses nothing, and a new one is made`() throws {
        unlink(folder.log)
        #expect(try newGame().isSuccess)
        #expect(mode(of: folder.log) == 0o600)
        #expect(try newGame().isSuccess)
        #expect(try gamesAfterRestart == 3)
    }

    @Test func `a log that is removed before the store is closed loses nothing`() throws {
        unlink(folder.log)
        #expect(try gamesAfterRestart == 1)
    }

    @Test func `a FIFO in the place of the log refuses commits until it is gone`() throws {
        unlink(folder.log)
        mkfifo(folder.log, 0o600)
        #expect(
            try newGame().failureText
                == "\(folder.log) is a FIFO, not a regular file: move it away")
        unlink(folder.log)
        #expect(try newGame().isSuccess)
        #expect(try gamesAfterRestart == 2)
    }

    @Test func `a log that is replaced is not read`() throws {
        try write([UInt8](repeating: 7, count: 9_000), to: parent("other"))
        rename(parent("other"), folder.log)
        #expect(try newGame().isSuccess)
        #expect(try gamesAfterRestart == 2)
    }

    @Test func `reserved ids that are removed are written again`() throws {
        unlink(folder.ids)
        #expect(try newGame().isSuccess)
        #expect(
            ReservedIDs(of: StoreFolder(path: folder.path)) == ReservedIDs(games: 1025, books: 1))
    }
}
