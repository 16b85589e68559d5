import BusdProtocol
import BusdStorage
import BusdViewModels
import Testing

@testable import BusdDaemon

/// What is not on disk yet: whoever looks is shown what is, and then, alone, what has become of it.
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
        book = store.books.create(name: try Name("Kanji"), cards: [Self.card])
        journal = StoreJournal(store)
        try commit()
    }

    private static let card = Card(front: "水", back: "water")

    private func commit() throws {
        journal.commit()
        try land()
    }

    private func land() throws { try #require(store.takeOutcome()).get() }

    private func move() {
        store.games.apply(
            .play(Move(.foul, by: PlayerID.all[0])), to: game, at: Instant(microseconds: 0))
    }

    private func addCard() { store.books.add([Self.card], to: book) }

    /// How many moves, or cards, whoever is made now begins with, and what it is told.
    private final class Follower {
        private(set) var told: [Int] = []

        init(_ store: Store, _ game: GameID) {
            told = [store.games.game(game)?.moves.count ?? -1]
            store.games.feed.followers(of: game).players.bind(self) { follower, game in
                follower.told.append(game.moves.count)
            }
            store.games.feed.followers(of: game).scoreboard.bind(self) { follower, game in
                follower.told.append(game?.moves.count ?? -1)
            }
        }

        init(_ store: Store, _ book: BookID) {
            told = [store.books.book(book)?.cards.count ?? -1]
            store.books.feed.follow(book).bind(self) { follower, book in
                follower.told.append(book?.cards.count ?? -1)
            }
        }
    }

    /// Which commits have taken along what it is told.
    private func wake(
        _ address: Address, as make: () -> Follower
    ) throws -> (follower: Follower, commits: [Int?]) {
        var follower: Follower?
        var commits: [Int?] = []
        journal.asOnDisk(address) {
            follower = make()
        } then: {
            commits.append($0)
        }
        return (try #require(follower), commits)
    }

    private func wakeGame() throws -> (follower: Follower, commits: [Int?]) {
        let address = try #require(Address("\(game.address)/home/1"))
        return try wake(address) { Follower(store, game) }
    }

    private func wakeBook() throws -> (follower: Follower, commits: [Int?]) {
        try wake(book.address) { Follower(store, book) }
    }

    @Test func `what is on disk as it is, is had at once`() throws {
        move()
        addCard()
        try commit()
        store.books.move(book, to: 0)
        store.games.delete(other)
        journal.commit()
        let (game, book) = (try wakeGame(), try wakeBook())
        #expect(game.follower.told == [1] && game.commits == [])
        #expect(book.follower.told == [2] && book.commits == [])
        #expect(!journal.hasChanges)
    }

    @Test func `a game is told to whoever comes later, commit by commit`() throws {
        let awake = Follower(store, game)
        move()
        journal.commit()
        store.games.delete(other)
        journal.commit()
        move()
        move()
        journal.commit()
        move()
        let late = try wakeGame()
        #expect(late.follower.told == [0, 1, 1, 3, 3, 4, 4])
        #expect(late.commits == [0, 2, nil])
        #expect(awake.told == [0, 1, 1, 2, 2, 3, 3, 4, 4])
        #expect(store.games.game(game)?.moves.count == 4)

        try land()
        let later = try wakeGame()
        #expect(later.follower.told == [1, 3, 3, 4, 4])
        #expect(later.commits == [1, nil])
        move()
        for follower in [awake, late.follower, later.follower] {
            #expect(follower.told.suffix(3) == [4, 5, 5])
        }
    }

    @Test func `a book is told to whoever comes later, commit by commit`() throws {
        let awake = Follower(store, book)
        addCard()
        journal.commit()
        addCard()
        let late = try wakeBook()
        #expect(late.follower.told == [1, 2, 3])
        #expect(late.commits == [0, nil])
        #expect(awake.told == [1, 2, 3])
        journal.commit()
        #expect(try wakeBook().commits == [0, 1])
        addCard()
        #expect(awake.told == [1, 2, 3, 4] && late.follower.told == [1, 2, 3, 4])
    }

    @Test func `who asks meanwhile is answered the same as is told`() throws {
        move()
        journal.commit()
        move()
        var asked: [Int?] = []
        journal.asOnDisk(game.address) {
            asked.append(store.games.game(game)?.moves.count)
        } then: { _ in
            asked.append(store.games.game(game)?.moves.count)
        }
        #expect(asked == [0, 1, 2])
        addCard()
        journal.asOnDisk(book.address) {
            #expect(store.books.book(book)?.cards.count == 1)
            #expect(store.games.game(game)?.moves.count == 2)
        } then: { commit in
            #expect(commit == nil)
            #expect(store.books.book(book)?.cards.count == 2)
        }
        #expect(store.books.book(book)?.cards.count == 2)
    }

    @Test func `of its end nobody is told who comes between`() throws {
        move()
        addCard()
        journal.commit()
        store.games.delete(game)
        store.books.delete(book)
        for commits in 1...2 {
            let (game, book) = (try wakeGame(), try wakeBook())
            #expect(game.follower.told == [0, 1, 1] && game.commits == [0])
            #expect(book.follower.told == [1, 2] && book.commits == [0])
            if commits == 1 { journal.commit() }
        }
        #expect(store.games.game(game) == nil && store.books.book(book) == nil)
        try land()
        #expect(try wakeGame().follower.told == [1])
        #expect(try wakeBook().follower.told == [2])
    }

    @Test func `what was changed and deleted at once is as on disk up to its end`() throws {
        move()
        store.games.delete(game)
        for commits in 1...2 {
            #expect(try wakeGame().commits == [])
            if commits == 1 { journal.commit() }
        }
    }

    @Test func `what has been taken back is as it is on disk`() throws {
        move()
        store.books.delete(book)
        let late = try wakeGame()
        journal.rollBack()
        #expect(late.follower.told == [0, 1, 1, 0, 0])
        #expect(try wakeGame().follower.told == [0])
        #expect(try wakeBook().follower.told == [1])
    }
}
