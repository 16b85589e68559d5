import BusdEventLoop
import BusdHTTP
import BusdProtocol
import Testing

/// Many clients at one server: none of them keeps the others out.
@Suite struct HTTPShareTests {
    private static func streaming(_ exchange: HTTPExchange, reserve: String? = nil) {
        let source = TestStream()
        source.exchange = exchange
        if !exchange.stream(type: "text/plain", headers: [], reserve: reserve, source) {
            exchange.answer(.text("full"))
        }
    }

    private func clients(
        _ count: Int, of trial: HTTPFixture, from host: UInt32 = 1, asking text: String = get("/")
    ) throws -> [TestClient] {
        let clients = try (0..<count).map { _ in try trial.connect(from: host) }
        for client in clients { client.send(text) }
        try trial.wait { clients.allSatisfy { $0.text.contains("\r\n\r\n") } }
        return clients
    }

    @Test func `A client with all streams loses one to a client with fewer`() throws {
        let trial = try HTTPFixture(streams: 6) { Self.streaming($0) }
        let greedy = try clients(6, of: trial)
        #expect(try clients(1, of: trial)[0].text.hasSuffix("full"))
        let others = try clients(3, of: trial, from: 2)
        try trial.wait { greedy.count(where: \.isEnded) == 3 }
        // Both have the same share now.
        #expect(try clients(1, of: trial, from: 2)[0].text.hasSuffix("full"))
        #expect(others.allSatisfy { !$0.isEnded })
        #expect(try clients(1, of: trial, from: 3)[0].text.contains("chunked"))
        #expect(trial.server?.streams == 6)
    }

    @Test func `A reserve is for its names alone, and each of them has a share`() throws {
        let trial = try HTTPFixture(streams: 2, reserve: 2) { exchange in
            Self.streaming(exchange, reserve: exchange.request.header("x-phone"))
        }
        _ = try clients(2, of: trial)
        #expect(try clients(1, of: trial)[0].text.hasSuffix("full"))
        let first = try clients(2, of: trial, asking: get("/", "X-Phone: a"))
        let second = try clients(1, of: trial, asking: get("/", "X-Phone: b"))
        try trial.wait { first.count(where: \.isEnded) == 1 }
        #expect(try clients(1, of: trial, asking: get("/", "X-Phone: a"))[0].text.hasSuffix("full"))
        #expect(!second[0].isEnded)
        #expect(trial.server?.streams == 4)
    }

    @Test func `A proxy on this machine names its clients`() throws {
        let trial = try HTTPFixture(streams: 4) { Self.streaming($0) }
        let greedy = try clients(
            4, of: trial, asking: get("/", "X-Forwarded-For: 10.0.0.9, 192.0.2.1"))
        for name in ["2001:db8::1", "192.0.2.2"] {
            let other = try clients(1, of: trial, asking: get("/", "X-Forwarded-For: \(name)"))
            #expect(!other[0].text.hasSuffix("full"), "\(name)")
        }
        // Another address of the same network.
        let same = try clients(1, of: trial, asking: get("/", "X-Forwarded-For: 2001:db8::2"))
        #expect(same[0].text.hasSuffix("full"))
        try trial.wait { greedy.count(where: \.isEnded) == 2 }
    }

    @Test func `The client with the most connections gives way, also with unread answers`() throws {
        let answer = String(repeating: "x", count: 1 << 20)
        let trial = try HTTPFixture(streams: 1) { $0.answer(.text(answer)) }
        let early = try trial.connect(from: 2)
        early.send("GET /early HTTP/1.1\r\n")
        let greedy = try (0..<400).map { _ in
            let client = try trial.connect()
            client.isReading = false
            client.send(get("/"))
            trial.loop.turn(block: false)
            return client
        }
        early.send("Host: localhost\r\nConnection: close\r\n\r\n")
        try trial.wait { early.isEnded }
        #expect(early.text.utf8.count > 1 << 20)
        withExtendedLifetime(greedy) {}
    }

    @Test func `Requests that wait for an answer give way to a client with fewer`() throws {
        var waiting: [HTTPExchange] = []
        let trial = try HTTPFixture(streams: 1) { exchange in
            if exchange.request.path.isExactly("/wait") {
                waiting.append(exchange)
            } else {
                exchange.answer(.text("tapped"))
            }
        }
        let early = try trial.connect(from: 2)
        early.send("GET /early HTTP/1.1\r\n")
        let greedy = try (0..<400).map { _ in
            let client = try trial.connect()
            client.send(get("/wait"))
            trial.loop.turn(block: false)
            return client
        }
        #expect(try clients(1, of: trial, from: 3)[0].text.hasSuffix("tapped"))
        early.send("Host: localhost\r\nConnection: close\r\n\r\n")
        try trial.wait { early.isEnded }
        #expect(early.text.hasSuffix("tapped"))
        // An answer to a client that has given way has no effect.
        try trial.wait {
            for exchange in waiting { exchange.answer(.text("late")) }
            return greedy.allSatisfy { $0.isEnded || $0.text.hasSuffix("late") }
        }
        #expect(greedy.contains { $0.text.isEmpty })
    }
}
