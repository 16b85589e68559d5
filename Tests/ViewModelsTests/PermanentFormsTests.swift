import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdViewModels

/// Each released action, with its form in the log and its effect. None of these lines may ever
/// change, because every later version reads the logs of earlier ones.
@Suite struct PermanentFormsTests {
    private let log = TestLog()
    private let time = Timeline(now: .seconds(100))
    private let libraries: Libraries

    init() {
        log.isFast = true
        libraries = Libraries(log: log, clock: time)
    }

    /// The library that a new process restores from the states, or from the log if there are none.
    private func replayed<T>(_ states: [SavedState] = []) -> Library<T> {
        var content = LogContent()
        content.states = states
        content.entries = states.isEmpty ? log.entries : []
        content.lastNumber = log.entries.count
        let libraries = Libraries(log: TestLog(), clock: time, content: content)
        let library = Library<T>(libraries)
        #expect(libraries.open() == [])
        return library
    }

    private func states() throws -> [SavedState] {
        try libraries.takeUnsavedStates().compactMap { encode in
            if case .save(let state, _) = try encode() { state } else { nil }
        }
    }

    private func bodies() -> [String] {
        log.entries.map { String(decoding: $0.body, as: UTF8.self) }
    }

    // MARK: Games

    private static let games: [(action: GameAction, form: String, shown: String)] = [
        (.play(Move(.onePoint, by: .home1)), #""play 0""#, "1 - 0 paused 0"),
        (.play(Move(.twoPoints, by: .away1)), #""play 16""#, "1 - 2 paused 0"),
        (.play(Move(.assist, by: .home2)), #""play 7""#, "1 - 2 paused 0"),
        (.play(Move(.rebound, by: .home1)), #""play 3""#, "1 - 2 paused 0"),
        (.play(Move(.foul, by: .away3)), #""play 29""#, "1 - 2 paused 0"),
        (.undo, #""undo""#, "1 - 2 paused 0"),
        (.resume, #""resume""#, "1 - 2 running 0"),
        (.pause, #""pause""#, "1 - 2 paused 1000000"),
        (.togglePause, #""toggle""#, "1 - 2 running 1000000"),
        (
            .pauseAsOf(Instant(microseconds: 108_500_000)), #""pauseAsOf 108500000""#,
            "1 - 2 paused 1500000"
        ),
        (.togglePause, #""toggle""#, "1 - 2 running 1500000"),
    ]

    @Test func `the actions and the state of a game have their permanent form`() throws {
        let games = Library<Game>(libraries)
        games.create(try hawksAndJets())
        libraries.settle()
        for (action, _, shown) in Self.games {
            games.propose(action, to: .first)
            libraries.settle()
            let game = try #require(games[.first])
            #expect("\(game.score.text) \(game.status) \(game.stopwatch.measured)" == shown)
            time.move(to: time.now + .seconds(1))
        }
        let creation =
            #"{"create":{"_0":["Hawks","Ann","Bo","Cy","Jets","Di","Ed","Flo"]}}"#
        #expect(bodies() == [creation] + Self.games.map(\.form))
        let again: Library<Game> = replayed()
        #expect(again[.first] == games[.first])
        let saved = try states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"names":["Hawks","Ann","Bo","Cy","Jets","Di","Ed","Flo"],"#
                + #""moves":"AQHD","measured":1500000,"runningSince":110000000}"#)
        #expect(
            String(decoding: state.summary, as: UTF8.self)
                == #"["Hawks","Jets",1,2,"running",4,23]"#)
        let restored: Library<Game> = replayed(saved)
        #expect(restored[.first] == games[.first])
        #expect(restored.summary(of: .first) == games.summary(of: .first))
    }

    @Test func `each of the thirty moves has its permanent form`() throws {
        for (number, letter) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd".utf8.enumerated() {
            let move = try #require(Move(number: number))
            #expect(Move(letter: letter) == move)
            #expect((move.number, move.letter) == (number, letter))
        }
        #expect(Move(number: -1) == nil)
        #expect(Move(number: 30) == nil)
        for letter in "@[`e{".utf8 { #expect(Move(letter: letter) == nil) }
    }

    @Test func `a stored game keeps names that an earlier version accepted`() throws {
        let body = #"{"names":["a\u200Eb","B","C","D","E","F","G","H"],"moves":"","measured":0}"#
        let games: Library<Game> = replayed([
            SavedState(
                kind: "game", id: "1", summary: Array(#"["a\u200Eb","E",0,0,"paused",0,12]"#.utf8),
                body: Array(body.utf8))
        ])
        #expect(games[.first]?.home.name.text == "a\u{200E}b")
        #expect(games.summary(of: .first)?.home.text == "a\u{200E}b")
    }

    @Test func `a game of another daemon is refused if it has more than a million moves`() throws {
        func check(moves: Int) throws(WireError) {
            let names = #""names":["A","B","C","D","E","F","G","H"]"#
            let letters = String(repeating: "C", count: moves)
            try KindCheck(Game.self).check(
                SavedState(
                    kind: "game", id: "1",
                    summary: Array(#"["A","E",0,0,"paused",\#(moves),8]"#.utf8),
                    body: Array(#"{\#(names),"moves":"\#(letters)","measured":0}"#.utf8)),
                isWhole: true)
        }
        try check(moves: 1 << 20)
        #expect(throws: WireError.self) { try check(moves: (1 << 20) + 1) }
    }

    // MARK: Books

    private static let books: [(action: BookAction, form: String, shown: String)] = [
        (.answer(isKnown: false), #""unknown""#, "0/2 1"),
        (.answer(isKnown: true), #""known""#, "1/2 0"),
        (.add([Card(front: "水\n", back: "")]), #""add 4:水\n0:""#, "1/3 0"),
        (.ask(1), #""ask 1""#, "0/3 1"),
        (.answer(isKnown: true), #""known""#, "1/3 2"),
        (.answer(isKnown: true), #""known""#, "2/3 0"),
        (.answer(isKnown: true), #""known""#, "3/3 nil"),
        (.askAll, #""askAll""#, "0/3 0"),
        (.answer(isKnown: true), #""known""#, "1/3 1"),
    ]

    @Test func `the actions and the state of a book have their permanent form`() throws {
        let books = Library<Book>(libraries)
        books.create(BookSeed(name: try Name("Kanji"), cards: cards(2)))
        libraries.settle()
        for (action, _, shown) in Self.books {
            books.propose(action, to: .first)
            libraries.settle()
            let book = try #require(books[.first])
            let current = book.current.map { "\($0)" } ?? "nil"
            #expect("\(book.knownCount)/\(book.cards.count) \(current)" == shown)
        }
        let creation =
            #"{"create":{"_0":{"name":"Kanji","cards":"7:front 16:back 17:front 26:back 2"}}}"#
        #expect(bodies() == [creation] + Self.books.map(\.form))
        let again: Library<Book> = replayed()
        #expect(again[.first] == books[.first])
        let saved = try states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"name":"Kanji","cards":"7:front 16:back 17:front 26:back 24:水\n0:","#
                + #""known":"100","current":1}"#)
        #expect(String(decoding: state.summary, as: UTF8.self) == #"["Kanji",1,3,126]"#)
        let restored: Library<Book> = replayed(saved)
        #expect(restored[.first] == books[.first])
        #expect(restored.summary(of: .first) == books.summary(of: .first))
    }

    // MARK: Users

    @Test func `the action and the state of a user have their permanent form`() throws {
        let users = Library<User>(libraries)
        for hash in ["$argon2id$1", "$argon2id$2"] {
            users.propose(.setHash(hash), to: "ann")
            libraries.settle()
        }
        #expect(bodies() == [#"{"setHash":"$argon2id$1"}"#, #"{"setHash":"$argon2id$2"}"#])
        let again: Library<User> = replayed()
        #expect(again.hash(of: "ann") == "$argon2id$2")
        #expect(again.hash(of: "bob") == nil)
        let saved = try states()
        let state = try #require(saved.first { $0.id == "ann" })
        #expect(String(decoding: state.body, as: UTF8.self) == #"{"hash":"$argon2id$2"}"#)
        let restored: Library<User> = replayed(saved)
        #expect(restored.hash(of: "ann") == "$argon2id$2")
    }

    @Test(arguments: [
        "", "play", "play ", "play 30", "play -1", "play 1 ", "Undo", "undo ", "pauseAsOf",
        "pauseAsOf x", "resumed",
    ])
    func `any other form of an action is reported`(text: String) throws {
        let entry = try entry(#""\#(text)""#)
        var content = LogContent()
        content.entries = [entry]
        let libraries = Libraries(log: TestLog(), clock: time, content: content)
        _ = Library<Game>(libraries)
        #expect(libraries.open().count == 1)
    }

    private func entry(_ body: String) throws -> LogEntry {
        var entry = LogEntry(number: 1, time: .seconds(1), kind: "game", id: "1")
        entry.body = Array(body.utf8)
        return entry
    }
}
