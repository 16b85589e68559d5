import Glibc
import TestSupport
import Testing

/// busd-web with a real busd, for phones that keep the score.
@Suite(.showsScreens)
struct WebScoringTests {
    private let folder: Folder
    /// The state of busd-web. A daemon that systemd starts takes the first folder for its user.
    private let state: Folder

    init() throws { (folder, state) = (try Folder(), try Folder()) }

    private func serve() throws -> (BusFixture, WebFixture) {
        let bus = try BusFixture.keepingGames(in: folder)
        try bus.createGame()
        return (bus, try web())
    }

    private func web(_ options: String...) throws -> WebFixture {
        try WebFixture(
            in: folder,
            options: ["--control", folder("busd.sock"), "--state", state.path] + options)
    }

    private func run(_ words: String...) throws -> Child.Outcome {
        try Child([try Products.path("busd-web")] + words + ["--state", state.path]).outcome()
    }

    /// The secret of a new link.
    private func link(to pattern: String = "scoreboard/1/**", as name: String = "Ann") throws
        -> String
    {
        let outcome = try run("pair", "--to", pattern, "--for", "3h", "--as", name)
        try #require(outcome.status == 0)
        let parts = outcome.output.split(separator: "\n")[0].split(separator: "#")
        #expect(parts[0].hasSuffix("/pair"))
        return String(parts[1])
    }

