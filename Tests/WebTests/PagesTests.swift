import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

@testable import web

/// The pages of busd-web, made of values.
///
/// Only the tests of WebTests see input that no daemon and no browser sends today: hostile texts in
/// each place of a page, damaged pairings, and links at the second when they end. WebLookingTests
/// and WebScoringTests test both processes over HTTP, and Tests/Web the pages in browsers.
@Suite(.showsScreens) struct PagesTests {
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
        #expect(text.contains("data-score=\"\(Assets.scoringScript.link)\" data-moves=\"7\""))
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

    @Test func `Values are shown as the browser writes them`() throws {
        let event = try json(#"{"v":{"text":"a","list":[1,{"b":[]},null],"none":{}}}"#)
        let text = ValuesPage(.literal("echo/me"), [event]).markup
        #expect(text.contains("<pre data-value=\"v.text\">a</pre>"))
        #expect(text.contains("[\n  1,\n  {\n    &quot;b&quot;: []\n  },\n  null\n]</pre>"))
        #expect(text.contains("<pre data-value=\"v.none\">{}</pre>"))
    }

    @Test func `Of a long list the beginning alone is rendered`() throws {
        let row = #"{"a":[1,""# + String(repeating: "x", count: 400) + #""]}"#
        let list = "[" + Array(repeating: row, count: 500).joined(separator: ",") + "]"
        let value = try json(list)
        let whole = value.pretty(most: .max)
        #expect(whole.utf8.count > 200_000)
        for most in [0, 1, 2, 3, 7, 100, 65_536] {
            let text = value.pretty(most: most)
            #expect(text.utf8.count > most && text.utf8.count < most + 450)
            #expect(whole.utf8.starts(with: text.utf8.prefix(most)))
        }
        let page = ValuesPage(.literal("echo/me"), [try json("{\"v\":{\"list\":\(list)}}")])
        #expect(page.markup.contains("cut here"))
    }

    @Test func `Long values are cut with a note and without half a character`() throws {
        let long = String(repeating: "é", count: ValuesPage.mostBytes)
        let event = try json("{\"v\":{\"x\":\"a\",\"text\":\(quoted(long)),\"z\":\"b\"}}")
        let page = ValuesPage(.literal("echo/me"), [event])
        #expect(page.html(root: "../").bytes.count < ValuesPage.mostBytes + 4_096)
        #expect(page.markup.contains("cut here") && !page.markup.contains("\u{FFFD}"))
    }

    @Test func `A message says what to do`() {
        for page in [
            MessagePage.noSuchGame, .noSuchPage, .wrongMethod, .noSuchViewModel, .noDaemon,
        ] {
            #expect(page.markup.contains("href=\"./\"") && page.markup.contains(page.title))
        }
    }

    @Test(arguments: [
        MessagePage.noSuchGame, .noSuchViewModel, .noDaemon, .tooManyBrowsers, .refused("no"),
    ])
    func `A page without its values tries again, and an overlay shows nothing then`(
        page: MessagePage
    ) {
        #expect(page.markup.contains("<main class=\"message\" data-reload=\"\(page.status)\">"))
        let overlay = EmptyOverlay(page).markup
        #expect(overlay.contains("<main class=\"overlay\" data-reload=\"\(page.status)\"></main>"))
        #expect(overlay.contains("content=\"light\""))
    }

    @Test func `A page without a path of its own refers to nothing outside of its site`() throws {
        let pages: [any Page] = [
            ScorePage(try game(), scorer: .scorekeeper(name: "Ann")), MessagePage.noSuchPage,
            PairPage(),
            ScorePage(try game(), look: .overlay), GamesPage(rows: []),
            ValuesPage(.literal("a"), []),
        ]
        for page in pages {
            #expect(page.markup.contains("<base href=\"../\">"))
            let links = ["href=\"/", "src=\"/", "data-score=\"/", "data-taps=\"/", "data-rows=\"/"]
            #expect(!links.contains { page.markup.contains($0) }, "\(page.title)")
        }
    }

    @Test func `A style sheet loses only spaces that mean nothing`() {
        let style =
            "a, b :is(c > d) { margin: 0 1px; content: \"\"; }\n@media (x: 1) and (y) { a { } }"
        #expect(
            String(decoding: Assets.withoutSpaces(Array(style.utf8)), as: UTF8.self)
                == "a,b :is(c > d){margin:0 1px;content:\"\";}\n@media (x:1) and (y){a{}}")
    }

    @Test func `A file is found by the name with its hash, and by no other`() {
        for asset in Assets.all { #expect(Assets.asset(at: asset.path)?.bytes == asset.bytes) }
        #expect(Assets.asset(at: "/assets/page.css") == nil)
    }
}
