import BusdProtocol
import BusdScreens
import BusdTerminal
import BusdScreensTestSupport
import Testing

@testable import scoreboard

@Suite struct CreatorStateTests {
    @Test func `the fields are the home team, its players, then the away team`() throws {
        let first = try #require(PlayerIndex(0))
        let events = FieldPlace.all.map { $0.event("x") }
        #expect(events.count == 8)
        #expect(events[0] == .teamNameChanged(side: .home, name: "x"))
        #expect(events[1] == .playerNameChanged(side: .home, index: first, name: "x"))
        #expect(events[4] == .teamNameChanged(side: .away, name: "x"))
    }

    @Test func `typed text is an event for the name with the focus`() {
        var state = CreatorState()
        state.moveFocus(by: -4)
        let event = state.edit(.text("J"))
        #expect(event == .teamNameChanged(side: .away, name: "J"))
        state.focus(on: 99)
        #expect(state.focus == 4)
    }

    @Test func `the draft fills the fields, and only the view model enables the button`() {
        var state = CreatorState()
        state.apply(
            .draft(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: "Jets", players: ["Di"])))
        #expect(state.texts == ["Hawks", "Ann", "Bo", "Cy", "Jets", "Di", "", ""])
        #expect(!state.canCreate)
        state.apply(.createEnabled(isEnabled: true))
        state.apply(.problems(texts: ["The name is odd."]))
        #expect(state.canCreate)
        #expect(state.problems == ["The name is odd."])
        state.apply(.draft(home: TeamDraft(), away: TeamDraft()))
        #expect(state.isEmpty)
    }
}

@Suite struct CreatorViewTests {
    private final class Daemon {
        var received: [GameCreator.ViewEvent] = []
    }

    private func view(typing text: String) -> CreatorView {
        let view = CreatorView()
        for scalar in text.unicodeScalars { view.edit(.text(scalar)) }
        return view
    }

    @Test func `a draft that is empty after a loss is sent again`() throws {
        let first = try #require(PlayerIndex(0))
        let view = view(typing: "Hawks")
        view.moveFocus(by: 1)
        view.edit(.text("A"))
        view.handle(
            event: .draft(
                home: TeamDraft(name: "Hawks", players: ["A", "", ""]), away: TeamDraft()))
        let daemon = Daemon()
        view.output.bind(daemon) { $0.received.append($1) }
        view.liveChanged(false)
        view.handle(event: .draft(home: TeamDraft(), away: TeamDraft()))
        view.liveChanged(true)
        #expect(
            daemon.received == [
                .teamNameChanged(side: .home, name: "Hawks"),
                .playerNameChanged(side: .home, index: first, name: "A"),
            ])
    }

    @Test func `a draft that still exists after a loss is not sent again`() {
        let view = view(typing: "H")
        let daemon = Daemon()
        view.output.bind(daemon) { $0.received.append($1) }
        view.liveChanged(false)
        view.handle(event: .draft(home: TeamDraft(name: "Hawks"), away: TeamDraft()))
        view.liveChanged(true)
        #expect(daemon.received == [])
    }

    @Test func `a created game is reported with its address`() {
        let view = CreatorView()
        var created: [Address] = []
        view.onCreated = { created.append($0) }
        view.handle(event: .created(address: "scoreboard/4"))
        view.handle(event: .created(address: "not an address"))
        #expect(created == [.literal("scoreboard/4")])
    }
}

@Suite struct CreatorPictureTests {
    private var state: CreatorState {
        var state = CreatorState()
        state.apply(
            .draft(
                home: TeamDraft(name: "Löwen 日本", players: ["Ann", "", ""]),
                away: TeamDraft(name: "Jets")))
        state.apply(
            .problems(texts: (2...5).map { "The name of player \($0) is missing." }))
        return state
    }

    private func drawn(_ state: CreatorState, _ columns: Int, _ rows: Int) -> Picture {
        picture(columns, rows) { CreatorPicture(state: state, sharedAs: nil).draw(on: &$0, in: $1) }
    }

    @Test func `the teams stand side by side, with the problems below`() {
        #expect(
            drawn(state, 80, 16).frame.text == """
                    New game                                                         Create

                          Home                                   Away
                     Team Löwen 日本                        Team Jets
                        1 Ann                                  1
                        2                                      2
                        3                                      3

                    The name of player 2 is missing.
                    The name of player 3 is missing.
                    The name of player 4 is missing.
                    The name of player 5 is missing.

                """)
    }

    @Test func `the creator fits a small screen`() {
        #expect(
            drawn(state, 40, 11).frame.text == """
                New game                         Create
                      Home                 Away
                 Team Löwen 日本      Team Jets
                    1 Ann                1
                    2                    2
                    3                    3

                The name of player 2 is missing.
                The name of player 3 is missing.
                The name of player 4 is missing.
                The name of player 5 is missing.

                """)
    }

    @Test func `the cursor stands in the field that has the focus`() {
        #expect(drawn(state, 80, 16).frame.cursor == Point(column: 20, row: 3))
    }

    @Test func `fields can be clicked, and Create once it is enabled`() throws {
        var state = state
        var picture = drawn(state, 80, 16)
        #expect(picture.touch(at: Point(column: 12, row: 4)) == .field(1))
        let button = try #require(place(of: "Create", in: picture))
        #expect(picture.touch(at: button) == nil)
        state.apply(.createEnabled(isEnabled: true))
        state.apply(.problems(texts: []))
        picture = drawn(state, 80, 16)
        #expect(picture.touch(at: button) == .key(.enter))
        #expect(picture.frame.text.contains("Ready."))
    }

    @Test func `a shared draft shows its name`() {
        let text = text(60, 12) {
            CreatorPicture(state: state, sharedAs: "table-2").draw(on: &$0, in: $1)
        }
        #expect(text.contains("New game · draft table-2"))
    }

    @Test func `the creator draws nothing outside its area`() {
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 {
                expectInside(columns, rows) {
                    CreatorPicture(state: state, sharedAs: nil).draw(on: &$0, in: $1)
                }
            }
        }
    }
}
