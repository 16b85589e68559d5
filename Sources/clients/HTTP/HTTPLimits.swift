/// The limits of a server.
package struct HTTPLimits {
    /// Bytes of the target of a request, with its query.
    static let target = 4_096
    /// Bytes of the head of a request. The cookies of other servers on the machine are in it.
    static let head = 8_192
    /// Headers of a request. The library needs 64 bytes of `memory` for each.
    static let fields = 96
    /// Bytes of the body of a request.
    static let body = 4_096
    /// Bytes of memory of a connection: the head of a request, its body, and a piece of a response.
    static let memory = 16_384
    /// Bytes that the kernel keeps for a client that does not read.
    static let unread = 65_536
    /// Bytes that the kernel keeps of a client before they are read: more than a request.
    static let received: Int32 = 32_768
    /// Connections besides the streams, for pages and taps. Each of them is short.
    static let others = 128
    /// Connections beyond the others: new ones are served while older ones give way.
    static let spare = 64
    /// Connections that are accepted in one turn of the loop.
    static let arrivals = 1_024
    /// Connections that the library gets in one turn of the loop.
    static let portion = 32
    /// Milliseconds between two times at which connections give way to a portion of new ones.
    static let pause: Int64 = 20

    /// Responses without an end at the same time.
    package var streams: Int
    /// Further ones, for those that `HTTPExchange.stream` has a reserve for.
    package var reserve: Int
    /// Time limit for a request to arrive, from the beginning of its connection or from the end of
    /// the response before it; in microseconds.
    package var request: Int64 = 15_000_000
    /// Time limit for a response that is not a stream; in microseconds.
    package var response: Int64 = 15_000_000
    /// Seconds after which a stream ends if its client takes no byte.
    package var stall: UInt32 = 120
    /// Accepted connections that wait to be served. Each of them has a descriptor.
    package var backlog = 2_048

    package init(streams: Int, reserve: Int = 0) {
        (self.streams, self.reserve) = (streams, reserve)
    }

    var connections: Int { streams + reserve + Self.others }
}
