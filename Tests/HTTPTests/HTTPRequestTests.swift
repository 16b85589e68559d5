import BusdEventLoop
import BusdHTTP
import Testing

@Suite struct HTTPRequestTests {
    @Test func `A request is answered, and the connection serves the next one`() throws {
        let trial = try HTTPFixture()
        let reply = try trial.reply(to: get("/a") + get("/b", "Connection: close"))
        #expect(reply.components("HTTP/1.1 200 OK").count == 3)
        #expect(trial.handled.map(\.path) == ["/a", "/b"])
        #expect(reply.hasSuffix("\r\n\r\n/b"))
    }

    @Test func `A request for the head gets no body`() throws {
        let trial = try HTTPFixture()
        let reply = try trial.reply(
            to: request("HEAD /a HTTP/1.1", ["Host: localhost", "Connection: close"]))
        #expect(reply.hasPrefix("HTTP/1.1 200 OK"))
        #expect(reply.contains("Content-Length: 2"))
        #expect(reply.hasSuffix("\r\n\r\n"))
        #expect(trial.handled.map(\.method) == [.head])
    }

    @Test func `A POST has its body, also in pieces`() throws {
        let trial = try HTTPFixture()
        let client = try trial.connect()
        for byte in post("/send", "hello", "Connection: close").utf8 {
            client.send([byte])
            trial.loop.turn(block: false)
        }
        try trial.wait { client.isEnded }
        #expect(client.text.hasSuffix("/sendhello"))
        #expect(trial.handled.map(\.body) == [Array("hello".utf8)])
    }

    @Test func `A query has names, and percent codes are not decoded`() throws {
        let trial = try HTTPFixture()
        _ = try trial.reply(to: get("/a%2Fb%00c?overlay&x=%41", "Connection: close"))
        #expect(trial.handled.map(\.path) == ["/a%2Fb%00c"])
        #expect(trial.handled.map(\.query) == [["overlay", "x"]])
    }

    @Test func `Headers and cookies are found in any case, and only if they are single`() throws {
        let trial = try HTTPFixture()
        let headers = [
            "Host: localhost \t", "ORIGIN:  a ", "x-twice: 1", "X-Twice: 2",
            "Cookie: a=1; b=2=3; a=4", "Connection: close",
        ]
        _ = try trial.reply(to: request("GET / HTTP/1.1", headers))
        let request = try #require(trial.handled.first)
        #expect(request.header("origin") == "a")
        #expect(request.header("x-twice") == nil)
        #expect(request.cookies("a") == ["1", "4"])
        #expect(request.cookies("b") == ["2=3"])
        #expect(request.cookies("").count == 3)
        #expect(request.cookies("c").isEmpty)
        // The newest ones, which browsers send last.
        let many = (1...40).map { "a=\($0)" }.joined(separator: "; ")
        _ = try trial.reply(to: get("/", "Cookie: \(many)", "Connection: close"))
        #expect(trial.handled.last?.cookies("a") == (9...40).map { "\($0)" })
        #expect(!request.isSecure)
    }

    @Test func `A proxy on this machine says that the browser's connection is encrypted`() throws {
        let trial = try HTTPFixture()
        _ = try trial.reply(to: get("/", "X-Forwarded-Proto: https", "Connection: close"))
        #expect(trial.handled.map(\.isSecure) == [true])
    }

    @Test(
        arguments: [
            "localhost", "LOCALHOST:8080", "127.0.0.1", "192.168.1.7:80", "[::1]:8080", "[fe80::1]",
            "score.example.org", "SCORE.example.org:443",
        ])
    func `This Host is a name of the server`(host: String) throws {
        let trial = try HTTPFixture(names: ["Score.Example.org"])
        let reply = try trial.reply(
            to: request("GET / HTTP/1.1", ["Host: \(host)", "Connection: close"]))
        #expect(reply.hasPrefix("HTTP/1.1 200"))
    }

    @Test(
        arguments: [
            [], ["Host: evil.example"], ["Host: localhost", "Host: localhost"], ["Host: "],
            ["Host: localhost.evil.example"], ["Host: 127.0.0.1.evil.example"],
            ["Host: localhost:80:80"], ["Host: localhost:"], ["Host: localhost:x"],
            ["Host: user@localhost"], ["Host: ::1"], ["Host: 127.1"], ["Host: 2130706433"],
            ["Host: [::1"], ["Host: localhost."], ["Host: score.example.org"],
            ["Host: localhost, evil.example"],
        ])
    func `This Host is refused, and the connection is closed`(headers: [String]) throws {
        for line in ["GET / HTTP/1.1", "POST / HTTP/1.1", "HEAD / HTTP/1.1", "GET / HTTP/1.0"] {
            let trial = try HTTPFixture()
            let client = try trial.connect()
            client.send(request(line, headers))
            try trial.wait { client.isEnded }
            #expect(["421", "400"].contains(client.text.dropFirst(9).prefix(3)))
            #expect(trial.handled.isEmpty)
        }
    }

    @Test(arguments: Refused.all)
    func `This request is refused, and nothing after it is read`(
        refused: Refused
    ) throws {
        let trial = try HTTPFixture()
        let client = try trial.connect()
        client.send(refused.text + get("/hidden"))
        try trial.wait { client.isEnded }
        #expect(trial.handled.isEmpty, "\(client.text)")
        // The library answers some of them itself.
        #expect(client.status == refused.status || client.status == 400, "\(client.text)")
        #expect(client.isOneWholeAnswer, "\(client.text)")
    }

    /// In pieces, the memory of the connection is full of other things at the end of the head.
    @Test(arguments: [8_000, 500])
    func `Many cookies are no reason to refuse a request`(piece: Int) throws {
        let trial = try HTTPFixture()
        let client = try trial.connect()
        let cookies = "Cookie: " + String(repeating: "a;", count: 3_000)
        var rest = Array(get("/", cookies, "Connection: close").utf8)[...]
        while !rest.isEmpty {
            client.send(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            trial.loop.turn(block: false)
        }
        try trial.wait { client.isEnded }
        #expect(client.text.hasPrefix("HTTP/1.1 200"))
        #expect(trial.handled.first?.header("cookie")?.utf8.count == 6_000)
    }

    @Test(arguments: [94, 95, 150, 200, 300, 2_000])
    func `A request with many headers is answered once`(count: Int) throws {
        let trial = try HTTPFixture()
        let client = try trial.connect()
        let headers = Array(repeating: "A:", count: count)
        client.send(request("GET / HTTP/1.1", ["Host: localhost", "Connection: close"] + headers))
        try trial.wait { client.isEnded }
        #expect(client.text.hasPrefix("HTTP/1.1 \(count > 94 ? 431 : 200) "))
        #expect(client.text.components("HTTP/1.1 ").count == 2)
        #expect(trial.handled.count == (count > 94 ? 0 : 1))
    }

    @Test func `A list has the elements of all headers with its name`() throws {
        let trial = try HTTPFixture()
        _ = try trial.reply(
            to: get("/", "If-None-Match: \"a\" , W/\"b\"", "if-none-match: *", "Connection: close"))
        #expect(trial.handled.first?.list("if-none-match") == ["\"a\"", "W/\"b\"", "*"])
        #expect(trial.handled.first?.list("x").isEmpty == true)
    }
}

extension String {
    func components(_ separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
