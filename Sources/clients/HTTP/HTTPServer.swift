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
    private var backlog: HTTPBacklog<HTTPClient, Int32>
    /// No connection gives way before this time.
    private var pauseEnd: Int64 = 0
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
        backlog = HTTPBacklog(limits.backlog)
        // Accepted connections inherit it, and hold no more while they wait.
        var unread = HTTPLimits.received / 2  // fits: the kernel doubles it
        let size = socklen_t(MemoryLayout<Int32>.size)  // fits: it is 4
        setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &unread, size)
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
        while let socket = backlog.next() { close(socket) }
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
        serveBacklog(library)
        MHD_run(library)
        if backlog.count > 0, !isFull { runSoon() }
        if isRunDue { return }
        var wait = backlog.count > 0 ? HTTPLimits.pause : nil
        var milliseconds: UInt64 = 0
        if MHD_get_timeout(library, &milliseconds) == .YES {
            // During a handshake of TLS the library asks to run at once, again and again.
            let isIdle = milliseconds == 0 && calls == callsBefore
            let own = isIdle ? 2 : min(Int64(clamping: milliseconds), 60_000)
            wait = min(wait ?? own, own)
        }
        if let wait {
            timer?.arm(afterMicroseconds: wait * 1_000)  // fits: it is at most a minute
        } else {
            timer?.disarm()
        }
    }

    // MARK: Connections

    /// The most connections, with those that give way.
    private var most: Int { limits.connections + HTTPLimits.spare }

    /// Takes the connections that the kernel has. If its queue were full, it would drop new
    /// connections of all clients, which try again after a second.
    private func accept() {
        var count = 0
        while count < HTTPLimits.arrivals {
            var address = sockaddr_storage()
            let socket = busd_http_accept(listening.number, &address)
            guard socket >= 0 else { break }
            count += 1
            if let surplus = backlog.add(socket, of: HTTPClient(peer: address)) { close(surplus) }
        }
        // Without descriptors: until a connection is closed, or for a second.
        if count == 0 { arrivals?.disable() }
        runSoon()
    }

    /// Serves few connections in one turn of the loop: the open ones wait for its end.
    ///
    /// If all places are taken, older connections give way. During the pause that follows, requests
    /// that wait for busd are answered, so fewer of them have to give way.
    private func serveBacklog(_ library: OpaquePointer) {
        let mayMakeRoom = loop.now() >= pauseEnd
        var count = 0
        while count < HTTPLimits.portion, backlog.count > 0, connections.count < most {
            if isFull {
                guard mayMakeRoom, makeRoom() else { break }
                pauseEnd = loop.now() + HTTPLimits.pause * 1_000
            }
            if let socket = backlog.next(), busd_http_serve(library, socket) { count += 1 }
        }
    }

    private var isFull: Bool { connections.count - leaving >= limits.connections }

    private func acceptAgain() { try? arrivals?.watch(for: .readable) }

    func opened(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
    }

    func closed(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connection.isLeaving { leaving -= 1 }
        acceptAgain()
        runSoon()
    }

    /// Ends connections that may give way. False: there are none.
    private func makeRoom() -> Bool {
        let surplus = connections.values.surplus
        for connection in surplus { connection.leave() }
        leaving += surplus.count
        return !surplus.isEmpty
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
