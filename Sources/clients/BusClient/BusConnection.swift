import EventLoop
public import Protocol

// A connection that is lost comes back by itself: it tries again at once, then after 50 ms, and then
// rests twice as long each time, up to 2 s. One that lasted so long was a good one, and the next loss
// starts anew. A Unix socket connects or fails in the call, so there is no "connecting" state.
//
// All that happens is told to those who listen, in one order: `connected`, then the daemon's lines one
// by one, then `lost`. Nothing is kept for whoever listens later.

/// A client's connection to the daemon. Several view models may share it.
public final class BusConnection {
    /// What happens on a connection.
    public enum Event {
        /// Subscriptions are gone after a loss: make them again.
        case connected
        /// The line, and the whole object it was read from.
        case line(BusLine, JSONValue)
        /// It tries again by itself. All requests under way have failed.
        case lost(Loss)
    }

    public typealias Answer = Result<JSONValue, RequestFailure>

    private struct Listener {
        weak var owner: AnyObject?
        let address: Address?
        let hear: (Event) -> Void
    }

    static let shortestRest = Duration.milliseconds(50)
    static let longestRest = Duration.seconds(2)

    public let path: String
    public let loop: ClientLoop
    /// Why there is no connection; nil while there is one.
    public private(set) var loss: Loss? = .notOpen
    private let name: String?
    private let dial: () -> Connecting
    private var listeners: [Listener] = []
    private var socket: LineSocket?
    private var document = JSONDocument()
    private var calls = CallTable()
    private var farewell: Loss?
    private var connectedAt = Instant(microseconds: 0)
    private var rest = BusConnection.shortestRest
    private var retry: Timer?
    var unanswered = UnansweredSends()

    /// - Parameters:
    ///   - path: the socket's, else `BUSD_SOCKET`'s, else the default one.
    ///   - name: what the daemon calls this client in `bus/views`.
    public convenience init(loop: ClientLoop, path: String? = nil, name: String? = nil) {
        let path = SocketChoice.path(given: path)
        self.init(loop: loop, path: path, name: name) { connectUnix(path: path) }
    }

    init(loop: ClientLoop, path: String, name: String?, dial: @escaping () -> Connecting) {
        self.loop = loop
        self.path = path
        self.name = name
        self.dial = dial
    }

    public var isConnected: Bool { loss == nil }

    /// Connects, once; it is known on return whether that went well, and it has been told.
    public func open() {
        guard loss == .notOpen, retry == nil else { return }
        connect()
    }

    /// Ends the connection for good, or until it is opened again. Requests under way fail.
    public func close() {
        retry = nil
        rest = Self.shortestRest
        hangUp(.notOpen)
    }

    /// Hears all that happens from now on, for as long as `owner` lives. The owner is held weakly.
    /// - Parameter address: the view model that the owner hears for.
    public func listen<Owner: AnyObject>(
        _ owner: Owner, address: Address? = nil, _ hear: @escaping (Owner, Event) -> Void
    ) {
        listeners.append(
            Listener(owner: owner, address: address) { [weak owner] event in
                if let owner { hear(owner, event) }
            })
    }

    public func unlisten(_ owner: AnyObject) {
        listeners.removeAll { $0.owner === owner }
    }

    func hasListener(at address: Address) -> Bool {
        listeners.contains { $0.owner != nil && $0.address == address }
    }

    /// Asks the daemon. `answered` is called once: with the value of `ok`, or with what went wrong, and
    /// before this returns where the request could not be sent. A value is there during the call.
    public func request(_ request: BusRequest, _ answered: @escaping (Answer) -> Void = { _ in }) {
        if let loss { return answered(.failure(.lost(loss))) }
        let id = calls.add(answered)
        if let refusal = write(request.line(id: id)) {
            calls.take(id)?(.failure(.refused(refusal)))
        }
    }

    private func write(_ line: [UInt8]) -> WireError? {
        let most = Limits().line
        if line.count - 1 > most {
            return WireError(.tooLong, "a request has at most \(most) bytes")
        }
        if socket?.write(line) == true { return nil }
        return WireError(.overloaded, "the daemon does not read, and too many requests wait")
    }

    // MARK: Coming and going

    private func connect() {
        retry = nil
        switch dial() {
        case .connected(let descriptor): connected(descriptor)
        case .backlogFull: lost(.busy(path: path))
        case .failed(let error): lost(Loss(connecting: path, error))
        }
    }

    private func connected(_ descriptor: Descriptor) {
        do {
            socket = try LineSocket(loop: loop.loop, descriptor: descriptor) { [weak self] in
                self?.heard($0)
            }
        } catch {
            return lost(.system(path: path, reason: error.description))
        }
        loss = nil
        farewell = nil
        connectedAt = loop.clock.now
        if let name { sayHello(name) }
        tell(.connected)
        sendAgain()
    }

    private func sayHello(_ name: String) {
        request(.hello(name: name)) { [weak self] answer in
            guard let self, case .failure(.refused(let error)) = answer else { return }
            lost(.malformed(path: path, reason: error.message))
        }
    }

    private func lost(_ loss: Loss) {
        retry = loop.clock.schedule(after: nextRest()) { [weak self] in self?.connect() }
        hangUp(loss)
    }

    private func nextRest() -> Duration {
        if isConnected, loop.clock.now - connectedAt >= Self.longestRest {
            rest = Self.shortestRest
            return .zero
        }
        defer { rest = min(rest * 2, Self.longestRest) }
        return rest
    }

    private func hangUp(_ loss: Loss) {
        guard loss != self.loss else { return }
        self.loss = loss
        socket?.close()
        socket = nil
        for answered in calls.takeAll() { answered(.failure(.lost(loss))) }
        tell(.lost(loss))
    }

    private func tell(_ event: Event) {
        for listener in listeners { listener.hear(event) }
        listeners.removeAll { $0.owner == nil }
    }

    // MARK: Lines

    private func heard(_ happening: LineSocket.Happening) {
        switch happening {
        case .line(let line): read(line)
        case .ended: lost(farewell ?? .ended(path: path))
        case .tooLong:
            let most = BusLine.limits.line >> 20
            lost(.malformed(path: path, reason: "a line is longer than \(most) MiB"))
        case .failed(let error): lost(farewell ?? .system(path: path, reason: error.description))
        }
    }

    private func read(_ line: ArraySlice<UInt8>) {
        // A value that somebody kept holds on to its document; else the document serves again.
        if !isKnownUniquelyReferenced(&document) { document = JSONDocument() }
        do throws(WireError) {
            try document.read(line.span, limits: BusLine.limits)
        } catch {
            return lost(.malformed(path: path, reason: error.message))
        }
        guard let object = document.root, object.kind == .object else {
            return lost(.malformed(path: path, reason: "a line is no object"))
        }
        heard(BusLine(object), object)
    }

    private func heard(_ line: BusLine, _ object: JSONValue) {
        switch line {
        case .ok(let value, let id): calls.take(id)?(.success(value))
        case .refusal(let error, let id): calls.take(id)?(.failure(.refused(error)))
        case .bye(let code, let message): farewell = .bye(code: code, message: message)
        default: break
        }
        tell(.line(line, object))
    }
}
