import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// Each released action, with its form in the log and its effect. None of these lines may ever
/// change, because every later version reads the logs of earlier ones.
@Suite struct PermanentFormsTests {
    private let forms = StoredThings(now: .seconds(100))

    // MARK: Games

    private static let games: [(action: GameAction, form: String, shown: String)] = [
        (.move(Move(.onePoint, by: .home1)), #""move 0""#, "1 - 0 paused 0"),
        (.move(Move(.twoPoint, by: .away1)), #""move 16""#, "1 - 2 paused 0"),
        (.move(Move(.assist, by: .home2)), #""move 7""#, "1 - 2 paused 0"),
        (.move(Move(.rebound, by: .home1)), #""move 3""#, "1 - 2 paused 0"),
        (.resume, #""resume""#, "1 - 2 running 0"),
        (.pause, #""pause""#, "1 - 2 paused 1000000"),
        (.togglePause, #""toggle""#, "1 - 2 running 1000000"),
        (.move(Move(.foul, by: .away3)), #""move 29""#, "1 - 2 running 1000000"),
        (.togglePause, #""toggle""#, "1 - 2 paused 3000000"),
        (.togglePause, #""toggle""#, "1 - 2 running 3000000"),
    ]

    @Test func `The actions and the state of a game have their permanent form`() throws {
        let games = Library<Game>(forms.libraries)
        games.create(GameSeed(try hawksAndJets(), created: UTCTime(seconds: 1_790_000_000)))
        forms.libraries.settle()
        for (action, _, shown) in Self.games {
            games.propose(action, to: .first)
            forms.libraries.settle()
            let game = try #require(games[.first])
            #expect("\(game.score.text) \(game.status) \(game.stopwatch.measured)" == shown)
            forms.time.move(to: forms.time.now + .seconds(1))
        }
        let creation =
            #"{"create":{"_0":{"names":["Hawks","Ann","Bo","Cy","Jets","Di","Ed","Flo"],"#
            + #""created":1790000000}}}"#
        #expect(forms.bodies() == [creation] + Self.games.map(\.form))
        let again: Library<Game> = forms.replayed()
        #expect(again[.first] == games[.first])
        let saved = try forms.states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"seed":{"names":["Hawks","Ann","Bo","Cy","Jets","Di","Ed","Flo"],"#
                + #""created":1790000000},"plays":{"letters":"AQHDd","times":"0 0 0 0 2000000"},"#
                + #""next":6,"measured":3000000,"runningSince":109000000}"#)
        #expect(
            String(decoding: state.summary, as: UTF8.self)
                == #"["Hawks","Jets",1,2,"running",5,23,1790000000]"#)
        let restored: Library<Game> = forms.replayed(saved)
        #expect(restored[.first] == games[.first])
        #expect(restored.summary(of: .first) == games.summary(of: .first))
    }

    // `shown` has the points, the ids of the moves, those that can be done again, and the time in
    // seconds.

    private static let corrections: [(action: GameAction, form: String, shown: String)] = [
        (.move(Move(.onePoint, by: .home1)), #""move 0""#, "1 - 0 [1] [] 0"),
        (.resume, #""resume""#, "1 - 0 [1] [] 0"),
        (.move(Move(.foul, by: .away3)), #""move 29""#, "1 - 0 [1, 2] [] 1"),
        (.move(Move(.twoPoint, by: .away5)), #""move 46""#, "1 - 2 [1, 2, 3] [] 2"),
        (.takeBack(seen: 3), #""back 3""#, "1 - 0 [1, 2] [3] 3"),
        (.takeBack(seen: nil), #""back""#, "1 - 0 [1] [3, 2] 4"),
        (.redo(seen: nil), #""redo""#, "1 - 0 [1, 2] [3] 5"),
        (.redo(seen: 2), #""redo 2""#, "1 - 2 [1, 2, 3] [] 6"),
        (
            .change(
                id: 2, was: Move(.foul, by: .away3), to: Move(.twoPoint, by: .home1)),
            #""change 2 29 1""#, "3 - 2 [1, 2, 3] [] 7"
        ),
        (.takeOut(id: 1, was: Move(.onePoint, by: .home1)), #""out 1 0""#, "2 - 2 [2, 3] [] 8"),
        (
            .rename(Renaming(.team(.home), was: name("Hawks"), name: name("Eagles é"))),
            #""team home 5:Hawks9:Eagles é""#, "2 - 2 [2, 3] [] 9"
        ),
        (
            .rename(Renaming(.player(.away3), was: name("J"), name: name("Jo"))),
            #""player 5 1:J2:Jo""#, "2 - 2 [2, 3] [] 10"
        ),
        (
            .setClock(to: 60_500_000, starts: false, seen: 0), #""clock 60500000 0""#,
            "2 - 2 [2, 3] [] 60"
        ),
        (.moveClock(by: -10_000_000, seen: 1), #""shift -10000000 1""#, "2 - 2 [2, 3] [] 51"),
        (
            .halt(Instant(microseconds: 113_000_000), at: UTCTime(seconds: 1_800_000_000)),
            #""halt 113000000 1800000000""#, "2 - 2 [2, 3] [] 51"
        ),
        (
            .setClock(to: 90_000_000, starts: true, seen: nil), #""start 90000000""#,
            "2 - 2 [2, 3] [] 90"
        ),
        (.move(Move(.assist, by: .home1)), #""move 2""#, "2 - 2 [2, 3, 4] [] 91"),
        (.takeBack(seen: 3), #""back 3""#, "2 - 2 [2, 3] [4] 92"),
        (.delete, #""delete""#, "2 - 2 [2, 3] [4] 93"),
        (.restore, #""restore""#, "2 - 2 [2, 3] [4] 93"),
        (.delete, #""delete""#, "2 - 2 [2, 3] [4] 93"),
    ]

    private static func name(_ text: String) -> Name {
        guard let name = try? Name(text) else { preconditionFailure(text) }
        return name
    }

    @Test func `The corrections of a game, and its state after them, have their permanent form`()
        throws
    {
        let games = Library<Game>(forms.libraries)
        let rules = try #require(GameRules(pointsToWin: 21, margin: 1))
        games.create(
            GameSeed(
                Teams(
                    home: try team("Hawks", "A", "B", "C", "D", "E"),
                    away: try team("Jets", "F", "G", "J", "K", "L")),
                rules: rules, created: UTCTime(seconds: 1_790_000_000)))
        forms.libraries.settle()
        for (action, form, shown) in Self.corrections {
            games.propose(action, to: .first)
            forms.libraries.settle()
            let game = try #require(games[.first])
            let (list, seconds) = (
                game.list, game.stopwatch.microseconds(at: forms.time.now) / 1_000_000
            )
            #expect(
                "\(game.score.text) \(list.plays.map(\.id)) \(list.undone.map(\.id)) \(seconds)"
                    == shown, "\(form)")
            forms.time.move(to: forms.time.now + .seconds(1))
        }
        let creation =
            #"{"create":{"_0":{"names":["Hawks","A","B","C","D","E","Jets","F","G","J","K","L"],"#
            + #""rules":{"pointsToWin":21,"margin":1},"created":1790000000}}}"#
        #expect(forms.bodies() == [creation] + Self.corrections.map(\.form))
        let again: Library<Game> = forms.replayed()
        #expect(again[.first] == games[.first])
        let saved = try forms.states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"seed":{"names":["Eagles é","A","B","C","D","E","Jets","F","G","Jo","K","L"],"#
                + #""rules":{"pointsToWin":21,"margin":1},"created":1790000000},"#
                + #""plays":{"letters":"Bu","ids":"2 3","times":"1000000 1000000"},"#
                + #""undone":{"letters":"C","ids":"4","times":"91000000"},"next":5,"#
                + #""measured":93000000,"settings":3,"deleted":120000000}"#)
        #expect(
            String(decoding: state.summary, as: UTF8.self)
                == #"["Eagles é","Jets",2,2,"paused",3,24,1790000000,120000000,5]"#)
        let restored: Library<Game> = forms.replayed(saved)
        #expect(restored[.first] == games[.first])
        #expect(restored.summary(of: .first) == games.summary(of: .first))
    }

    @Test(arguments: [
        #"{"letters":"A","ids":"2","times":"5"}"#, #"{"letters":"AB","ids":"2 1","times":"5 0"}"#,
        #"{"letters":"A","ids":"0","times":"5"}"#, #"{"letters":"A","ids":"1 2","times":"5"}"#,
        #"{"letters":"A","ids":"","times":"5"}"#,
        #"{"letters":"A"}"#, #"{"letters":"A","times":"-1"}"#,
        #"{"letters":"A","times":"x"}"#, #"{"letters":"A","times":"1 1"}"#,
        #"{"letters":"AB","times":"9223372036854775807 1"}"#, #"{"letters":"y","times":"5"}"#,
        #"{"letters":"BBBBBBBBA","times":"5 0 0 0 0 0 0 0 0"}"#,
    ])
    func `A state with moves that cannot be is damaged`(plays: String) throws {
        let seed = #"{"names":["A","B","C","D","E","F","G","H"],"created":1}"#
        func check(_ plays: String) throws(WireError) {
            let count = plays.contains("AB") ? 2 : 1
            try KindCheck(Game.self).check(
                SavedState(
                    kind: "game", id: "1",
                    summary: Array(#"["A","E",1,0,"paused",\#(count),8,1]"#.utf8),
                    body: Array(
                        #"{"seed":\#(seed),"plays":\#(plays),"next":2,"measured":0}"#.utf8)),
                isWhole: true)
        }
        try check(#"{"letters":"A","times":"5"}"#)
        #expect(throws: WireError.self) { try check(plays) }
    }

    @Test(arguments: [
        "move 50", "move", "back x", "back 1 2", "redo 1 2", "out 1", "out 1 50", "change 1 0",
        "change 1 0 50", "clock", "clock -1", "clock 1 2 3", "start 1152921504606846977", "shift",
        "shift 9223372036854775807", "halt 1", "halt -1 1", "halt 1 -1", "deleted", "delete 1",
        "team home", "team home 1:A", "team both 1:A1:B", "player 10 1:A1:B",
        "player 1 1:A1:B1:C1:D",
        "team home 1:A2:\u{1}b", "Move 1", "move 1 ",
    ])
    func `Any other form of a correction is reported`(text: String) throws {
        var content = LogContent()
        content.entries = [try entry(try #require(text.asJSON))]
        let libraries = Libraries(log: TestLog(), clock: forms.time, content: content)
        _ = Library<Game>(libraries)
        #expect(libraries.open().count == 1)
    }

    @Test func `Each of the thirty moves has its permanent form`() throws {
        for (number, letter) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd".utf8.enumerated() {
            let move = try #require(Move(number: number))
            #expect(Move(letter: letter) == move)
            #expect((move.number, move.letter) == (number, letter))
        }
        #expect(Move(number: -1) == nil)
        #expect(Move(number: 50) == nil)
        for letter in "@[`y{".utf8 { #expect(Move(letter: letter) == nil) }
    }

    @Test func `A game of another daemon is refused if it has more than a million moves`() throws {
        func check(moves: Int) throws(WireError) {
            let seed = #"{"names":["A","B","C","D","E","F","G","H"],"created":1}"#
            let letters = String(repeating: "C", count: moves)
            let times = String(repeating: "0 ", count: moves - 1) + "0"
            let plays = #"{"letters":"\#(letters)","times":"\#(times)"}"#
            try KindCheck(Game.self).check(
                SavedState(
                    kind: "game", id: "1",
                    summary: Array(#"["A","E",0,0,"paused",\#(moves),8,1]"#.utf8),
                    body: Array(
                        #"{"seed":\#(seed),"plays":\#(plays),"next":\#(moves + 1),"measured":0}"#
                            .utf8)),
                isWhole: true)
        }
        try check(moves: 1 << 20)
        #expect(throws: WireError.self) { try check(moves: (1 << 20) + 1) }
    }

    @Test(arguments: [
        "", "move -1", "Pause", "pause ", "resumed", "toggle 1", "play 1", "undo", "pauseAsOf 1",
    ])
    func `Any other form of an action is reported`(text: String) throws {
        let entry = try entry(#""\#(text)""#)
        var content = LogContent()
        content.entries = [entry]
        let libraries = Libraries(log: TestLog(), clock: forms.time, content: content)
        _ = Library<Game>(libraries)
        #expect(libraries.open().count == 1)
    }

    @Test func `The moves of fourth and fifth players follow the thirty`() throws {
        let letters = "efghijklmnopqrstuvwx".utf8
        for (number, letter) in zip(30..., letters) {
            let move = try #require(Move(number: number))
            #expect(Move(letter: letter) == move)
            #expect((move.number, move.letter) == (number, letter))
        }
        let places = PlayerID.all.map { "\($0.side) \($0.index.value)" }
        #expect(
            places == [
                "home 0", "home 1", "home 2", "away 0", "away 1", "away 2", "home 3", "home 4",
                "away 3", "away 4",
            ])
    }

    private func entry(_ body: String) throws -> LogEntry {
        var entry = LogEntry(number: 1, time: .seconds(1), kind: "game", id: "1")
        entry.body = Array(body.utf8)
        return entry
    }
}

extension String {
    fileprivate var asJSON: String? {
        var out = JSONWriter()
        out.value(self)
        return String(validating: out.bytes, as: UTF8.self)
    }
}
