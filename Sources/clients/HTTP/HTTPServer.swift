package import BusdEventLoop
import CBusdMicrohttpd
import Glibc

/// An HTTP server on a loop. Only this module knows the library that speaks HTTP (libmicrohttpd).
///
/// The library has a queue of its own for its sockets (epoll). The loop waits for that queue like
/// for any other descriptor, and lets the library work when it is ready.
package final class HTTPServer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A certificate with its chain, and its key, in PEM.
    package struct Certificate {
        let chain: String
        let key: String

        package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }
    }

    /// Answers a request: with `answer` or `stream`, before it returns or later.
    package typealias Handler = (HTTPExchange) -> Void

    let loop: Loop
    let hosts: HTTPHosts
    let limits: HTTPLimits
    let isSecure: Bool
    let handler: Handler
    /// The streams that are open.
    package private(set) var streams = 0
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var library: OpaquePointer?
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: busd_http_message_size)
    private var queue: DescriptorEvent?
    private var timer: LoopTimer?
    private var sweep: LoopTimer?
    private var isRunDue = false
    /// No handler is asked any more, and nothing rests.
    private(set) var isStopping = false
    /// The callbacks of the library so far.
    private var calls = 0

    /// Serves at a socket that listens.
    package init(
        loop: Loop, at socket: Descriptor, hosts: HTTPHosts, limits: HTTPLimits,
        certificate: Certificate? = nil, handler: @escaping Handler
    ) throws(Failure) {
        self.loop = loop
        self.hosts = hosts
        self.limits = limits
        self.handler = handler
        isSecure = certificate != nil
        message.initialize(repeating: 0, count: busd_http_message_size)
        guard let library = start(socket, certificate) else {
            let reason = String(cString: message).filter { $0 != "\n" }
            throw Failure(description: reason.isEmpty ? "the HTTP library does not start" : reason)
        }
        self.library = library
        queue = DescriptorEvent(loop: loop, descriptor: busd_http_queue(library)) {
            [weak self] _ in self?.run()
        }
        do {
            try queue?.watch(for: .readable)
        } catch {
            throw Failure(description: error.description)
        }
        timer = LoopTimer(loop: loop) { [weak self] in self?.run() }
        sweep = LoopTimer(loop: loop) { [weak self] in self?.endLateConnections() }
        sweep?.arm(afterMicroseconds: 1_000_000)
        run()
    }

    /// Ends all streams and connections.
    package func stop() {
        guard let library else { return }
        (queue, timer, sweep) = (nil, nil, nil)
        isStopping = true
        let listener = MHD_quiesce_daemon(library)
        if listener >= 0 { close(listener) }
        for connection in connections.values { connection.exchange?.end() }
        MHD_run(library)
        MHD_stop_daemon(library)
        self.library = nil
    }

    deinit {
        stop()
        message.deallocate()
    }

    private func start(_ socket: Descriptor, _ certificate: Certificate?) -> OpaquePointer? {
        func start(_ chain: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
            // The library closes its socket, so it gets a copy.
            let copy = fcntl(socket.number, F_DUPFD_CLOEXEC, 0)
            var settings = busd_http_settings()
            settings.socket = copy
            settings.connections = UInt32(clamping: limits.connections)
            settings.memory = HTTPLimits.memory
            settings.timeout = 60
            (settings.certificate, settings.key) = (chain, key)
            settings.request = HTTPTrampoline.request
            settings.completed = HTTPTrampoline.completed
            settings.connection = HTTPTrampoline.connection
            settings.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
            settings.context = HTTPTrampoline.unretained(self)
            let library = busd_http_start(&settings, message)
            if library == nil, copy >= 0 { close(copy) }
            return library
        }
        guard let certificate else { return start(nil, nil) }
        return certificate.chain.withCString { chain in
            certificate.key.withCString { start(chain, $0) }
        }
    }

    /// Counts callbacks: `run` knows an idle handshake by them.
    func noteCallback() { calls &+= 1 }

    /// The library has work that its queue does not show: a request was resumed, or there is room
    /// for a connection again.
    func runSoon() {
        guard !isRunDue else { return }
        isRunDue = true
        timer?.arm(afterMicroseconds: 0)
    }

    /// Lets the library do what is due.
    private func run() {
        guard let library else { return }
        isRunDue = false
        let callsBefore = calls
        MHD_run(library)
        if isRunDue { return }
        var milliseconds: UInt64 = 0
        if MHD_get_timeout(library, &milliseconds) == .YES {
            // During a handshake of TLS the library asks to run at once, again and again.
            let isIdle = milliseconds == 0 && calls == callsBefore
            let wait = isIdle ? 2 : min(Int64(clamping: milliseconds), 60_000)
            timer?.arm(afterMicroseconds: wait * 1_000)  // fits: it is at most a minute
        } else {
            timer?.disarm()
        }
    }

    // MARK: Connections

    func opened(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
        // So many connections that send no request do not keep others out.
        guard connections.count >= limits.connections else { return }
        let now = loop.now()
        connections.values.filter { $0 !== connection && $0.mayGiveWay(now) }
            .min { $0.since < $1.since }?.hangUp()
    }

    func closed(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        runSoon()
    }

    var hasRoomForStream: Bool { streams < limits.streams }

    /// False if there are too many streams already.
    func addStream() -> Bool {
        guard hasRoomForStream else { return false }
        streams += 1
        return true
    }

    func removeStream() { streams -= 1 }

    private func endLateConnections() {
        let now = loop.now()
        for connection in connections.values where connection.isLate(now, limits) {
            connection.hangUp()
        }
        endLeftStreams()
        sweep?.arm(afterMicroseconds: 1_000_000)
    }
}

