import Glibc
import TestSupport
import Testing

/// A real busd-web for a busd of the same folder. It listens when `init` returns.
final class WebFixture {
    let process: Child
    /// `http://127.0.0.1:PORT`
    let url: String
    private let port: UInt16

    /// - Parameter options: beside the address and the view socket.
    init(in folder: Folder, options: [String] = []) throws {
        // The view socket is beside --control.
        let socket = options.contains("--control") ? [] : ["--socket", folder("view.sock")]
        let words = ["--listen", "127.0.0.1:0"] + socket + options
        process = try Child([try Products.path("busd-web")] + words)
        let line = try process.errors.line(with: "serving")
        url = try #require(line.split(separator: " ").last.map(String.init))
        port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    }

    func stop() throws -> Child.Outcome {
        process.signal(SIGTERM)
        return try process.outcome()
    }

    struct Reply {
        let status: Int
        let head: String
        let body: String

        init(_ text: String) throws {
            let end = try #require(text.firstRange(of: "\r\n\r\n"))
            head = String(text[..<end.lowerBound])
            body = String(text[end.upperBound...])
            status = try #require(Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)))
            keep(picture: body, named: "page.html")
        }
    }

    func get(_ path: String, _ headers: String...) throws -> Reply {
        try Reply(open("GET", path, headers + ["Connection: close"]).rest())
    }

    /// A POST as a page of this server sends it.
    func post(_ path: String, _ body: String, cookie: String? = nil) throws -> Reply {
        try post(
            path, body,
            headers: ["Origin: \(url)", "Content-Type: application/json"]
                + (cookie.map { ["Cookie: \($0)"] } ?? []))
    }

    func post(_ path: String, _ body: String, headers: [String]) throws -> Reply {
        let all = headers + ["Content-Length: \(body.utf8.count)", "Connection: close"]
        return try Reply(open("POST", path, all, body).rest())
    }

    /// Opens a stream, and reads the head of its response.
    func stream(_ path: String, _ headers: String...) throws -> WebStream {
        WebStream(try open("GET", "/stream" + path, headers))
    }

    /// Asks for several pages on one connection, and reads none.
    func pages(_ paths: [String]) throws -> Conversation {
        let conversation = try open("GET", paths[0], [])
        for path in paths.dropFirst() {
            try conversation.sendAll(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        }
        return conversation
    }

    private func open(
        _ method: String, _ path: String, _ headers: [String], _ body: String = ""
    ) throws -> Conversation {
        let conversation = Conversation(over: try connectTCP(port: port))
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        let text = lines.map { "\($0)\r\n" }.joined() + "\r\n" + body
        try conversation.sendAll(Array(text.utf8))
        return conversation
    }
}

/// A stream of events, as a browser reads it.
final class WebStream {
    private let conversation: Conversation

    init(_ conversation: Conversation) { self.conversation = conversation }

    /// The browser leaves.
    func close() { conversation.endInput() }

    /// The next line of busd; nil at the end.
    func line() throws -> String? {
        while let line = try conversation.line() {
            if line.hasPrefix("data:") { return String(line.dropFirst("data:".count)) }
        }
        return nil
    }

    /// Reads until a line has the text, and returns it; nil at the end.
    func line(with text: String) throws -> String? {
        while let line = try line() {
            if line.contains(text) { return line }
        }
        return nil
    }
}