    /// The cookie of a new pairing, as a browser sends it.
    private func pair(_ web: WebFixture, to pattern: String = "scoreboard/1/**") throws -> String {
        let reply = try web.post("/pair", #"{"link":"\#(try link(to: pattern))"}"#)
        try #require(reply.status == 200)
        return try cookie(reply)
    }

    /// The page, as soon as the connection of the phone to busd is there.
    private func connectedPage(
        _ web: WebFixture, _ path: String, _ cookie: String
    ) throws -> WebFixture.Reply {
        try eventually("a connection to busd") {
            try web.get(path, "Cookie: \(cookie)")
        } is: {
            $0.status != 503
        }
    }

    private func cookie(_ reply: WebFixture.Reply) throws -> String {
        let header = reply.head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
        let value = try #require(header).dropFirst("Set-Cookie: ".count)
        #expect(value.contains("; HttpOnly; SameSite=Lax"))
        return String(value.prefix { $0 != ";" })
    }

    private func tap(_ key: String, _ event: String = #""onePointMove""#, at address: String = "")
        -> String
    {
        let address = address.isEmpty ? "scoreboard/1/home/1" : address
        return #"{"to":"\#(address)","event":\#(event),"key":"\#(key)"}"#
    }

    @Test func `A link works once, and its cookie sends each tap once`() throws {
        let (bus, web) = try serve()
        let link = try link()
        let reply = try web.post("/pair", #"{"link":"\#(link)"}"#)
        #expect(reply.body == #"{"page":"/scoreboard/1"}"#)
        let cookie = try cookie(reply)
        let again = try web.post("/pair", #"{"link":"\#(link)"}"#)
        #expect(again.status == 410)
        #expect(again.body.contains("busd-web pair"))
        #expect(try web.post("/pair", #"{"link":"\#(link)"}"#, cookie: cookie).status == 200)

        let first = try web.post("/send", tap("k1"), cookie: cookie)
        #expect(first.status == 200)
        #expect(first.body.contains(#""changed":true"#))
        let repeated = try web.post("/send", tap("k1"), cookie: cookie)
        #expect(repeated.body.contains(#""duplicate":true"#))
        let undo = try web.post(
            "/send", tap("k2", #"{"undo":{"moves":1}}"#, at: "scoreboard/1"), cookie: cookie)
        #expect(undo.body.contains(#""changed":true"#))
        let refused = try web.post(
            "/send", tap("k3", #"{"undo":{"moves":9}}"#, at: "scoreboard/1"), cookie: cookie)
        #expect(refused.status == 200)
        #expect(refused.body.contains(#""code":"stale""#))
        let views = try bus.connect().ask("get bus/views") ?? ""
        #expect(views.contains(#""name":"Ann""#))
        #expect(try web.get("/scoreboard/1", "Cookie: \(cookie)").body.contains("Scoring as Ann"))
        #expect(try !web.get("/scoreboard/1").body.contains("Ann</p>"))
    }

    @Test func `A phone with several pairings opens each of their links again`() throws {
        let (bus, web) = try serve()
        try bus.createGame()
        let links = [try link(), try link(to: "scoreboard/2/**")]
        let cookies = try links.map {
            try cookie(try web.post("/pair", #"{"link":"\#($0)"}"#))
        }
        for link in links {
            let reply = try web.post(
                "/pair", #"{"link":"\#(link)"}"#, cookie: cookies.joined(separator: "; "))
            #expect(reply.status == 200)
        }
        let page = try connectedPage(web, "/scoreboard/2", cookies.joined(separator: "; "))
        #expect(page.body.contains("Scoring as Ann"))
    }

    @Test func `A phone that is handed on scores under its new name`() throws {
        let (bus, web) = try serve()
        var cookies: [String] = []
        for name in ["Ann", "Bo"] {
            let link = try link(as: name)
            cookies.append(try cookie(try web.post("/pair", #"{"link":"\#(link)"}"#)))
        }
        let both = cookies.joined(separator: "; ")
        #expect(try web.post("/send", tap("k"), cookie: both).status == 200)
        let asker = try bus.connect()
        #expect(try asker.ask("get bus/views")?.contains(#""name":"Bo","as":"phone""#) == true)
        let page = try web.get("/scoreboard/1", "Cookie: \(both)").body
        #expect(page.contains("Scoring as Bo"))
    }

    @Test func `A phone for all games is listed with the game that it shows`() throws {
        let (bus, web) = try serve()
        try bus.createGame()
        let cookie = try pair(web, to: "scoreboard/**")
        let asker = try bus.connect()
        for game in ["scoreboard/1", "scoreboard/2"] {
            let stream = try web.stream("/\(game)", "Cookie: \(cookie)")
            let listed = #""as":"phone","to":"\#(game)""#
            try asker.await(listed, inAnswerTo: "get bus/views")
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: ["scoreboard/1", "scoreboard/*", "scoreboard/1/home/*", "scoreboard/2/**"])
    func `A pairing that lacks the game or a player has no buttons`(pattern: String) throws {
        let (bus, web) = try serve()
        let cookie = try pair(web, to: pattern)
        let page = try connectedPage(web, "/scoreboard/1", cookie)
        #expect(!page.body.contains("<button"))
        #expect(page.body.contains("Paired as Ann for \(pattern)."))
        withExtendedLifetime(bus) {}
    }

    @Test func `A pairing survives the end of busd-web, and unpair ends it at once`() throws {
        let (bus, web) = try serve()
        let cookie = try pair(web)
        web.process.signal(SIGKILL)
        _ = try web.process.outcome()
        let next = try self.web()
        let reply = try next.post("/send", tap("a"), cookie: cookie)
        #expect(reply.status == 200, "\(reply.body)")
        let id = String(cookie.dropFirst("pairing-".count).prefix { $0 != "=" })
        let list = try run("pairs")
        #expect(list.output.contains(id))
        try run("unpair", id).expect()
        #expect(try run("unpair", id).errors.contains("no pairing"))
        #expect(try next.post("/send", tap("b"), cookie: cookie).status == 403)
        let score = try bus.connect().ask("get scoreboard/1") ?? ""
        #expect(score.contains(#""home":1,"away":0"#))
    }

    @Test func `A tap needs this server's origin, JSON, a cookie, and a covered address`() throws {
        let (bus, web) = try serve()
        let cookie = try pair(web)
        let json = "Content-Type: application/json"
        let good = ["Origin: \(web.url)", json, "Cookie: \(cookie)"]
        let bad = [
            (403, ["Origin: http://evil.example", json, "Cookie: \(cookie)"]),
            (403, ["Origin: null", json, "Cookie: \(cookie)"]),
            (403, ["Origin: https\(web.url.dropFirst(4))", json, "Cookie: \(cookie)"]),
            (403, [json, "Cookie: \(cookie)"]),
            (403, ["Origin: \(web.url)", "Origin: \(web.url)", json, "Cookie: \(cookie)"]),
            (415, ["Origin: \(web.url)", "Content-Type: text/plain", "Cookie: \(cookie)"]),
            (415, ["Origin: \(web.url)", "Cookie: \(cookie)"]),
            (403, ["Origin: \(web.url)", json]),
            (403, ["Origin: \(web.url)", json, "Cookie: \(cookie)x"]),
            (403, ["Origin: \(web.url)", json, "Cookie: pairing-x=../../busd.sock"]),
        ]
        for (status, headers) in bad {
            #expect(try web.post("/send", tap("x"), headers: headers).status == status)
        }
        for body in ["", "[]", "{}", #"{"to":"scoreboard/1"}"#, "{\"to\":1}", "\u{0}", "{"] {
            #expect(try web.post("/send", body, headers: good).status == 400, "\(body)")
        }
        for address in ["scoreboard/2", "games", "bus/policy", "scoreboard/10/home/1"] {
            #expect(try web.post("/send", tap("x", at: address), headers: good).status == 403)
        }
        let hostile = try web.post("/send", tap("x", #"{"a":{"b":[1,2,{}]}}"#), headers: good)
        #expect(hostile.body.contains("unknownEvent"))
        let score = try bus.connect().ask("get scoreboard/1") ?? ""
        #expect(score.contains(#""home":0,"away":0"#))
    }

    @Test func `Without busd a tap is not lost: it is answered 503, and works later`() throws {
        let (bus, web) = try serve()
        let cookie = try pair(web)
        try bus.kill()
        #expect(try web.post("/send", tap("a"), cookie: cookie).status == 503)
        let next = try BusFixture.keepingGames(in: folder)
        // Until its connection is made again, as the page does.
        var reply = try web.post("/send", tap("a"), cookie: cookie)
        for _ in 0..<10 where reply.status == 503 {
            reply = try web.post("/send", tap("a"), cookie: cookie)
        }
        #expect(reply.status == 200, "\(reply.body)")
        let score = try next.connect().ask("get scoreboard/1") ?? ""
        #expect(score.contains(#""home":1,"away":0"#))
    }

    @Test func `Without --control phones cannot keep the score, and pair says how`() throws {
        _ = try BusFixture(in: folder)
        let web = try WebFixture(in: folder)
        #expect(try web.post("/send", tap("a")).status == 403)
        #expect(try web.post("/pair", #"{"link":"a.b"}"#).status == 403)
        let outcome = try run("pair", "--to", "scoreboard/1/**", "--for", "3h", "--as", "Ann")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("--control"))
    }
}
