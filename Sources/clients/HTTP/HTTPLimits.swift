/// The limits of a server.
package struct HTTPLimits {
    /// Bytes of the body of a request.
    static let body = 4_096
    /// Bytes of memory of a connection: the head of a request, its body, and a piece of a response.
    static let memory = 12_288
    /// Bytes that the kernel keeps for a client that does not read.
    static let unread = 65_536
    /// Connections besides the streams, for pages and taps. Each of them is short.
    static let others = 128

    /// Responses without an end at the same time.
    package var streams: Int
    /// Time limit for a request to arrive, from the beginning of its connection or from the end of
    /// the response before it; in microseconds.
    package var request: Int64 = 15_000_000
    /// Time limit for a response that is not a stream; in microseconds.
    package var response: Int64 = 15_000_000
    /// Seconds after which a stream ends if its client takes no byte.
    package var stall: UInt32 = 120

    package init(streams: Int) { self.streams = streams }

    var connections: Int { streams + Self.others }
}
