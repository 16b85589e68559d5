import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

@Suite struct CreatorStateTests {
    @Test(arguments: Team.sizes)
    func `The fields are the home team, its players, the away team, then the rules`(size: Int)
        throws
    {
        let first = try #require(PlayerIndex(0))
        let places = FieldPlace.all(size: size)
        #expect(places.count == 2 * (1 + size) + 3)
        #expect(places[0].event("x") == .teamNameChanged(side: .home, name: "x"))
        #expect(
            places[1].event("x") == .playerNameChanged(side: .home, index: first, name: "x"))
        #expect(places[1 + size].event("x") == .teamNameChanged(side: .away, name: "x"))
        #expect(places.suffix(3) == [.rule(.pointsToWin), .rule(.margin), .rule(.players)])
    }

    @Test func `Typed text is an event for the name with the focus`() {
        var state = CreatorState()
        state.moveFocus(by: 4)
        let event = state.edit(.text("J"))
        #expect(event == .teamNameChanged(side: .away, name: "J"))
        state.focus(on: 99)
        #expect(state.focus == .team(.away))
        state.moveFocus(by: -5)
        #expect(state.focus == .rule(.players))
    }

    @Test func `Arrows and digits change a rule`() {
        var state = CreatorState()
        state.moveFocus(by: -3)
        let keys: [Key] = [.right, .left, .text("2"), .text("1"), .text("0"), .text("x"), .enter]
        #expect(
            keys.map { state.edit($0) } == [
                .pointsToWinChanged(points: 16), .pointsToWinChanged(points: 15),
                .pointsToWinChanged(points: 2), .pointsToWinChanged(points: 21), nil, nil, nil,
            ])
        state.moveFocus(by: 2)
        #expect(state.edit(.text("6")) == nil)
        #expect(state.edit(.text("5")) == .playersChanged(count: 5))
        #expect(state.edit(.text("+")) == nil)
        #expect(state.team(.home).players.count == 5)
        // The daemon answers the keys in their order.
        for points in [16, 15, 2, 21] {
            #expect(state[.pointsToWin] == 21)
            state.apply(.rules(pointsToWin: points, margin: 2, players: 3))
        }
        state.apply(.rules(pointsToWin: 21, margin: 2, players: 5))
        state.apply(.rules(pointsToWin: 11, margin: 1, players: 4))
        #expect(state[.pointsToWin] == 11)
        #expect(state[.margin] == 1)
        #expect(state.size == 4)
    }

    @Test func `The draft fills the fields, and only the view model enables the button`() {
        var state = CreatorState()
        state.apply(
            .draft(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: "Jets", players: ["Di", "", ""])))
        #expect(state.team(.home) == TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]))
        #expect(state.team(.away) == TeamDraft(name: "Jets", players: ["Di", "", ""]))
        #expect(!state.canCreate)
        state.apply(.createEnabled(isEnabled: true))
        state.apply(.problems(texts: ["The name is odd."]))
        #expect(state.canCreate)
        #expect(state.problems == ["The name is odd."])
        state.apply(.draft(home: TeamDraft(), away: TeamDraft()))
        #expect(state.isFresh)
        state.apply(.rules(pointsToWin: 15, margin: 1, players: 3))
        #expect(!state.isFresh)
    }

    @Test func `The cursor begins at the end of a draft that is there, and then stays`() throws {
        let second = try #require(PlayerIndex(1))
        var state = CreatorState()
        state.apply(
            .draft(home: TeamDraft(name: "Hawks", players: ["Ann", "", ""]), away: TeamDraft()))
        #expect(state.focus == .player(.home, second))
        state.apply(.draft(home: TeamDraft(name: "Hawks"), away: TeamDraft(name: "Jets")))
        #expect(state.focus == .player(.home, second))
        state.apply(.rules(pointsToWin: 15, margin: 2, players: 1))
        #expect(state.focus == .rule(.players))
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

    @Test func `A draft that is gone after a loss is sent again, with its rules`() throws {
        let fourth = try #require(PlayerIndex(3))
        let view = view(typing: "Hawks")
        view.handle(
            event: .draft(
                home: TeamDraft(name: "Hawks", players: ["", "", "", "A"]), away: TeamDraft()))
        view.handle(event: .rules(pointsToWin: 21, margin: 2, players: 4))
        let daemon = Daemon()
        view.liveChanged(false)
        // Typed without a connection.
        view.edit(.text("!"))
        view.output.bind(daemon) { $0.received.append($1) }
        view.handle(event: .draft(home: TeamDraft(), away: TeamDraft()))
        view.handle(event: .rules(pointsToWin: 15, margin: 2, players: 3))
        view.liveChanged(true)
        #expect(
            daemon.received == [
                .playersChanged(count: 4), .pointsToWinChanged(points: 21),
                .teamNameChanged(side: .home, name: "Hawks!"),
                .playerNameChanged(side: .home, index: fourth, name: "A"),
            ])
    }

    @Test func `A draft that still exists after a loss is not sent again`() {
        let view = view(typing: "H")
        let daemon = Daemon()
        view.output.bind(daemon) { $0.received.append($1) }
        view.liveChanged(false)
        view.handle(event: .draft(home: TeamDraft(name: "Hawks"), away: TeamDraft()))
        view.liveChanged(true)
        #expect(daemon.received == [])
    }

    @Test func `A created game is reported with its address`() {
        let view = CreatorView()
        var created: [Address] = []
        view.onCreated = { created.append($0) }
        view.handle(event: .created(address: "scoreboard/4"))
        view.handle(event: .created(address: "not an address"))
        #expect(created == [.literal("scoreboard/4")])
    }
}

