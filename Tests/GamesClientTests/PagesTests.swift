import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

/// Records the steps and notices of pages.
private final class RecordingStage: PageHost {
    var steps: [Step] = []
    var notices: [String] = []

    func changed() {}
    func showNotice(_ notice: String) { notices.append(notice) }
    func go(_ step: Step) { steps.append(step) }
}

/// Pages without a daemon.
@Suite(.showsScreens) struct PagesTests {
    private let stage = RecordingStage()
    private let connection: BusConnection

    init() throws {
        connection = BusConnection(loop: try ClientLoop(), path: "/nowhere/busd.sock")
    }

    private func drawn(_ page: any Page) -> String {
        text(60, 12) { page.draw(on: &$0, in: $1) }
    }

    private func game() -> GameViews {
        GameViews(.literal("scoreboard/4"), connection, as: "scoreboard", on: stage)
    }

    /// Hawks against Jets, as the daemon sends them.
    private func shownGame() throws -> GameViews {
        let game = game()
        game.showParts()
        for event in Scoreboard.ViewModelEvent.examples.filter({ $0.delivery == .latest }) {
            game.container.handle(event: event)
            game.content.handle(event: event)
        }
        for handle in [game.container.handle, game.content.handle] {
            handle(.finished(isFinished: false, winner: nil))
        }
        for (number, name) in ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"].enumerated() {
            let choice = try #require(PlayerChoice(number: number, size: 3))
            try #require(game.content.view(of: choice)).handle(event: .name(text: name))
        }
        return game
    }

    @Test func `A game page waits for its game, and can be left`() {
        let page = GamePage(game(), .both, on: stage)
        #expect(drawn(page).contains("Waiting for game 4…"))
        #expect(page.hints == [])
        #expect(page.summary == "")
        for key in ["g", "n", "?", "q", "l", "c"] as [Unicode.Scalar] { page.press(.text(key)) }
        page.press(.escape)
        #expect(stage.steps == [.games, .create, .help, .quit, .plays, .correct, .back])
        #expect(stage.notices == [])
    }

    @Test func `A move is echoed in words, and an unknown key says so`() throws {
        let page = GamePage(try shownGame(), .both, on: stage)
        #expect(page.echo == nil)
        page.press(.text("o"))
        page.press(.text("2"))
        #expect(page.echo == "2 points of Ed")
        page.press(.text("w"))
        page.press(.text("a"))
        #expect(page.echo == "an assist of Ann")
        #expect(connection.unansweredCount == 2)
        page.press(.text("x"))
        page.press(.pageUp)
        page.press(.scrollUp)
        page.press(.text("b"))
        #expect(
            stage.notices == [
                "x does nothing here: ? for help", "this key does nothing here: ? for help",
                "b does nothing here: ? for help",
            ])
    }

    @Test func `A move after the end of the game is not sent`() throws {
        let game = try shownGame()
        game.container.handle(event: .finished(isFinished: true, winner: .home))
        let page = GamePage(game, .both, on: stage)
        page.press(.text("f"))
        #expect(page.echo == "the game is over: this counts no more")
        #expect(connection.unansweredCount == 0)
    }

    @Test func `Without a connection an undo waits, and a change of the clock is not sent`() throws
    {
        let page = GamePage(try shownGame(), .both, on: stage)
        page.press(.text("u"))
        page.press(.text("y"))
        #expect(connection.unansweredCount == 2)
        page.press(.text("+"))
        #expect(connection.unansweredCount == 2)
        #expect(stage.notices == ["moveClock was not sent"])
    }

    @Test func `A clock that a restart stopped is reported`() throws {
        let game = try shownGame()
        let stopped = 1_767_225_600
        game.container.handle(event: .clock(setting: 0, stopped: stopped))
        let page = GamePage(game, .both, on: stage)
        let time = LocalTime(seconds: stopped).time
        #expect(drawn(page).contains("the clock was stopped by a restart at \(time)"))
        game.container.handle(event: .paused(isPaused: false))
        #expect(!drawn(page).contains("restart"))
    }

    @Test func `A play is chosen, searched, given away and taken out`() throws {
        let game = try shownGame()
        let page = PlaysPage(game, on: stage)
        #expect(drawn(page).contains("Waiting for the plays…"))
        game.plays.handle(
            event: .plays(plays: (1...4).compactMap { .play($0, .away, $0 % 3, .twoPoint) }))
        page.press(.end)
        #expect(
            drawn(page) == """
                    Plays

                     1           Ed              Jets            2 points
                     2           Flo             Jets            2 points
                     3  00:12.4  Di              Jets            2 points
                  ▸  4  00:13.4  Ed              Jets            2 points




                    w Ann   e Bo   s Cy
                    i Di   o Ed   k Flo

                """)
        page.press(.text("t"))
        #expect(page.question == "Take out 2 points of Ed? y/n")
        page.press(.text("n"))
        #expect(page.question == nil)
        #expect(connection.unansweredCount == 0)
        page.press(.text("w"))
        page.press(.text("f"))
        page.press(.text("t"))
        page.press(.text("y"))
        #expect(connection.unansweredCount == 3)

        for key in Key.typing("/FLO") { page.press(key) }
        #expect(drawn(page).contains("Plays  /FLO"))
        #expect(page.hints == Search.hints)
        page.press(.enter)
        #expect(game.playsState.found.rows.map(\.id) == ["2"])
        page.press(.escape)
        #expect(game.playsState.found.rows.count == 4)
        page.press(.escape)
        #expect(stage.steps == [.back])
        #expect(stage.notices == [])
    }

    @Test func `A part of a game needs less room than both`() {
        func minimum(_ parts: GameParts) -> Size {
            GamePage(game(), parts, on: stage).minimum
        }
        #expect(minimum(.both) == Size(columns: 40, rows: 11))
        #expect(minimum(.both).holds(minimum(.content)))
        #expect(minimum(.both).holds(minimum(.container)))
    }

    @Test func `Without a daemon the list waits, and leads to other pages`() {
        let page = GamesPage(connection, on: stage)
        #expect(drawn(page).contains("Waiting for the daemon…"))
        for key in [Key.text("n"), .text("?"), .enter, .text("d"), .text("q")] { page.press(key) }
        #expect(stage.steps == [.create, .help, .quit])
        #expect(page.question == nil)
    }

    @Test func `Names that are typed are shown before the daemon has them`() {
        let draft = Draft(address: .literal("game-creator/table-2"), isShared: true)
        let page = CreatorPage(draft, connection, on: stage)
        for scalar in "Hawks".unicodeScalars { page.press(.text(scalar)) }
        page.press(.enter)
        page.press(.text("A"))
        page.touch(.field(4))
        page.press(.text("J"))
        #expect(
            drawn(page) == """
                    New game · draft table-2                     Create
                          Home                         Away
                     Team Hawks                   Team J
                        1 A                          1
                        2                            2
                        3                            3
                     Points to win 15     Margin 2     Players 3

                """)
        page.press(.escape)
        #expect(stage.steps == [.back])
    }

    @Test func `Changed names and the clock are sent with what they were`() throws {
        let game = try shownGame()
        let page = CorrectionPage(game, on: stage)
        #expect(
            drawn(page) == """
                    Corrections

                          Home                         Away
                     Team Hawks                   Team Jets
                        1 Ann                        1 Di
                        2 Bo                         2 Ed
                        3 Cy                         3 Flo

                    Clock 01:10.3

                """)
        page.press(.enter)
        #expect(stage.steps == [.back])
        page.press(.control("u"))
        page.press(.enter)
        #expect(stage.notices == ["the name is missing"])
        for key in Key.typing("Owls") { page.press(key) }
        page.touch(.field(2))
        page.press(.text("b"))
        page.press(.enter)
        #expect(connection.unansweredCount == 2)
        page.press(.backTab)
        page.press(.backTab)
        page.press(.backTab)
        page.press(.text("x"))
        page.press(.enter)
        #expect(stage.notices == ["the name is missing", "setClock was not sent"])
        #expect(stage.steps == [.back])
    }

    @Test func `A deleted game is not opened, and can be taken back`() {
        let page = GamesPage(connection, on: stage)
        page.show(
            .games(games: [
                Games.Row(
                    id: "4", address: "scoreboard/4", home: "Hawks", away: "Jets", score: "3 - 2",
                    status: .paused, isDeleted: true)
            ]))
        page.press(.enter)
        #expect(stage.notices == ["this game is deleted: u takes it back"])
        page.press(.text("d"))
        #expect(page.question == nil)
        page.press(.text("u"))
        #expect(connection.unansweredCount == 1)
        #expect(stage.steps == [])
    }

    @Test func `A refusal names a game, not its view model`() {
        let error = WireError(.unknownViewModel, "there is no view model scoreboard/99")
        #expect(
            error.about("game", at: .literal("scoreboard/99")).message
                == "there is no game 99, or it is deleted")
        let other = WireError(.overloaded, "too much")
        #expect(other.about("game", at: .literal("scoreboard/99")).message == "too much")
    }

    @Test func `Any key leaves the help, and q the program`() {
        let page = HelpPage(on: stage)
        #expect(drawn(page).contains("take back the last move"))
        page.press(.text("x"))
        page.press(.text("q"))
        #expect(stage.steps == [.back, .quit])
    }
}
