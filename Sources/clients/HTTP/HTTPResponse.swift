/// A whole response. A response to `HEAD` is sent without its body. Its copies share the body, also
/// while they wait for clients that do not read.
package struct HTTPResponse {
    package var status: UInt32
    package var headers: [(name: String, value: String)]
    let body: HTTPBody
    /// Bytes of the body.
    package var size: Int { body.bytes.count }

    package init(
        _ status: UInt32, type: String, _ body: [UInt8],
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.headers = [("Content-Type", type)] + headers
        self.body = HTTPBody(body)
    }

    /// A refusal in one line of text, after which the connection is closed.
    static func refusal(_ status: UInt32, _ text: String) -> Self {
        Self(
            status, type: "text/plain; charset=utf-8", Array("\(text)\n".utf8),
            headers: [
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ("Connection", "close"),
            ])
    }

    static var stopping: Self { refusal(503, "the server is stopping: try again") }
}

/// Bytes that stay at their place until the last response with them is sent.
final class HTTPBody {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ content: [UInt8]) {
        bytes = .allocate(capacity: content.count)
        _ = bytes.initialize(from: content)
    }

    deinit { bytes.deallocate() }
}

/// The body of a response that has no end, such as server-sent events. Called on the loop's thread.
package protocol HTTPStream: AnyObject {
    /// Called only when the client takes bytes, so the stream must keep nothing for a client that
    /// does not read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead
}

package enum HTTPStreamRead: Equatable {
    /// So many bytes were written into the buffer; at least one.
    case bytes(Int)
    /// There is nothing now: `read` is called again after `HTTPExchange.wake`.
    case later
    /// The response ends here.
    case ended
}
