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
    /// The places for streams: of all clients, and of those with a name in the reserve.
    private var places: HTTPPlaces<HTTPClient, HTTPConnection>
    private var reserve: HTTPPlaces<String, HTTPConnection>
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// Connections that give way, and that the library has not closed yet.
    private var leaving = 0
    /// The client with the most connections, if room was made in this second.
    private var crowd: HTTPClient?
    private var library: OpaquePointer?
    private let messages = UnsafeMutablePointer<busd_http_messages>.allocate(capacity: 1)
    private let listening: Descriptor
    private var arrivals: DescriptorEvent?
    private var queue: DescriptorEvent?
    private var timer: LoopTimer?
    private var sweep: LoopTimer?
    private var isRunDue = false
    /// No handler is asked any more, and nothing rests.
    private(set) var isStopping = false
    /// The callbacks of the library so far.
    private var calls = 0

    /// Serves at a socket that listens, and does not block.
    package init(
        loop: Loop, at socket: Descriptor, hosts: HTTPHosts, limits: HTTPLimits,
        certificate: Certificate? = nil, handler: @escaping Handler
    ) throws(Failure) {
        (self.loop, listening) = (loop, socket)
        self.hosts = hosts
        self.limits = limits
        self.handler = handler
        isSecure = certificate != nil
        places = HTTPPlaces(limits.streams)
        reserve = HTTPPlaces(limits.reserve)
        messages.initialize(to: busd_http_messages())
        guard let library = start(certificate) else {
            let reason = withUnsafeBytes(of: messages.pointee.first) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self).filter { $0 != "\n" }
            }
            throw Failure(description: reason.isEmpty ? "the HTTP library does not start" : reason)
        }
        self.library = library
        queue = DescriptorEvent(loop: loop, descriptor: busd_http_queue(library)) {
            [weak self] _ in self?.run()
        }
        arrivals = DescriptorEvent(loop: loop, descriptor: socket.number) { [weak self] _ in
            self?.accept()
        }
        do {
            try queue?.watch(for: .readable)
            try arrivals?.watch(for: .readable)
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
        (arrivals, queue, timer, sweep) = (nil, nil, nil, nil)
        isStopping = true
        for connection in connections.values { connection.exchange?.end() }
        MHD_run(library)
        MHD_stop_daemon(library)
        self.library = nil
    }

    deinit {
        stop()
        messages.deallocate()
    }

    private func start(_ certificate: Certificate?) -> OpaquePointer? {
        func start(_ chain: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
            var settings = busd_http_settings()
            settings.connections = UInt32(clamping: most)
            settings.memory = HTTPLimits.memory
            settings.timeout = 60
            (settings.certificate, settings.key) = (chain, key)
            settings.request = HTTPTrampoline.request
            settings.completed = HTTPTrampoline.completed
            settings.connection = HTTPTrampoline.connection
            settings.target = HTTPTrampoline.target
            settings.fault = HTTPTrampoline.fault
            settings.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
            settings.context = HTTPTrampoline.unretained(self)
            return busd_http_start(&settings, messages)
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

    /// The most connections, with those that give way.
    private var most: Int { limits.connections + HTTPLimits.spare }

    /// Many connections are accepted at once, so a client that opens them faster than they are
    /// served keeps no other client waiting before the door. Before the kernel has no place for
    /// others, those of that client are closed at the door.
    private func accept() {
        var count = 0
        while count < HTTPLimits.arrivals, connections.count < most, let library {
            let isCrowded = crowd != nil && busd_http_is_crowded(listening.number)
            var address = sockaddr_storage()
            var size: socklen_t = 0
            let socket = busd_http_accept(listening.number, &address, &size)
            guard socket >= 0 else { break }
            count += 1
            if isCrowded, HTTPClient(peer: address) == crowd {
                close(socket)
            } else {
                busd_http_serve(library, socket, &address, size)
            }
        }
        // Full, or without descriptors: until a connection is closed, or for a second.
        if count == 0 { arrivals?.disable() }
        runSoon()
    }

    private func acceptAgain() { try? arrivals?.watch(for: .readable) }

    func opened(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if connections.count - leaving >= limits.connections { makeRoom(besides: connection) }
    }

    func closed(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connection.isLeaving { leaving -= 1 }
        acceptAgain()
        runSoon()
    }

    /// Ends some connections that are no streams: of the client that has most of them, those
    /// without progress for the longest time. So idle connections, requests that wait for an
    /// answer, and answers that are not read, keep no other client out.
    private func makeRoom(besides new: HTTPConnection) {
        let all = connections.values.filter(\.mayGiveWay)
        let clients = Dictionary(grouping: all, by: \.client)
        let most = clients.values.max { $0.count < $1.count } ?? []
        crowd = most.first?.client
        let older = most.filter { $0 !== new }.sorted { $0.since < $1.since }
        for connection in older.prefix(min(max(1, most.count / 2), HTTPLimits.spare / 2)) {
            connection.leave()
            leaving += 1
        }
    }

    /// Answers requests whose `Content-Length` is none: the library would answer with two heads.
    func refuseLengths() {
        for connection in connections.values { connection.refuseLength() }
    }

    private func endLateConnections() {
        let now = loop.now()
        for connection in connections.values where connection.isLate(now, limits) {
            connection.hangUp()
        }
        endLeftStreams()
        crowd = nil
        acceptAgain()
        sweep?.arm(afterMicroseconds: 1_000_000)
    }
}

extension HTTPServer {
    // MARK: Places for streams

    enum StreamPlace {
        case ofAll(HTTPConnection, HTTPClient)
        case ofReserve(HTTPConnection, String)
    }

    /// The streams that are open.
    package var streams: Int { places.count + reserve.count }

    func hasRoomForStream(of client: HTTPClient, reserve name: String?) -> Bool {
        places.hasRoom(for: client) || name.map { reserve.hasRoom(for: $0) } == true
    }

    /// Nil if there are too many streams already.
    func takePlace(
        _ connection: HTTPConnection, _ client: HTTPClient, reserve name: String?
    ) -> StreamPlace? {
        if let name, hasTaken(reserve.take(connection, for: name)) {
            return .ofReserve(connection, name)
        }
        return hasTaken(places.take(connection, for: client)) ? .ofAll(connection, client) : nil
    }

    private func hasTaken<Client>(_ outcome: HTTPPlaces<Client, HTTPConnection>.Outcome) -> Bool {
        switch outcome {
        case .taken: return true
        case .full: return false
        case .takenFrom(let loser):
            loser.exchange?.end()
            loser.hangUp()
            return true
        }
    }

    func leave(_ place: StreamPlace) {
        switch place {
        case .ofAll(let connection, let client): places.leave(connection, of: client)
        case .ofReserve(let connection, let name): reserve.leave(connection, of: name)
        }
    }

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
