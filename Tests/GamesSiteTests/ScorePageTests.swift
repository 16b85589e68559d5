import BusdGamesEvents
import BusdProtocol
import BusdSite
import BusdSiteTestSupport
import TestSupport
import Testing

@testable import BusdGamesSite

/// The pages of games, made of values.
@Suite(.showsScreens) struct ScorePageTests {
    @Test func `A score page has the values of its game`() throws {
        let text = ScorePage(try game()).markup
        #expect(text.contains("<title>Hawks 12 - 9 Jets</title>"))
        #expect(text.contains("data-value=\"score.home\" data-pulse>12</div>"))
        #expect(text.contains("data-value=\"time.text\">00:42.1</span>"))
        #expect(text.contains("data-state=\"paused\" data-winner=\"\""))
        #expect(text.contains("role=\"status\">Hawks 12, Jets 9</p>"))
        #expect(text.contains("<tr data-from=\"scoreboard/1/away/3\">"))
        // Two ones and two twos.
        #expect(text.contains("data-value=\"points.count\">6</td>"))
        #expect(text.contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"))
        #expect(!text.contains("<button"))
    }

    @Test func `A finished game names its winner`() throws {
        let text = ScorePage(try game(isFinished: true)).markup
        #expect(text.contains("data-state=\"final\" data-winner=\"home\""))
        #expect(text.contains("Hawks 12, Jets 9, final"))
    }

    @Test func `An overlay has no players, no tenths and no buttons`() throws {
        let scorer = Scorer.scorekeeper(name: "Ann")
        let text = ScorePage(try game(), look: .overlay, scorer: scorer).markup
        #expect(
            text.contains("<main class=\"overlay\"") && text.contains("data-short>00:42</span>"))
        #expect(!text.contains("<table") && !text.contains("<button"))
        #expect(text.contains("content=\"light\""))
    }

    @Test func `A paired phone gets five targets, undo and pause`() throws {
        let text = ScorePage(try game(), scorer: Scorer.scorekeeper(name: "Ann"))
            .markup
        for event in ["onePointMove", "twoPointMove", "assistMove", "reboundMove", "foulMove"] {
            #expect(text.contains("value=\"\(event)\""))
        }
        #expect(text.contains("id=\"undo\" aria-disabled=\"true\">Undo <bdi>2 points of Ed</bdi>"))
        #expect(text.contains("id=\"pause\"") && text.contains("Scoring as Ann"))
        #expect(text.contains("data-score=\"\(GamesAssets.scoringScript.link)\" data-moves=\"7\""))
    }

    @Test func `A phone paired for another game has no buttons`() throws {
        let scorer = Scorer.other(name: "Ann", pattern: "scoreboard/2/**")
        let text = ScorePage(try game(), scorer: scorer).markup
        #expect(!text.contains("<button") && text.contains("Paired as Ann for scoreboard/2/**."))
        #expect(text.contains("a link to scoreboard/1/**"))
    }

    @Test func `A phone whose pairing has ended is told so`() throws {
        let text = ScorePage(try game(), scorer: .former).markup
        #expect(
            !text.contains("<button") && text.contains("not paired now. Taps that wait are kept"))
    }

    @Test func `A game without any value still has a page`() {
        let text = ScorePage(GameValues(at: .literal("scoreboard/7"))).markup
        #expect(text.contains("<title>Home - Away</title>"))
        #expect(text.contains("data-state=\"\"") && text.contains("data-digits=\"2\""))
    }

    @Test func `Unknown events and values of a wrong type change nothing else`() throws {
        var values = try game()
        for event in [
            #"{"weather":{"text":"rain"}}"#, #"{"score":7}"#, #"{"players":{"home":"x"}}"#, "[]",
            #"{"teams":null}"#, #"{"a":{},"b":{}}"#,
        ] {
            values.apply(try json(event), from: values.address)
        }
        #expect(values.time == "00:42.1" && values.state == .paused)
        #expect(values.home.points == nil && values.players(.home).isEmpty)
    }

    @Test func `Three digits are announced to the style sheet`() throws {
        var values = try game()
        values.apply(try json(#"{"score":{"home":115,"away":99,"text":""}}"#), from: values.address)
        #expect(ScorePage(values).markup.contains("data-digits=\"3\""))
    }

    @Test func `A page for looking at ten players has at most 20 kB, with all that it loads`()
        throws
    {
        let values = try game(text: "Alexander Meyers", playersPerTeam: 5)
        let page = ScorePage(values).html(root: "../").bytes.count
        #expect(page + Assets.style.bytes.count + Assets.script.bytes.count <= 20_000)
    }

    @Test func `The list of games leaves out deleted games and shows the newest 50`() {
        let rows = (1...60).reversed().map { id in
            Games.Row(
                id: "\(id)", address: "scoreboard/\(id)", home: "Hawks", away: "Jets",
                score: "3 - 2", status: .running, isDeleted: id == 60)
        }
        let text = GamesPage(rows: rows).markup
        #expect(!text.contains("scoreboard/60\"") && text.contains("href=\"./scoreboard/59\""))
        #expect(text.contains("href=\"./scoreboard/10\"") && !text.contains("scoreboard/9\""))
    }

    @Test func `An address of a row that leads elsewhere is no link`() {
        let row = Games.Row(
            id: "1", address: "/evil.example", home: "A", away: "B", score: "", status: .paused)
        #expect(!GamesPage(rows: [row]).markup.contains("evil"))
    }

    @Test(arguments: [404, 503])
    func `An overlay without its game shows nothing, and tries again`(status: Int) {
        let overlay = EmptyOverlay(MessagePage(status: status, title: "No", text: "")).markup
        #expect(overlay.contains("<main class=\"overlay\" data-reload=\"\(status)\"></main>"))
        #expect(overlay.contains("content=\"light\""))
    }

    @Test func `A page of a game that is missing says so, and tries again`() {
        #expect(
            MessagePage.noSuchGame.markup.contains("<main class=\"message\" data-reload=\"404\">"))
    }
}
