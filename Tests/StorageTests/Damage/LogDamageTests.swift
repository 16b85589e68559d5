import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

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
        // There may be room behind it.
        if random.once(in: 2) { log += [UInt8](repeating: 0, count: 10 * Self.frameSize) }
        try put(log)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        // Before anything was deleted.
        #expect(keeper.games.summaries.count == 140)
        #expect(keeper.store.users.names.count == 40)
    }

    /// The one after it was begun when it was on the disk.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `is noticed in the last frame of the commit before the last`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let keeper = try Keeper(folder)
        for _ in 1...10 {
            _ = try keeper.games.newGame()
            try keeper.keep()
        }
        let copy = try Folder()
        for name in folder.names where name != "store.lock" {
            try write(try bytes(of: folder(name)), to: copy(name))
        }
        var log = try folder.writtenLog()
        let frames = (0..<(log.count - 32) / Self.frameSize).map { 32 + $0 * Self.frameSize }
        let ends = frames.filter { log[($0 + 4)..<($0 + 8)] != [0, 0, 0, 0] }
        let place = ends[ends.count - 2]
        log[place + random.number(24..<Self.frameSize)] ^= UInt8(random.number(1..<256))
        try write(log, to: copy.log)
        let finding = "what was written after frame \((place - 32) / Self.frameSize) of its log"
        #expect(try Store.check(folder: copy.path)[0].contains(finding))
        let damaged = try Keeper(copy)
        #expect(damaged.store.findings[0].contains(finding))
        #expect(damaged.games.summaries.count == 8)
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
        #expect(throws: StoreError.tooNew(path: copy.database, version: 5, known: 4)) {
            try Keeper(copy)
        }
        #expect(try bytes(of: copy.log) == log)
    }

    /// As a machine writes it that has the high byte first.
    @Test func `is not one with sums in the other order`() throws {
        var log = exhibit.log
        log[3] = log[3] ^ 1
        var sum = OtherSum()
        sum.add(log[..<24])
        log.replaceSubrange(24..<32, with: sum.bytes)
        for frame in 0..<frameCount {
            let start = 32 + frame * Self.frameSize
            sum.add(log[start..<start + 8])
            sum.add(log[(start + 24)..<(start + Self.frameSize)])
            log.replaceSubrange((start + 16)..<(start + 24), with: sum.bytes)
        }
        try put(log)
        #expect(LogFile(of: folder.database).damage == nil)
        #expect(LogFile(of: folder.database).pageCount == exhibit.pageCount)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        #expect(try Contents(keeper).marks == exhibit.contents.marks)
    }

    @Test func `has the last of each page, up to the last commit`() throws {
        try put(exhibit.log)
        let log = LogFile(of: folder.database)
        #expect(log.brokenFrame == nil)
        for page in 1...exhibit.pageCount {
            let content = try #require(log.page(page), "page \(page) was written, and is not there")
            // But for what counts the changes to the file.
            let start = (page - 1) * Exhibit.pageSize
            let last = exhibit.database[start..<start + Exhibit.pageSize]
            #expect(content.dropFirst(100) == last.dropFirst(100), "page \(page)")
        }
        #expect(log.page(exhibit.pageCount + 1) == nil)
        #expect(log.page(0) == nil)
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

/// The sum of "WAL File Format", word by word, with the high byte first.
private struct OtherSum {
    private var sums: (UInt32, UInt32) = (0, 0)

    var bytes: [UInt8] { Self.bytes(sums.0) + Self.bytes(sums.1) }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        let words = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { place in
            bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for pair in stride(from: 0, to: words.count, by: 2) {
            sums.0 &+= words[pair] &+ sums.1
            sums.1 &+= words[pair + 1] &+ sums.0
        }
    }

    private static func bytes(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}
