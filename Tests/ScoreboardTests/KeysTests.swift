import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import scoreboard

@Suite struct GameKeysTests {
    private let bo = PlayerChoice(side: .home, index: 1)

    @Test func `each key of a game has its command`() {
        let keys: [(Key, GameCommand)] = [
            (.text("1"), .make(.onePoint)), (.text("2"), .make(.twoPoints)),
            (.text("a"), .make(.assist)), (.text("r"), .make(.rebound)), (.text("f"), .make(.foul)),
            (.text(" "), .startOrPause), (.text("u"), .undo), (.text("g"), .games),
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

    @Test func `the arrows go round a team, and Tab round both`() {
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

    @Test func `each move is one event of a player`() {
        #expect(
            Move.allCases.map(\.event)
                == [.onePointMove, .twoPointMove, .assistMove, .reboundMove, .foulMove])
    }

    @Test func `the hints offer only keys that have an effect`() {
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
