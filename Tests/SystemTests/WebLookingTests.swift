import Glibc
import TestSupport
import Testing

/// busd-web with a real busd, for browsers that look.
///
/// Only the tests of two processes (this file and WebScoringTests) see that busd-web finds busd
/// again, ends its streams with it, stops at a signal, and needs no script for a page. SiteTests
/// and GamesSiteTests test its parts without a daemon, and Tests/Web the pages in browsers.
@Suite(.showsScreens)
struct WebLookingTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `The pages have the values of busd without script`() throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame(home: "<i>Owls</i>")
        try bus.send("scoreboard/1/home/1", "twoPointMove")
        let web = try WebFixture(in: folder)
        let games = try web.stream("/")
        #expect(try games.line(with: "2 - 0")?.contains("Owls") == true)
        for path in ["/", "/scoreboard/1", "/scoreboard/1?overlay", "/view/scoreboard/1"] {
            let page = try web.get(path)
            #expect(page.status == 200)
            #expect(page.body.contains("&lt;i&gt;Owls&lt;/i&gt;"), "\(path)")
            #expect(!page.body.contains("<i>"))
            #expect(page.head.contains("Content-Security-Policy: default-src 'none';"))
            #expect(page.head.contains("Cache-Control: no-store"))
        }
        #expect(try web.get("/view/scoreboard/1/home/1").body.contains("Ann"))
        #expect(try web.stop().status == 0)
    }

    @Test(
        arguments: [
            "/scoreboard/2", "/scoreboard", "/scoreboard/1/home/1", "/view/", "/view/bus/views",
            "/view/bus", "/view/scoreboard/*", "/view/none", "/nothing", "/stream", "/stream/pair",
            "/stream/stream/", "/scoreboard/%31", "/scoreboard/1/", "//", "/assets/page.js",
        ])
    func `There is no page at a path without one`(path: String) throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame()
        let web = try WebFixture(in: folder)
        #expect(try web.get(path).status == 404)
    }

    @Test func `Without busd a page says so, and busd is found when it comes`() throws {
        let web = try WebFixture(in: folder)
        for path in ["/", "/scoreboard/1", "/view/games", "/stream/", "/stream/scoreboard/1"] {
            let page = try web.get(path)
            #expect(page.status == 503)
            #expect(page.body.contains("busd is not there"))
        }
        let bus = try BusFixture(in: folder)
        #expect(try web.process.errors.line() == "busd-web: connected to busd")
        try bus.createGame()
        #expect(try web.get("/scoreboard/1").status == 200)
    }

    @Test func `A stream begins with a snapshot of the game and its players alone`() throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame()
        let web = try WebFixture(in: folder)
        let stream = try web.stream("/scoreboard/1")
        let first = try stream.line()
        #expect(first?.contains(#""ok":{"to":"scoreboard/1""#) == true)
        #expect(try stream.line(with: "onePointMoveCount")?.contains("snapshot") == true)
        #expect(try stream.line(with: #""live":"scoreboard/1/*/*""#) != nil)
        try bus.send("scoreboard/1/home/1", "onePointMove")
        let move = try stream.line()
        #expect(move?.contains("plays") == false)
        #expect(try stream.line(with: #""score":{"home":1"#)?.contains("snapshot") == false)
    }

    @Test func `A stream ends with busd, and tells that its game is gone`() throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame()
        let web = try WebFixture(in: folder)
        let stream = try web.stream("/scoreboard/1")
        #expect(try stream.line(with: #""live""#) != nil)
        try bus.send("games", "deleteGame", #"{"game":"1"}"#)
        #expect(try stream.line(with: #"{"gone":"scoreboard/1"}"#) != nil)
        let unknown = try web.stream("/scoreboard/1").line()
        #expect(unknown?.contains("unknownViewModel") == true)
        try bus.kill()
        while try stream.line() != nil {}
    }

    @Test func `A deleted game is not in the list, and the newest fifty are`() throws {
        let bus = try BusFixture(in: folder)
        for _ in 0..<52 { try bus.createGame() }
        try bus.send("games", "deleteGame", #"{"game":"52"}"#)
        let web = try WebFixture(in: folder)
        _ = try web.stream("/").line()
        let page = try web.get("/").body
        #expect(page.contains("/scoreboard/51\""))
        #expect(page.contains("/scoreboard/2\""))
        #expect(!page.contains("/scoreboard/52\""))
        #expect(!page.contains("/scoreboard/1\""))
    }

    @Test func `Files have the hash of their content in their names, and are kept`() throws {
        _ = try BusFixture(in: folder)
        let web = try WebFixture(in: folder)
        let page = try web.get("/pair").body
        let start = try #require(page.firstRange(of: "\"assets/page-"))
        let path = "/" + page[start.lowerBound...].dropFirst().prefix { $0 != "\"" }
        let asset = try web.get(path)
        #expect(asset.status == 200)
        #expect(asset.head.contains("immutable"))
        let tag = try #require(
            asset.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
        #expect(try web.get(path, "If-None-Match: \(tag)").status == 304)
    }

    @Test func `A stop ends waiting requests and streams, and the process as planned`() throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame()
        let web = try WebFixture(in: folder)
        let streams = try (0..<20).map { _ in try web.stream("/scoreboard/1") }
        for stream in streams { _ = try stream.line() }
        bus.daemon.signal(SIGSTOP)
        let waiting = try (0..<20).map { _ in try web.pages(["/scoreboard/1", "/", "/view/games"]) }
        let outcome = try web.stop()
        bus.daemon.signal(SIGCONT)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        withExtendedLifetime(waiting) {}
    }

    @Test func `The stream of a browser that has left ends soon, in a quiet game too`() throws {
        let bus = try BusFixture(in: folder)
        try bus.createGame()
        let web = try WebFixture(in: folder, options: ["--browsers", "2"])
        for _ in 0..<3 {
            let streams = try (0..<2).map { _ in try web.stream("/scoreboard/1") }
            for stream in streams { _ = try stream.line() }
            #expect(try web.get("/stream/scoreboard/1").status == 503)
            for stream in streams { stream.close() }
            let asker = try bus.connect()
            while try (asker.ask("get bus/views") ?? "").contains(#""as":"browser""#) {}
        }
    }

    @Test func `A port that is taken, and a bad option, are errors that say what to do`() throws {
        let web = try WebFixture(in: folder)
        let address = String(web.url.dropFirst("http://".count))
        let second = try Child.run(try Products.path("busd-web"), "--listen", address)
        #expect(second.status == 1)
        #expect(second.errors.contains("choose another port with --listen"))
        for words in [
            ["--listen", "8080"], ["--name", "a:1"], ["--name", ""], ["--browsers", "0"],
            ["--key", "k"], ["--listen", "0.0.0.0:0", "--control", "/x"],
            ["pairs", "--browsers", "1"],
        ] {
            let outcome = try Child([try Products.path("busd-web")] + words).outcome()
            #expect(outcome.status == 64, "\(words)")
            #expect(outcome.output.isEmpty)
        }
    }
}
