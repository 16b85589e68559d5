import BusdEventLoop
import BusdHTTP
import Testing

@Suite struct HTTPStreamTests {
    @Test func `An answer may come later`() throws {
        var waiting: HTTPExchange?
        let trial = try HTTPFixture { waiting = $0 }
        let client = try trial.connect()
        client.send(get("/a") + get("/b", "Connection: close"))
        try trial.wait { waiting != nil }
        waiting?.answer(.text("later"))
        waiting?.answer(.text("a second answer has no effect"))
        try trial.wait { trial.handled.count == 2 }
        waiting?.answer(.text("last"))
        try trial.wait { client.isEnded }
        #expect(client.text.hasSuffix("last"))
        #expect(client.text.contains("later"))
        #expect(!client.text.contains("second"))
    }

    @Test func `A client that has ended its output gets a late answer`() throws {
        var waiting: HTTPExchange?
        let source = TestStream()
        let trial = try HTTPFixture { exchange in
            guard exchange.request.path == "/stream" else {
                waiting = exchange
                return
            }
            source.exchange = exchange
            #expect(exchange.stream(type: "text/event-stream", headers: [], source))
        }
        let client = try trial.connect()
        client.send(get("/", "Connection: close"))
        client.endOutput()
        try trial.wait { waiting != nil }
        // When the server has noticed that the client of a stream has left, it has seen this one.
        let leaving = try trial.connect()
        leaving.send(get("/stream"))
        try trial.wait { source.isResting }
        leaving.close()
        try trial.wait { trial.server?.streams == 0 }
        waiting?.answer(.text("late"))
        try trial.wait { client.isEnded }
        #expect(client.status == 200)
        #expect(client.text.hasSuffix("late"))
    }

    @Test func `An answer to a client that has ended has no effect`() throws {
        var waiting: [HTTPExchange] = []
        let trial = try HTTPFixture { waiting.append($0) }
        let client = try trial.connect()
        client.send(get("/"))
        try trial.wait { waiting.count == 1 }
        client.close()
        waiting[0].answer(.text("late"))
        let other = try trial.connect()
        other.send(get("/", "Connection: close"))
        try trial.wait { waiting.count == 2 }
        waiting[1].answer(.text("in time"))
        try trial.wait { other.isEnded }
        waiting[0].answer(.text("later"))
        #expect(other.text.hasSuffix("in time"))
    }

    @Test func `A stream sends what it has, rests, and ends`() throws {
        let source = TestStream()
        let trial = try HTTPFixture { exchange in
            source.exchange = exchange
            #expect(exchange.stream(type: "text/event-stream", headers: [("A", "b")], source))
        }
        let client = try trial.connect()
        client.send(get("/"))
        try trial.wait { source.isResting }
        #expect(client.text.contains("Content-Type: text/event-stream") || client.text.isEmpty)
        source.put("one")
        try trial.wait { client.text.contains("one") }
        source.put("two")
        try trial.wait { client.text.contains("two") }
        source.end()
        try trial.wait { client.text.hasSuffix("0\r\n\r\n") }
        #expect(client.text.contains("A: b\r\n"))
    }

    @Test func `A stream is not asked while its client does not read`() throws {
        let source = EndlessStream()
        let trial = try HTTPFixture { exchange in
            #expect(exchange.stream(type: "text/plain", headers: [], source))
        }
        let client = try trial.connect()
        client.isReading = false
        client.send(get("/"))
        // Another client is served in the meantime, as often as the first one could be.
        try trial.wait { source.count > 0 }
        var count = -1
        while count != source.count {
            count = source.count
            for _ in 0..<50 { trial.loop.turn(block: false) }
        }
        #expect(count < 8 << 20)
        client.isReading = true
        try trial.wait { client.bytes.count > count }
        #expect(source.count > count)
    }

    @Test func `Surplus streams are refused, and the place of an ended one is free again`() throws {
        var sources: [TestStream] = []
        let trial = try HTTPFixture(streams: 2) { exchange in
            let source = TestStream()
            source.exchange = exchange
            guard exchange.stream(type: "text/plain", headers: [], source) else {
                return exchange.answer(.text("full"))
            }
            sources.append(source)
        }
        let clients = try (0..<2).map { _ in try trial.connect() }
        for client in clients { client.send(get("/")) }
        try trial.wait { sources.count == 2 }
        let reply = try trial.reply(to: get("/", "Connection: close"))
        #expect(reply.hasSuffix("full"))
        clients[0].close()
        sources[0].put("news for a client that has ended")
        let ended = sources.removeFirst()
        ended.end()
        try trial.wait { trial.server?.streams == 1 }
        let next = try trial.connect()
        next.send(get("/"))
        try trial.wait { sources.count == 2 }
    }

    @Test func `A server that stops ends streams and waiting requests`() throws {
        var waiting: [HTTPExchange] = []
        let source = TestStream()
        let trial = try HTTPFixture { exchange in
            if exchange.request.path == "/later" { return waiting.append(exchange) }
            #expect(exchange.stream(type: "text/plain", headers: [], source))
        }
        let clients = try (0..<2).map { _ in try trial.connect() }
        clients[0].send(get("/later"))
        clients[1].send(get("/stream"))
        try trial.wait { waiting.count == 1 && source.isResting }
        trial.stop()
        try trial.wait { clients.allSatisfy(\.isEnded) }
        waiting[0].answer(.text("late"))
        #expect(trial.handled.count == 2)
    }
}

/// A stream with what a test puts in.
final class TestStream: HTTPStream {
    weak var exchange: HTTPExchange?
    private(set) var isResting = false
    private var bytes: [UInt8] = []
    private var isEnded = false

    func put(_ text: String) {
        bytes += text.utf8
        wake()
    }

    func end() {
        isEnded = true
        wake()
    }

    private func wake() {
        isResting = false
        exchange?.wake()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        if bytes.isEmpty {
            isResting = !isEnded
            return isEnded ? .ended : .later
        }
        let count = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes[..<count])
        bytes.removeFirst(count)
        return .bytes(count)
    }
}

/// A stream that always has more.
private final class EndlessStream: HTTPStream {
    private(set) var count = 0

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        for index in buffer.indices { buffer[index] = 0x61 }
        count += buffer.count
        return .bytes(buffer.count)
    }
}
