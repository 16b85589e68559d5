/// A request that no handler gets, with the status of its answer.
struct Refused: Sendable {
    let text: String
    let status: Int

    init(_ text: String, _ status: Int) { (self.text, self.status) = (text, status) }

    static let all = simple + ambiguous + long

    private static let simple: [Refused] = [
        Refused(get("/", "Transfer-Encoding: chunked") + "0\r\n\r\n", 400),
        Refused(post("/", "", "Transfer-Encoding: chunked") + "0\r\n\r\n", 400),
        Refused(post("/", "hello", "Transfer-Encoding: identity"), 400),
        Refused(post("/", "hello", "Transfer-Encoding: gzip, chunked"), 400),
        Refused(post("/", "hello", "Transfer-Encoding:\tchunked"), 400),
        Refused(post("/", "hello", "Content-Length: 5"), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length : 4"]), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length\t: 4"]), 400),
        Refused(get("/", "Transfer-Encoding : chunked"), 400),
        Refused(get("/", "X: a\rContent-Length: 4"), 400),
        Refused(get("/", "X: a\u{1}"), 400),
        Refused(get("/", "X: a\u{7F}"), 400),
        Refused(get("/", "X: a\r\n Content-Length: 4"), 400),
        Refused(post("/", "hello", "Content-Length: 6"), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 5, 5"]), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: -1"]), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 0x5"]), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: +5"]), 400),
        Refused(
            request(
                "POST / HTTP/1.1", ["Host: localhost", "Content-Length: 99999999999999999999"]), 413
        ),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 4097"]), 413),
        Refused(get("/", "Content-Length: 5") + "hello", 400),
        Refused(request("PUT / HTTP/1.1", ["Host: localhost"]), 405),
        Refused(request("OPTIONS * HTTP/1.1", ["Host: localhost"]), 405),
        Refused(request("TRACE / HTTP/1.1", ["Host: localhost"]), 405),
        Refused(request("CONNECT evil.example:80 HTTP/1.1", ["Host: localhost"]), 405),
        Refused(request("get / HTTP/1.1", ["Host: localhost"]), 405),
        Refused(request("GET http://evil.example/ HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET a HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET / HTTP/1.1", []), 421),
    ]

    /// Programs on the way may read these in another way.
    private static let ambiguous: [Refused] = [
        Refused(continued("Transfer-Encoding:", " chunked") + "5\r\nhello\r\n0\r\n\r\n", 400),
        Refused(continued("Transfer-Encoding:", "\tchunked") + "0\r\n\r\n", 400),
        Refused(continued("Transfer-Encoding: gzip,", " chunked") + "0\r\n\r\n", 400),
        Refused(continued("X: a", " b"), 400),
        Refused(continued("X: a", " "), 400),
        Refused(continued("Content-Length:", " 5") + "hello", 400),
        Refused(continued("Content-Length: 0", " 5") + "hello", 400),
        Refused(continued("Content-Length:       ", " 5") + "hello", 400),
        Refused(request("GET / HTTP/1.1", [" Host: localhost", "Host: localhost"]), 400),
        Refused(get("/", "X: a\0b"), 400),
        Refused(get("/", "X: a\0"), 400),
        Refused(get("/", "X\0: a"), 400),
        Refused(get("/", "X\0Transfer-Encoding: chunked"), 400),
        Refused(get("/", ": a"), 400),
        Refused(
            request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 0\0 5"]) + "hello",
            400),
        Refused(request("GET\0 / HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET /a\0b HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET /?a\0b HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET /a\0?b HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET /a\u{1} HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET  / HTTP/1.1", ["Host: localhost"]), 400),
        Refused(request("GET /a b HTTP/1.1", ["Host: localhost"]), 400),
        Refused("GET / HTTP/1.1\nHost: localhost\n\n", 400),
        Refused("GET / HTTP/1.1\r\nHost: localhost\nX: a\r\n\r\n", 400),
        Refused("GET / HTTP/1.1\r\nHost: localhost\r\n\n", 400),
        Refused(get("/", "X: a\rY: b"), 400),
        Refused("GET /\r\n\r\n", 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 5a"]), 400),
        Refused(request("POST / HTTP/1.1", ["Host: localhost", "Content-Length:"]), 400),
        Refused(request("GET / HTTP/2.0", ["Host: localhost"]), 505),
    ]

    private static let long: [Refused] = [
        Refused(get("/" + String(repeating: "a", count: 4_096)), 414),
        Refused(get("/?" + String(repeating: "a", count: 6_000)), 414),
        Refused(get("/" + String(repeating: "a", count: 40_000)), 414),
        Refused(get("/", "X: " + String(repeating: "a", count: 8_192)), 431),
        Refused(get("/", "Cookie: " + String(repeating: "a;", count: 4_096)), 431),
        Refused(
            request("GET / HTTP/1.1", Array(repeating: "X: y", count: 1_000) + ["Host: localhost"]),
            431),
    ]

    /// A POST with a header of two lines.
    private static func continued(_ first: String, _ second: String) -> String {
        request("POST / HTTP/1.1", ["Host: localhost", first, second])
    }
}
