import BusdGamesEvents
import BusdProtocol
import BusdSiteTestSupport
import TestSupport
import Testing

@testable import BusdGamesSite

@Suite(.showsScreens) struct GamesEscapingTests {
    @Test func `No text of a page becomes a tag, an attribute, a script or a foreign link`() throws
    {
        try expectSafe { text in
            let values = try game(text: text)
            let row = Games.Row(
                id: text, address: text, home: text, away: text, score: text, status: .paused)
            return [
                ScorePage(values), ScorePage(values, look: .overlay),
                ScorePage(values, scorer: .scorekeeper(name: text)),
                ScorePage(values, scorer: .other(name: text, pattern: text)),
                GamesPage(rows: [row]), GamesPage(rows: []), EmptyOverlay(.noSuchGame),
            ]
        }
    }
}
