import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal
import BusdScreensTestSupport
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
@Suite struct PagesTests {
    private let stage = RecordingStage()
    private let connection: BusConnection

    init() throws {
        connection = BusConnection(loop: try ClientLoop(), path: "/nowhere/busd.sock")
    }

    private func drawn(_ page: any Page) -> String {
        text(60, 12) { page.draw(on: &$0, in: $1) }
    }

    @Test func `a game page waits for its game, and can be left`() {
        let page = GamePage(.literal("scoreboard/4"), connection, .both, on: stage)
        #expect(drawn(page).contains("Waiting for scoreboard/4…"))
        #expect(page.hints == [])
        #expect(page.summary == "")
        for key in ["g", "n", "?", "q"] as [Unicode.Scalar] { page.press(.text(key)) }
        page.press(.escape)
        #expect(stage.steps == [.games, .create, .help, .quit, .back])
    }

    @Test func `a part of a game needs less room than both`() {
        func minimum(_ parts: GameParts) -> Size {
            GamePage(.literal("scoreboard/4"), connection, parts, on: stage).minimum
        }
        #expect(minimum(.both) == Size(columns: 40, rows: 11))
        #expect(minimum(.both).holds(minimum(.content)))
        #expect(minimum(.both).holds(minimum(.container)))
    }

    @Test func `without a daemon the list waits, and leads to other pages`() {
        let page = GamesPage(connection, on: stage)
        #expect(drawn(page).contains("Waiting for the daemon…"))
        for key in [Key.text("n"), .text("?"), .enter, .text("d"), .text("q")] { page.press(key) }
        #expect(stage.steps == [.create, .help, .quit])
        #expect(page.question == nil)
    }

    @Test func `names that are typed are shown before the daemon has them`() {
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

                """)
        page.press(.escape)
        #expect(stage.steps == [.back])
    }

    @Test func `any key leaves the help, and q the program`() {
        let page = HelpPage(on: stage)
        #expect(drawn(page).contains("take back the last move"))
        page.press(.text("x"))
        page.press(.text("q"))
        #expect(stage.steps == [.back, .quit])
    }
}
