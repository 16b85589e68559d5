import Protocol
import Terminal
import Testing

@testable import scoreboard

@Suite struct GameKeysTests {
    private let bo = PlayerChoice(side: .home, index: 1)

    @Test func `each key has its command`() {
        let keys: [(Key, GameCommand)] = [
            (.text("1"), .make(.onePoint)), (.text("2"), .make(.twoPoints)),
            (.text("a"), .make(.assist)), (.text("r"), .make(.rebound)), (.text("f"), .make(.foul)),
            (.text(" "), .togglePause), (.text("u"), .undo), (.text("g"), .games),
            (.text("n"), .create), (.text("?"), .help), (.text("q"), .quit), (.escape, .back),
            (.up, .choose(PlayerChoice(side: .home, index: 0))),
            (.down, .choose(PlayerChoice(side: .home, index: 2))),
            (.right, .choose(PlayerChoice(side: .away, index: 1))),
            (.left, .choose(PlayerChoice(side: .away, index: 1))),
            (.tab, .choose(PlayerChoice(side: .home, index: 2))),
            (.backTab, .choose(PlayerChoice(side: .home, index: 0))),
        ]
        for (key, command) in keys { #expect(GameCommand(key, chosen: bo) == command) }
        for key in [Key.text("x"), .enter, .control("a"), .pageUp] {
            #expect(GameCommand(key, chosen: bo) == nil)
        }
    }

    @Test func `the arrows go round a team, and Tab round both`() {
        var choice = PlayerChoice(side: .away, index: 2)
        choice = choice.after(.down) ?? choice
        #expect(choice == PlayerChoice(side: .away, index: 0))
        choice = choice.after(.backTab) ?? choice
        #expect(choice == PlayerChoice(side: .home, index: 2))
        var seen: Set<PlayerChoice> = []
        for _ in 0..<6 {
            choice = choice.after(.tab) ?? choice
            seen.insert(choice)
        }
        #expect(seen.count == 6)
        #expect(choice == PlayerChoice(side: .home, index: 2))
    }

    @Test func `each move is one event of a player`() {
        #expect(
            Move.allCases.map(\.event)
                == [.onePointMove, .twoPointsMove, .assistMove, .reboundMove, .foulMove])
    }

    @Test func `the hints offer what is of use`() {
        func labels(_ state: ContainerState) -> [String] { GameHints.all(state).map(\.label) }
        var state = ContainerState.hawksAndJets()
        #expect(labels(state) == ["space", "u", "g", "n", "?", "q"])
        #expect(GameHints.all(state).first?.words == "start")
        state.apply(.paused(isPaused: false))
        #expect(GameHints.all(state).first?.words == "pause")
        state.apply(.undoable(canUndo: false))
        #expect(labels(state) == ["space", "g", "n", "?", "q"])
        state.apply(.finished(isFinished: true, winner: .home))
        #expect(labels(state) == ["g", "n", "?", "q"])
    }
}

@Suite struct OtherKeysTests {
    @Test func `the list has keys to choose, open, delete and leave`() {
        let keys: [(Key, GamesCommand)] = [
            (.up, .move(by: -1)), (.down, .move(by: 1)), (.scrollUp, .move(by: -1)),
            (.pageDown, .move(by: 7)), (.pageUp, .move(by: -7)), (.enter, .open),
            (.text("d"), .delete), (.delete, .delete), (.text("n"), .create), (.text("?"), .help),
            (.escape, .back), (.text("g"), .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(GamesCommand(key, page: 7) == command) }
        #expect(GamesCommand(.text("1"), page: 7) == nil)
    }

    @Test func `in the creator all keys but a few are text`() {
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

@Suite struct HintTests {
    private let hints = [
        Hint("space", "pause", .text(" "), rank: 1), Hint("n", "new game", .text("n"), rank: 2),
        Hint("q", "quit", .text("q")),
    ]

    @Test func `where there is no room the least important ones are left out`() {
        func drawn(_ columns: Int) -> String {
            text(columns, 1) { Hint.draw(hints, on: &$0, in: $1) }
        }
        #expect(drawn(33) == "space pause   n new game   q quit\n")
        #expect(drawn(32) == "space pause  n new game  q quit\n")
        #expect(drawn(30) == "space pause   q quit\n")
        #expect(drawn(18) == "q quit\n")
        #expect(drawn(5) == "")
    }

    @Test func `a click on a hint is its key`() {
        let picture = picture(40, 1) { Hint.draw(hints, on: &$0, in: $1) }
        #expect(picture.touch(at: Point(column: 4, row: 0)) == .key(.text(" ")))
        #expect(picture.touch(at: Point(column: 20, row: 0)) == .key(.text("n")))
        #expect(picture.touch(at: Point(column: 12, row: 0)) == nil)
    }

    @Test func `the bottom line tells what is most urgent`() {
        func drawn(_ line: StatusLine) -> String { text(50, 1) { line.draw(on: &$0, in: $1) } }
        var line = StatusLine(loss: nil, question: nil, notice: nil, hints: hints)
        #expect(drawn(line) == "space pause   n new game   q quit\n")
        line.notice = "refused: no"
        #expect(drawn(line) == "refused: no\n")
        line.loss = "no daemon listens at /run/busd.sock"
        #expect(drawn(line) == "reconnecting: no daemon listens at /run/busd.sock\n")
        line.waiting = 2
        #expect(drawn(line) == "reconnecting (2 to be sent): no daemon listens at…\n")
        line.question = "Delete it?"
        #expect(drawn(line) == "Delete it?\n")
    }
}
