import BusdHTTP
import TestSupport
import Testing

@Suite struct HTTPLimitTests {
    @Test func `A request that arrives too slowly ends its connection`() throws {
        let trial = try HTTPFixture(requestLimit: 300_000)
        let texts = ["", "GET / HT", get("/a") + "GET", "POST / HTTP/1.1\r\nHost: localhost\r\n"]
        let body = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhello"
        let clients = try (texts + [body]).map { text in
            let client = try trial.connect()
            client.send(text)
            return client
        }
        try trial.wait { clients.allSatisfy(\.isEnded) }
        #expect(trial.handled.map(\.path) == ["/a"])
    }

    @Test func `Connections without a request do not keep others out`() throws {
        let trial = try HTTPFixture(streams: 2)
        let idle = try (0..<400).map { _ in try trial.connect() }
        let reply = try trial.reply(to: get("/in", "Connection: close"))
        #expect(reply.hasSuffix("/in"))
        #expect(idle.contains { $0.isEnded })
    }

    @Test func `A long head is refused`() throws {
        let trial = try HTTPFixture()
        let client = try trial.connect()
        client.send(get("/", "X-Long: " + String(repeating: "a", count: 40_000)))
        try trial.wait { client.isEnded }
        #expect(trial.handled.isEmpty)
    }

    @Test func `Random bytes are handled by no one, and the server goes on`() throws {
        var random = SeededGenerator(seed: 7)
        let trial = try HTTPFixture(streams: 400, requestLimit: 500_000)
        let parts = [
            "GET ", "POST ", "/ ", "HTTP/1.1", "\r\n", "\n", "\r", "\0", "Host: localhost", ":",
            " ",
            "Transfer-Encoding: chunked", "Content-Length: ", "18446744073709551616", "-1", "%",
            "0\r\n\r\n", "\u{FF}", String(repeating: "x", count: 5_000), "HTTP/9.9", "\t",
        ]
        let clients = try (0..<400).map { _ in
            let count = Int.random(in: 1...12, using: &random)
            let client = try trial.connect()
            client.send(
                (0..<count).compactMap { _ in parts.randomElement(using: &random) }.joined())
            client.endOutput()
            return client
        }
        try trial.wait { clients.allSatisfy(\.isEnded) }
        let reply = try trial.reply(to: get("/well", "Connection: close"))
        #expect(reply.hasSuffix("/well"))
    }

    @Test(
        arguments: [
            "", "8080", ":8080", "localhost:80", "1.2.3:80", "::1:80", "[::1]", "1.2.3.4:65536",
            "1.2.3.4:-1", "[1.2.3.4]:80", "1.2.3.4:", "\0:80",
        ])
    func `This is not an address to listen at`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `A server listens at an address or at a Unix socket`() {
        #expect(ListenPlace("unix:/run/web.sock") == .unix(path: "/run/web.sock"))
        #expect(ListenPlace("unix:/run/web.sock")?.description == "unix:/run/web.sock")
        #expect(ListenPlace("unix:/run/web.sock")?.isLocal == true)
        #expect(ListenPlace("[::1]:80")?.isLocal == true)
        #expect(ListenPlace("0.0.0.0:80")?.isLocal == false)
        for text in ["unix:", "/run/web.sock", "unix", ""] { #expect(ListenPlace(text) == nil) }
    }

    @Test func `An address is written as it was read`() throws {
        for text in ["127.0.0.1:8080", "[::1]:0", "0.0.0.0:80"] {
            #expect(ListenAddress(text)?.description == text)
        }
        #expect(ListenAddress("127.9.0.1:1")?.isLoopback == true)
        #expect(ListenAddress("[::1]:1")?.isLoopback == true)
        #expect(ListenAddress("0.0.0.0:1")?.isLoopback == false)
        // An address of the other family would lead nowhere.
        for text in ["[::]:1", "[0::0]:1"] {
            #expect(ListenAddress(text)?.reachable.description.hasPrefix("[") == true)
        }
        #expect(ListenAddress("[fd00::7]:1")?.reachable.description == "[fd00::7]:1")
        #expect(ListenAddress("0.0.0.0:1")?.reachable.description.hasPrefix("[") == false)
    }
}
