import BusdClient
import BusdClientTestSupport
import BusdEventLoop
import BusdHTTP
import BusdProtocol
import BusdSiteTestSupport
import Glibc
import TestSupport
import Testing

@testable import BusdSite

/// A site with a daemon that answers as the test says, and its browsers, on one loop.
final class SiteFixture {
    let daemon: FakeDaemon
    /// The answer to requests for an address; nil: there is no such view model.
    var values: [Address: String] = [:]
    let loop: ClientLoop
    private let connection: BusConnection
    private let address: ListenAddress
    private var server: HTTPServer?

    /// - Parameter state: with it, phones can be paired. Their connections find no daemon.
    init(_ parts: SitePart..., state: PairingFolder? = nil) throws {
        let (loop, daemon) = (try ClientLoop(), FakeDaemon())
        (self.loop, self.daemon) = (loop, daemon)
        connection = BusConnection(loop: loop, paths: ["/bus"], name: nil) { _ in daemon.dial() }
        let phones = state.map {
            Phones(
                for: parts.phones, control: "\($0.path)/none.sock", store: PairingStore(in: $0),
                loop: loop)
        }
        let site = Site(connection, parts, phones: phones)
        let (socket, address) = try #require(ListenAddress("127.0.0.1:0")).listen()
        self.address = address
        server = try HTTPServer(
            loop: loop.loop, at: socket, hosts: HTTPHosts(names: []),
            limits: HTTPLimits(streams: 4), certificate: nil, handler: site.handle)
        connection.open()
    }

    func get(_ path: String, cookie: String = "") throws -> String {
        try reply(to: "GET \(path) HTTP/1.1\r\n\(cookie.isEmpty ? "" : "Cookie: \(cookie)\r\n")")
    }

    /// A POST as a page of this server sends it.
    func post(_ path: String, _ body: String) throws -> String {
        try reply(
            to: "POST \(path) HTTP/1.1\r\nOrigin: http://\(address)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n",
            body)
    }

    /// The response, until the server closes the connection or the text has arrived.
    private func reply(
        to head: String, _ body: String = "", until end: String? = nil
    ) throws -> String {
        let socket = try connectTCP(port: address.port)
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        let request = "\(head)Host: \(address)\r\nConnection: close\r\n\r\n\(body)"
        try #require(socket.write(request) == .bytes(request.utf8.count))
        var text = ""
        var isAtEnd = false
        let isDone = loop.loop.turn(
            until: { isAtEnd || end.map { text.contains($0) } == true },
            by: { [self] in
                loop.loop.turn(block: false)
                answer()
                let piece = socket.readText()
                text += piece.text
                isAtEnd = piece.isAtEnd
            })
        try #require(isDone)
        return text
    }

    /// The stream of a page, until the text has arrived.
    func stream(_ path: String, until end: String) throws -> String {
        try reply(to: "GET /stream\(path) HTTP/1.1\r\n", until: end)
    }

    private func answer() {
        for line in daemon.take() {
            guard let request = try? json(line), let id = request["id"]?.integer else { continue }
            daemon.send(["{\(answer(to: request)),\"id\":\(id)}"])
        }
    }

    private func answer(to request: JSONValue) -> String {
        guard let address = request["to"]?.text.flatMap(Address.init) else { return #""ok":{}"# }
        return values[address].map { #""ok":\#($0)"# }
            ?? #""error":{"code":"unknownViewModel","message":"there is none"}"#
    }
}