extension HTTPServer {
    /// Ends the streams whose clients have left. While a stream rests, the library does not watch
    /// its connection.
    private func endLeftStreams() {
        let resting = connections.values.filter { $0.exchange?.isRestingStream == true }
        let events: Int16 = 0x2000  // POLLRDHUP: <poll.h> has it only under _GNU_SOURCE
        var entries = resting.map { pollfd(fd: $0.socket, events: events, revents: 0) }
        let count = nfds_t(clamping: entries.count)
        guard poll(&entries, count, 0) > 0 else { return }
        for (connection, entry) in zip(resting, entries) where entry.revents != 0 {
            connection.exchange?.end()
        }
    }
}

/// A connection of a client, which may send several requests.
final class HTTPConnection {
    private enum Stage {
        /// A request is arriving, or none is.
        case waiting
        case answering
        case streaming
    }

    let socket: Int32
    private var stage = Stage.waiting
    /// When the stage began.
    private(set) var since: Int64
    /// The request that is being answered.
    private(set) var exchange: HTTPExchange?

    init(socket: Int32, now: Int64) {
        self.socket = socket
        since = now
        var unread = Int32(HTTPLimits.unread / 2)  // fits: the kernel doubles it
        var patience: Int32 = 60_000
        let size = socklen_t(MemoryLayout<Int32>.size)  // fits: it is 4
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &unread, size)
        // A phone that has left the network ends after a minute, not after a quarter of an hour.
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience, size)
    }

    /// Whether it ends to make room: it sends no request, or does not read for five seconds.
    func mayGiveWay(_ now: Int64) -> Bool {
        switch stage {
        case .waiting: true
        case .answering: now - since > 5_000_000
        case .streaming: false
        }
    }

    func begins(_ exchange: HTTPExchange) { self.exchange = exchange }

    func answers(now: Int64) { (stage, since) = (.answering, now) }

    func streams() { stage = .streaming }

    func completed(now: Int64) { (stage, since, exchange) = (.waiting, now, nil) }

    func isLate(_ now: Int64, _ limits: HTTPLimits) -> Bool {
        switch stage {
        case .waiting: now - since > limits.request
        case .answering: now - since > limits.response
        case .streaming: false
        }
    }

    /// The library notices the end, and forgets the connection.
    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }
}
