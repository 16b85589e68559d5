import Protocol
import Storage
import Testing
import ViewModels

@testable import Daemon

/// What is not on disk yet, game by game: whoever looks at another one need not wait.
@Suite struct StoreJournalTests {
    private let store: Store
    private let journal: StoreJournal
    private let game: GameID
    private let other: GameID
    private let book: BookID

    init() throws {
        // Nothing is written: a commit ends when its outcome is taken.
        store = try Store(folder: "", durability: .none, wake: {})
        let team = try #require(
            Team(name: Name("Hawks"), players: ["Ann", "Bo", "Cy"].map { try Name($0) }))
        game = store.games.create(home: team, away: team)
        other = store.games.create(home: team, away: team)
        book = store.books.create(
            name: try Name("Kanji"), cards: [Card(front: "水", back: "water")])
        journal = StoreJournal(store)
        try commit()
    }

    private func commit() throws {
        journal.commit()
        try #require(store.takeOutcome()).get()
    }

    private func areSettled(_ addresses: String...) throws -> [Bool] {
        try addresses.map { journal.isSettled(try #require(Address($0))) }
    }

    @Test func `everything is settled that has been written`() throws {
        #expect(
            try areSettled("scoreboard/1", "scoreboard/1/home/1", "study/1", "games") == [
                true, true, true, true,
            ])
        #expect(!journal.hasChanges)
    }

    @Test func `a change concerns its game, and the players of it, until it is written`() throws {
        store.games.delete(game)
        for step in 1...2 {
            #expect(
                try areSettled("scoreboard/1", "scoreboard/1/home/1", "scoreboard/10", "study/1")
                    == [false, false, true, true])
            #expect(try areSettled("scoreboard/2", "scoreboard/2/away/3") == [true, true])
            if step == 1 { journal.commit() }
        }
        try #require(store.takeOutcome()).get()
        #expect(try areSettled("scoreboard/1") == [true])
    }

    @Test func `what has changed during a commit waits for the next`() throws {
        store.games.delete(game)
        journal.commit()
        store.books.answer(isKnown: true, in: book)
        store.games.delete(other)
        try #require(store.takeOutcome()).get()
        #expect(
            try areSettled("scoreboard/1", "scoreboard/2", "study/1") == [true, false, false])
        try commit()
        #expect(try areSettled("scoreboard/2", "study/1") == [true, true])
    }

    /// Who looks at a game meanwhile is shown it as it is on disk, and then what it has become.
    @Test func `a game can be had as it is on disk while it changes`() throws {
        let address = try #require(Address("scoreboard/1/home/1"))
        let player = PlayerID.all[0]
        var told: [Int] = []
        let listener = Listener { told.append($0.moves.count) }
        store.games.feed.followers(of: game).players.bind(listener) { $0.hear($1) }
        store.games.delete(other)
        journal.commit()
        store.games.apply(.play(Move(.foul, by: player)), to: game, at: Instant(microseconds: 0))
        #expect(journal.asOnDisk(address) { Issue.record("it is in no commit yet") } == nil)
        journal.commit()
        for commit in [1, 0] {
            var shown: [Int?] = []
            #expect(
                journal.asOnDisk(address) {
                    shown = [store.games.game(game), store.games.game(other)].map {
                        $0?.moves.count
                    }
                } == commit)
            #expect(shown == [0, nil])
            #expect(store.games.game(game)?.moves.count == 1)
            #expect(told == Array(repeating: 1, count: 3 - commit))
            try #require(store.takeOutcome()).get()
        }
        #expect(store.games.game(game)?.moves.count == 1)
    }

    @Test func `what is new, or settled, or no game's can't be had as it is on disk`() throws {
        let team = try #require(
            Team(name: Name("Jets"), players: ["Di", "Ed", "Flo"].map { try Name($0) }))
        let new = store.games.create(home: team, away: team)
        store.books.answer(isKnown: true, in: book)
        _ = journal.takeChanged()
        for address in [new.address, other.address, book.address] {
            #expect(journal.asOnDisk(address) { Issue.record("\(address) was made") } == nil)
        }
        try commit()
    }

    @Test func `what has been taken back is as it is on disk`() throws {
        store.books.delete(book)
        #expect(try areSettled("study/1") == [false])
        journal.rollBack()
        #expect(try areSettled("study/1") == [true])
        #expect(store.books.book(book) != nil)
    }

    @Test func `the order of books is nobody's but the library's`() throws {
        store.books.move(book, to: 0)
        #expect(try areSettled("study/1") == [true])
    }
}

private final class Listener {
    private let told: (Game) -> Void

    init(_ told: @escaping (Game) -> Void) { self.told = told }

    func hear(_ game: Game) { told(game) }
}
