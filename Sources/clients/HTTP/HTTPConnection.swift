import BusdProtocol
import CBusdMicrohttpd
import Glibc

/// A connection of a client, which may send several requests.
final class HTTPConnection {
    private enum Stage {
        /// A request is arriving, or none is.
        case idle
        /// The handler has a request.
        case waiting
        /// The client takes an answer, or does not read it.
        case answering
        case streaming
    }

    let socket: Int32
    private let handle: OpaquePointer
    /// The client of the newest request: a proxy serves several.
    private(set) var client: HTTPClient
    /// Bytes of the target of the request whose head is arriving; nil: none is.
    private(set) var targetSize: Int?
    private var stage = Stage.idle
    /// When the stage began.
    private(set) var since: Int64
    /// It gives way.
    private(set) var isLeaving = false
    /// The request that is being answered.
    private(set) var exchange: HTTPExchange?

    init(_ handle: OpaquePointer, now: Int64) {
        self.handle = handle
        socket = busd_http_socket(handle)
        client = HTTPClient(peer: busd_http_peer(handle))
        since = now
        var unread = Int32(HTTPLimits.unread / 2)  // fits: the kernel doubles it
        var patience: Int32 = 60_000
        let size = socklen_t(MemoryLayout<Int32>.size)  // fits: it is 4
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &unread, size)
        // A phone that has left the network ends after a minute, not after a quarter of an hour.
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience, size)
    }

    /// Whether it may end to make room: a stream has a place of its own.
    var mayGiveWay: Bool { !isLeaving && stage != .streaming }

    func leave() {
        isLeaving = true
        exchange?.end()
        hangUp()
    }

    /// The first line of a request is there.
    func arrives(targetSize: Int) { self.targetSize = targetSize }

    func begins(_ exchange: HTTPExchange) {
        self.exchange = exchange
        client = exchange.request.client
        targetSize = nil
    }

    func waits(now: Int64) { (stage, since) = (.waiting, now) }

    func answers(now: Int64) { (stage, since) = (.answering, now) }

    func streams() { stage = .streaming }

    func completed(now: Int64) { (stage, since, exchange, targetSize) = (.idle, now, nil, nil) }

    func isLate(_ now: Int64, _ limits: HTTPLimits) -> Bool {
        switch stage {
        case .idle: now - since > limits.request
        case .waiting, .answering: now - since > limits.response
        case .streaming: false
        }
    }

    /// Ends a request whose head arrives with a length at which the library fails.
    func refuseLength() {
        var length: UnsafePointer<CChar>?
        var size = 0
        guard targetSize != nil,
            busd_http_find_header(handle, "Content-Length", 14, &length, &size),
            let refusal = HTTPRequest.refusal(
                ofLength: UnsafeRawBufferPointer(start: length, count: size))
        else { return }
        end(with: refusal)
    }

    /// Answers a request for which the library has no answer, or no memory.
    func end(with refusal: HTTPResponse) {
        targetSize = nil
        let bytes = refusal.bytes
        bytes.withUnsafeBytes { busd_http_end(handle, $0.baseAddress, $0.count) }
    }

    /// The library notices the end, and forgets the connection.
    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }
}

extension Sequence<HTTPConnection> {
    /// The connections that end to make room: of the client with the most connections besides
    /// streams, the ones without progress for the longest time. So idle connections, requests that
    /// wait for an answer, and answers that are not read, keep no other client out.
    var surplus: ArraySlice<HTTPConnection> {
        let clients = Dictionary(grouping: filter(\.mayGiveWay), by: \.client)
        let most = clients.values.max { $0.count < $1.count } ?? []
        let count = Swift.min(Swift.max(1, most.count / 2), HTTPLimits.spare / 2)
        return most.sorted { $0.since < $1.since }.prefix(count)
    }
}