@Suite(.showsScreens) struct CreatorPictureTests {
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

    @Test func `The teams stand side by side, with the problems below`() {
        #expect(
            drawn(state, 80, 16).frame.text == """
                    New game                                                         Create

                          Home                                   Away
                     Team Löwen 日本                        Team Jets
                        1 Ann                                  1
                        2                                      2
                        3                                      3

                     Points to win 15     Margin 2     Players 3

                    The name of player 2 is missing.
                    The name of player 3 is missing.
                    The name of player 4 is missing.
                    The name of player 5 is missing.

                """)
    }

    @Test func `The creator fits a small screen`() {
        #expect(
            drawn(state, 40, 11).frame.text == """
                New game                         Create
                      Home                 Away
                 Team Löwen 日本      Team Jets
                    1 Ann                1
                    2                    2
                    3                    3
                 Points 15   Margin 2   Players 3
                The name of player 2 is missing.
                The name of player 3 is missing.
                The name of player 4 is missing.
                The name of player 5 is missing.

                """)
    }

    @Test func `Five players fit a small screen`() {
        var state = state
        state.apply(.rules(pointsToWin: 21, margin: 1, players: 5))
        state.focus(on: state.places.count - 3)
        let picture = drawn(state, 60, 14)
        #expect(
            picture.frame.text == """
                    New game                                     Create
                          Home                         Away
                     Team Löwen 日本              Team Jets
                        1 Ann                        1
                        2                            2
                        3                            3
                        4                            4
                        5                            5
                     Points to win 21     Margin 1     Players 5
                    The name of player 2 is missing.
                    The name of player 3 is missing.
                    The name of player 4 is missing.
                    The name of player 5 is missing.

                """)
        #expect(picture.frame.cursor == Point(column: 21, row: 8))
    }

    @Test func `The cursor stands in the field that has the focus`() {
        #expect(drawn(state, 80, 16).frame.cursor == Point(column: 49, row: 4))
    }

    @Test func `Fields can be clicked, and Create once it is enabled`() throws {
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

    @Test func `A shared draft shows its name`() {
        let text = text(60, 12) {
            CreatorPicture(state: state, sharedAs: "table-2").draw(on: &$0, in: $1)
        }
        #expect(text.contains("New game · draft table-2"))
    }

    @Test func `The creator draws nothing outside its area`() {
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 {
                expectInside(columns, rows) {
                    CreatorPicture(state: state, sharedAs: nil).draw(on: &$0, in: $1)
                }
            }
        }
    }
}
