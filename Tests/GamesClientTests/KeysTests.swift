import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import Testing

@testable import scoreboard

@Suite struct GameKeysTests {
    private let bo = PlayerChoice(side: .home, index: 1)

    @Test func `Each key of a game has its command`() {
        let keys: [(Key, GameCommand)] = [
            (.text("1"), .make(.onePoint)), (.text("2"), .make(.twoPoint)),
            (.text("a"), .make(.assist)), (.text("r"), .make(.rebound)), (.text("f"), .make(.foul)),
            (.text(" "), .startOrPause), (.text("u"), .undo), (.text("y"), .redo),
            (.text("-"), .moveClock(-1)), (.text("+"), .moveClock(1)),
            (.text("<"), .moveClock(-10)),
            (.text(">"), .moveClock(10)), (.text("b"), .catchUp), (.text("l"), .plays),
            (.text("c"), .correct), (.text("g"), .games),
            (.text("n"), .create), (.text("?"), .help), (.text("q"), .quit), (.escape, .back),
            (.up, .choose(PlayerChoice(side: .home, index: 0))),
            (.down, .choose(PlayerChoice(side: .home, index: 2))),
            (.right, .choose(PlayerChoice(side: .away, index: 1))),
            (.left, .choose(PlayerChoice(side: .away, index: 1))),
            (.tab, .choose(PlayerChoice(side: .home, index: 2))),
            (.backTab, .choose(PlayerChoice(side: .home, index: 0))),
        ]
        for (key, command) in keys { #expect(GameCommand(key, chosen: bo, size: 3) == command) }
        for key in [Key.text("x"), .enter, .control("a"), .pageUp] {
            #expect(GameCommand(key, chosen: bo, size: 3) == nil)
        }
    }

    @Test(arguments: Team.sizes)
    func `Each player has a letter, which is no other command`(size: Int) throws {
        var letters: Set<Unicode.Scalar> = []
        for number in 0..<2 * size {
            let player = try #require(PlayerChoice(number: number, size: size))
            letters.insert(player.letter)
            #expect(GameCommand(.text(player.letter), chosen: bo, size: size) == .choose(player))
            #expect(PlaysCommand(.text(player.letter), page: 9, size: size) == .give(to: player))
        }
        #expect(letters.count == 2 * size)
        #expect(GameCommand(.text("m"), chosen: bo, size: 4) == nil)
    }

    @Test func `Each key of the plays has its command`() {
        let keys: [(Key, PlaysCommand)] = [
            (.up, .step(by: -1)), (.pageDown, .step(by: 7)), (.scrollDown, .step(by: 1)),
            (.text("f"), .make(.foul)), (.text("1"), .make(.onePoint)), (.text("t"), .takeOut),
            (.delete, .takeOut), (.text("/"), .search), (.text("?"), .help), (.escape, .back),
            (.text("l"), .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(PlaysCommand(key, page: 7, size: 3) == command) }
        for key in [Key.text("j"), .text("u"), .enter] {
            #expect(PlaysCommand(key, page: 7, size: 3) == nil)
        }
    }

    @Test func `The arrows go round a team, and Tab round both`() {
        var choice = PlayerChoice(side: .away, index: 2)
        choice = choice.after(.down, size: 3) ?? choice
        #expect(choice == PlayerChoice(side: .away, index: 0))
        choice = choice.after(.backTab, size: 3) ?? choice
        #expect(choice == PlayerChoice(side: .home, index: 2))
        var seen: Set<PlayerChoice> = []
        for _ in 0..<6 {
            choice = choice.after(.tab, size: 3) ?? choice
            seen.insert(choice)
        }
        #expect(seen.count == 6)
        #expect(choice == PlayerChoice(side: .home, index: 2))
    }

    @Test func `Each move is one event of a player`() {
        #expect(
            Move.allCases.map(\.event)
                == [.onePointMove, .twoPointMove, .assistMove, .reboundMove, .foulMove])
    }

    @Test func `The hints offer only keys that have an effect`() {
        func labels(_ state: ContainerState) -> [String] { GameHints.all(state).map(\.label) }
        var state = ContainerState.hawksAndJets()
        #expect(labels(state) == ["space", "u", "l", "c", "g", "n", "?", "q"])
        #expect(GameHints.all(state).first?.words == "start")
        state.apply(.paused(isPaused: false))
        #expect(GameHints.all(state).first?.words == "pause")
        state.apply(.undoable(canUndo: false))
        state.apply(.redoable(canRedo: true, text: "a foul of Bo"))
        #expect(labels(state) == ["space", "y", "l", "c", "g", "n", "?", "q"])
        state.apply(.finished(isFinished: true, winner: .home))
        #expect(labels(state) == ["y", "l", "c", "g", "n", "?", "q"])
    }

    @Test func `The hint of undo says what it takes back, if there is room`() {
        var state = ContainerState.hawksAndJets()
        state.apply(.undoable(canUndo: true, moves: 3, text: "2 points of Ed"))
        func drawn(_ columns: Int) -> String {
            text(columns, 1) { Hint.draw(GameHints.all(state), on: &$0, in: $1) }
        }
        #expect(drawn(112).hasPrefix("space start   u undo 2 points of Ed   l plays"))
        #expect(
            drawn(72) == "space start   u undo   l plays   c correct   g games   ? help   q quit\n")
        #expect(drawn(52) == "space start   u undo   l plays   ? help   q quit\n")
    }
}

@Suite struct OtherKeysTests {
    @Test func `The list has keys to choose, open, delete and leave`() {
        let keys: [(Key, GamesCommand)] = [
            (.up, .move(by: -1)), (.down, .move(by: 1)), (.scrollUp, .move(by: -1)),
            (.pageDown, .move(by: 7)), (.pageUp, .move(by: -7)), (.enter, .open),
            (.text("d"), .delete), (.delete, .delete), (.text("u"), .restore),
            (.text("/"), .search), (.text("n"), .create), (.text("?"), .help),
            (.escape, .back), (.text("g"), .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(GamesCommand(key, page: 7) == command) }
        #expect(GamesCommand(.text("1"), page: 7) == nil)
    }

    @Test func `In the creator all keys but a few are text`() {
        #expect(CreatorCommand(.tab) == .nextField)
        #expect(CreatorCommand(.down) == .nextField)
        #expect(CreatorCommand(.backTab) == .previousField)
        #expect(CreatorCommand(.up) == .previousField)
        #expect(CreatorCommand(.enter) == .confirm)
        #expect(CreatorCommand(.escape) == .back)
        #expect(CreatorCommand(.text("q")) == .edit(.text("q")))
        #expect(CreatorCommand(.left) == .edit(.left))
    }
}
