import BusdEventLoop
import BusdHTTP
import BusdProtocol
import Glibc
import TestSupport
import Testing

/// A server and its clients on one loop.
final class HTTPFixture {
    let loop: Loop
    let address: ListenAddress
    private(set) var server: HTTPServer?
    /// The requests that were handled.
    private(set) var handled: [HTTPRequest] = []

    /// - Parameter handler: answers; without one, each request is answered with its path and body.
    init(
        names: [String] = [], streams: Int = 8, reserve: Int = 0, requestLimit: Int64 = 20_000_000,
        backlog: Int? = nil, certificate: HTTPServer.Certificate? = nil,
        handler: ((HTTPExchange) -> Void)? = nil
    ) throws {
        loop = try Loop()
        let (socket, address) = try #require(ListenAddress("127.0.0.1:0")).listen()
        self.address = address
        var limits = HTTPLimits(streams: streams, reserve: reserve)
        limits.request = requestLimit
        if let backlog { limits.backlog = backlog }
        server = try HTTPServer(
            loop: loop, at: socket, hosts: HTTPHosts(names: names), limits: limits,
            certificate: certificate
        ) { [weak self] exchange in
            self?.handled.append(exchange.request)
            if let handler { return handler(exchange) }
            exchange.answer(.text(exchange.request.path, exchange.request.body))
        }
    }

    func stop() { server?.stop() }

    /// - Parameter from: the last byte of the client's address 127.0.0.N.
    func connect(from host: UInt32 = 1) throws -> TestClient {
        try TestClient(loop, port: address.port, from: host)
    }

    /// Sends `text` on a new connection, and returns all that arrives until the server closes it.
    func reply(to text: String) throws -> String {
        let client = try connect()
        client.send(text)
        client.endOutput()
        try wait { client.isEnded }
        return client.text
    }

    /// Turns the loop until the condition holds; fails after a minute.
    func wait(
        _ location: SourceLocation = #_sourceLocation, until condition: () -> Bool
    ) throws {
        let isDone = loop.turn(until: condition)
        try #require(isDone, sourceLocation: location)
    }
}

/// A client that sends what a test says, and keeps what arrives.
final class TestClient {
    private let socket: Descriptor
    private var event: DescriptorEvent?
    private(set) var bytes: [UInt8] = []
    private(set) var isEnded = false
    /// While false, nothing is read.
    var isReading = true {
        didSet { watch() }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The status of the first response; nil before it is there.
    var status: Int? {
        text.utf8.count < 12 ? nil : Int(text.dropFirst("HTTP/1.1 ".count).prefix(3))
    }

    /// Nothing but one response has arrived, and all of its body.
    var isOneWholeAnswer: Bool {
        let parts = text.components("\r\n\r\n")
        let length = parts[0].lowercased().components("content-length: ").last?.prefix {
            $0.isNumber
        }
        return text.components("HTTP/1.1 ").count == 2 && parts.count == 2
            && length.flatMap { Int($0) } == parts[1].utf8.count
    }

    /// - Parameter from: the last byte of the client's address 127.0.0.N.
    init(_ loop: Loop, port: UInt16, from host: UInt32 = 1) throws {
        socket = try connectTCP(port: port, from: host)
        let number = socket.number
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        event = DescriptorEvent(loop: loop, descriptor: number) { [weak self] _ in self?.read() }
        watch()
    }

    deinit { event = nil }

    /// False if the server does not take all of it.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { socket.write($0) } == .bytes(bytes.count)
    }

    func endOutput() { socket.shutDownOutput() }

    func close() {
        event = nil
        shutdown(socket.number, Int32(SHUT_RDWR))
    }

    private func watch() {
        do {
            try event?.watch(for: isReading && !isEnded ? .readable : .none)
        } catch {
            Issue.record("\(error)")
        }
    }

    private func read() {
        var piece = [UInt8](repeating: 0, count: 65_536)
        switch piece.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .bytes(let count): bytes += piece[..<count]
        case .wouldBlock: break
        case .ended, .failed:
            isEnded = true
            watch()
        }
    }
}

extension HTTPResponse {
    static func text(_ text: String, _ body: [UInt8] = []) -> Self {
        HTTPResponse(200, type: "text/plain", Array(text.utf8) + body)
    }
}

/// A request without a body to this machine.
func get(_ path: String, _ headers: String...) -> String {
    request("GET \(path) HTTP/1.1", ["Host: localhost"] + headers)
}

func post(_ path: String, _ body: String, _ headers: String...) -> String {
    request(
        "POST \(path) HTTP/1.1",
        ["Host: localhost", "Content-Length: \(body.utf8.count)"] + headers) + body
}

func request(_ line: String, _ headers: [String]) -> String {
    ([line] + headers).map { "\($0)\r\n" }.joined() + "\r\n"
}
