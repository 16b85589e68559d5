import Glibc
import Protocol
import Testing
import ViewModels

@testable import Storage

/// A write-ahead log that is damaged: SQLite takes it for one that ends there, and says nothing.
@Suite struct `A log that is damaged` {
    private let folder: Folder
    private let exhibit: Exhibit
    private static let frameSize = 24 + 4096

    init() throws {
        folder = try Folder()
        exhibit = try Exhibit.made.get()
    }

    private var frameCount: Int { (exhibit.log.count - 32) / Self.frameSize }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `is kept, and what was written behind the damage is said to be lost`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = exhibit.log
        let frame = random.number(0..<frameCount / 2)
        let place = 32 + frame * Self.frameSize + random.number(0..<Self.frameSize)
        log[place] ^= UInt8(random.number(1..<256))
        try put(log)
        let checked = try Store.check(folder: folder.path)
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings[0].contains("what was written after frame \(frame) of its log"))
        #expect(checked[0].contains("what was written after frame \(frame) of its log is lost"))
        #expect(try bytes(of: folder("store.sqlite.damaged-1-wal")) == log)
        try expectEarlier(keeper)
        let games = keeper.games.summaries
        keeper.store.close()
        let again = try Keeper(folder)
        #expect(again.store.findings == [])
        #expect(again.games.summaries == games)
        #expect(try Keeper.check(folder, after: again) == [])
    }

    @Test(arguments: 0..<32)
    func `may have a damaged head`(place: Int) throws {
        // The number of its checkpoint means nothing to us, but its sum is wrong then.
        var log = exhibit.log
        log[place] ^= 0x10
        try put(log)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings[0].contains("after frame 0 of its log is lost"))
        #expect(keeper.games.summaries == [])
        #expect(try keeper.games.newGame().number >= exhibit.contents.nextGame)
        #expect(try keeper.books.newBook("new").number >= exhibit.contents.nextBook)
    }

    /// As a crash leaves it: the last commit may be there in parts.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `is not one of which only the last commit is torn`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = exhibit.log
        let place = log.count - random.number(1..<Self.frameSize)
        if random.once(in: 2) { log.removeSubrange(place...) } else { log[place] ^= 0x55 }
        try put(log)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        // Before anything was deleted.
        #expect(keeper.games.summaries.count == 140)
        #expect(keeper.store.users.names.count == 40)
    }

    @Test func `of a newer program is refused, and stays as it is`() throws {
        let newer = try Keeper(folder, steps: Schema.steps + ["CREATE TABLE later (id INTEGER)"])
        for _ in 1...10 {
            _ = try newer.games.newGame()
            try newer.keep()
        }
        let copy = try Folder()
        for name in folder.names { try write(try bytes(of: folder(name)), to: copy(name)) }
        var log = try bytes(of: copy.log)
        log[log.count / 2] ^= 1
        try write(log, to: copy.log)
        #expect(throws: StoreError.tooNew(path: copy.database, version: 3, known: 2)) {
            try Keeper(copy)
        }
        #expect(try bytes(of: copy.log) == log)
    }

    // MARK: -

    private func put(_ log: [UInt8]) throws {
        try write(exhibit.headOnly, to: folder.database)
        try write(log, to: folder.log)
        try write(exhibit.ids, to: folder.ids)
    }

    /// What is served was once so; no id comes again.
    private func expectEarlier(_ keeper: Keeper) throws {
        let told = try Contents(keeper)
        for (id, game) in told.games {
            #expect(game.home.name.text == "@g\(id)@")
            if let last = exhibit.contents.games[id] { #expect(game == last) }
        }
        for (id, cards) in told.cards {
            if let last = exhibit.contents.cards[id] { #expect(cards == last) }
        }
        #expect(told.nextGame >= exhibit.contents.nextGame)
        #expect(told.nextBook >= exhibit.contents.nextBook)
    }
}
