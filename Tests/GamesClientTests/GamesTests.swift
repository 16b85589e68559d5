import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

private func row(
    _ id: Int, _ home: String = "Hawks", _ away: String = "Jets", _ score: String = "3 - 2",
    _ status: Games.Status = .paused, created: Int? = nil, isDeleted: Bool = false
) -> Games.Row {
    Games.Row(
        id: "\(id)", address: "scoreboard/\(id)", home: home, away: away, score: score,
        status: status, created: created, isDeleted: isDeleted
    )
}

@Suite struct GamesListTests {
    private func list(_ ids: Int..., choosing chosen: Int? = nil) -> GamesList {
        var list = GamesList()
        list.apply(.games(games: ids.map { row($0) }))
        if let chosen { list.choose(id: "\(chosen)") }
        return list
    }

    @Test func `The list is unknown before its first event`() {
        #expect(!GamesList().isKnown)
        #expect(list().isKnown)
        #expect(list().chosenRow == nil)
    }

    @Test func `The first row is chosen, and the choice moves between the ends`() {
        var list = list(3, 2, 1)
        #expect(list.chosen == "3")
        list.move(by: 1)
        #expect(list.chosen == "2")
        list.move(by: 9)
        #expect(list.chosen == "1")
        list.move(by: -9)
        #expect(list.chosen == "3")
    }

    @Test func `The choice stays on its game while the list changes`() {
        var list = list(3, 2, 1, choosing: 2)
        list.apply(.gamesEdited(edits: [.insert(at: 0, row: row(4)), .delete(at: 1)]))
        #expect(list.rows.map(\.id) == ["4", "2", "1"])
        #expect(list.chosen == "2")
        list.apply(.gamesEdited(edits: [.move(from: 1, to: 2)]))
        #expect(list.rows.map(\.id) == ["4", "1", "2"])
        #expect(list.chosen == "2")
        list.apply(.games(games: [row(2), row(9)]))
        #expect(list.chosen == "2")
    }

    @Test func `When the chosen game is deleted the next one takes its place`() {
        var list = list(3, 2, 1, choosing: 2)
        list.apply(.gamesEdited(edits: [.delete(at: 1)]))
        #expect(list.chosen == "1")
        list.apply(.gamesEdited(edits: [.delete(at: 1)]))
        #expect(list.chosen == "3")
        list.apply(.gamesEdited(edits: [.delete(at: 0)]))
        #expect(list.chosen == nil)
        list.apply(.gamesEdited(edits: [.insert(at: 0, row: row(5))]))
        #expect(list.chosen == "5")
    }

    @Test func `Edits that do not fit leave the list as it was`() {
        var list = list(2, 1)
        let before = list
        list.apply(.gamesEdited(edits: [.delete(at: 7)]))
        list.apply(.created(game: "9", address: "scoreboard/9"))
        #expect(list == before)
    }

    @Test func `The newest game that is not finished comes first`() {
        var list = GamesList()
        list.apply(
            .games(games: [
                row(4, "A", "B", "15 - 3", .finished), row(3, "A", "B", "0 - 0", .running), row(2),
            ]))
        #expect(list.newest(orFinished: false)?.id == "3")
        #expect(list.newest(orFinished: true)?.id == "3")
        list.apply(.games(games: [row(4, "A", "B", "15 - 3", .finished)]))
        #expect(list.newest(orFinished: false) == nil)
        #expect(list.newest(orFinished: true)?.id == "4")
        list.apply(.games(games: [row(5, isDeleted: true), row(4), row(3, isDeleted: true)]))
        #expect(list.newest(orFinished: true)?.id == "4")
        list.apply(.games(games: [row(5, isDeleted: true)]))
        #expect(list.newest(orFinished: true) == nil)
    }

    @Test func `A search shows the games of a team, also after the list has changed`() {
        let view = GamesView()
        view.handle(event: .games(games: [row(3, "Owls"), row(2), row(1, "Foxes", "Owls")]))
        view.search.open()
        for key in Key.typing("owl") { view.search.press(key) }
        #expect(view.list.rows.map(\.id) == ["3", "1"])
        view.handle(event: .gamesEdited(edits: [.insert(at: 0, row: row(4, "OWLS"))]))
        #expect(view.list.rows.map(\.id) == ["4", "3", "1"])
        #expect(view.list.chosen == "3")
        view.search.clear()
        #expect(view.list.rows.map(\.id) == ["4", "3", "2", "1"])
    }

    @Test func `A game is deleted and taken back by its id`() {
        let view = GamesView()
        var sent: [Games.ViewEvent] = []
        view.output.bind(view) { sent.append($1) }
        view.delete(row(4))
        view.restore(row(5))
        #expect(sent == [.deleteGame(game: "4"), .restoreGame(game: "5")])
    }
}

@Suite(.showsScreens) struct GamesPictureTests {
    private var list: GamesList {
        var list = GamesList()
        list.apply(
            .games(games: [
                row(12, "Hawks", "Jets", "3 - 2", .running), row(11, "日本", "Löwen", "0 - 0"),
                row(9, "Alligators", "Bears", "15 - 13", .finished),
            ]))
        list.choose(id: "11")
        return list
    }

    private func drawn(_ list: GamesList, _ columns: Int, _ rows: Int) -> Picture {
        picture(columns, rows) { GamesPicture(list: list).draw(on: &$0, in: $1) }
    }

    @Test func `Scores stand below each other between the names`() {
        #expect(
            drawn(list, 80, 6).frame.text == """
                    Games

                    12                     Hawks   3 - 2   Jets                      running
                  ▸ 11                      日本   0 - 0   Löwen                     paused
                     9                Alligators  15 - 13  Bears                     finished

                """)
    }

    @Test func `Names are cut on a small screen`() {
        #expect(
            drawn(list, 40, 6).frame.text == """
                  Games

                  12   Hawks   3 - 2   Jets    running
                ▸ 11    日本   0 - 0   Löwen   paused
                   9  Allig…  15 - 13  Bears   finished

                """)
    }

    @Test func `A game has the day of its creation, and a deleted one the way back`() {
        var list = GamesList()
        let noon = 1_767_268_800
        list.apply(
            .games(games: [
                row(12, created: noon), row(11, "Owls", "Foxes", isDeleted: true), row(9),
            ]))
        let day = LocalTime(seconds: noon).day
        #expect(
            drawn(list, 80, 6).frame.text == """
                    Games

                  ▸ 12                Hawks  3 - 2  Jets                 paused    \(day)
                    11  Owls 3 - 2 Foxes                              deleted: u takes it back
                     9                Hawks  3 - 2  Jets                 paused

                """)
        #expect(
            drawn(list, 40, 6).frame.text == """
                  Games

                ▸ 12    Hawks  3 - 2  Jets     paused
                  11  Owls 3 …  deleted: u takes it back
                   9    Hawks  3 - 2  Jets     paused

                """)
        #expect(drawn(list, 80, 6).frame.hiddenCursor == Point(column: 2, row: 2))
    }

    @Test func `A click on a row is a click on its game`() throws {
        let picture = drawn(list, 80, 6)
        #expect(picture.touch(at: Point(column: 40, row: 4)) == .row("9"))
        #expect(picture.touch(at: Point(column: 40, row: 5)) == nil)
    }

    @Test func `A long list is shown around the chosen row, and counted`() {
        var list = GamesList()
        list.apply(.games(games: (1...100).reversed().map { row($0) }))
        list.move(by: 50)
        let lines = drawn(list, 60, 7).frame.lines
        #expect(lines[0] == "    Games" + String(repeating: " ", count: 40) + "51 of 100")
        #expect(
            lines.dropFirst(2).map { $0.prefix(10) } == [
                "     52   ", "     51   ", "  ▸  50   ", "     49   ", "     48   ",
            ])
        list.move(by: 99)
        #expect(drawn(list, 60, 7).frame.lines.last?.hasPrefix("  ▸   1") == true)
    }

    @Test func `The list shows that it waits for the daemon, or has no games`() {
        var list = GamesList()
        #expect(drawn(list, 60, 8).frame.text.contains("Waiting for the daemon…"))
        list.apply(.games(games: []))
        #expect(drawn(list, 60, 8).frame.text.contains("No games yet: n begins one."))
    }

    @Test func `The list of games draws nothing outside its area`() {
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...12 {
                expectInside(columns, rows) { GamesPicture(list: list).draw(on: &$0, in: $1) }
            }
        }
    }
}
