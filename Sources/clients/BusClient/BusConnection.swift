package import BusdEventLoop
public import BusdProtocol

// A lost connection is made again automatically (RetryDelays.swift). Connecting to a Unix socket
// succeeds or fails at once. Connecting through ssh takes a while; until it succeeds, `loss` has
// the reason.
//
// All listeners get the same order: `connected`, then each line of the daemon, then `lost`. A
// listener that is added later does not get earlier events.

/// A client's connection to the daemon. Several view models may share it.
public final class BusConnection {
    /// What happens on a connection.
    public enum Event {
        /// A new connection knows no subscription: make them again.
        case connected
        /// The line, and the whole object it was read from. Both may be kept.
        case line(BusLine, JSONValue)
        /// Reported again only for a new reason. Pending requests have failed. The connection tries
        /// again by itself.
        case lost(Loss)
    }

    /// The value of `ok`, or the reason why there is none.
    public typealias Answer = Result<JSONValue, RequestFailure>

    /// The socket, for messages. Until a daemon is found: all sockets that are tried.
    public var path: String { dialer?.command.place ?? search.path }
    /// The loop that was given to `init`. All handlers are called on its thread.
    public let loop: ClientLoop
    /// Why there is no connection; nil while there is one.
    public private(set) var loss: Loss? = .notOpen
    /// The number of this connection, as causes of events and `bus/views` name it. Nil until the
    /// daemon has answered `hello`, which only a client with a name sends.
    public private(set) var number: Int?
    /// The socket that the daemon has at `path`: `control`, which takes sends, or `view`. Nil as
    /// long as `number`.
    public private(set) var access: String?
    /// There is a connection, or there was one.
    package private(set) var wasConnected = false
    private let name: String?
    private let trust: Trust
    private var search: SocketSearch
    /// Nil for a daemon of this machine.
    let dialer: SSHDialer?
    /// The part of the user's time limit that connecting to another machine took.
    var spent = Duration.zero
    private var socket: LineSocket?
    private var connectedAt = Instant(microseconds: 0)
    private var retryDelays: RetryDelays
    private var retry: ScheduledAction?
    var listeners = Listeners()
    var calls = CallTable()
    var unanswered = UnansweredSends()
    /// The number of `send`s without an answer. Without a connection they wait for one.
    public var unansweredCount: Int { unanswered.count }
    var document = JSONDocument(isLenient: true)
    /// The daemon's `bye`, which it sends before it closes.
    var byeReason: Loss?

    /// - Parameters:
    ///   - loop: the loop that waits for the daemon.
    ///   - daemon: its name, from which the environment variable and the default sockets follow.
    ///   - path: the socket; `nil`: the environment variable (`BUSD_SOCKET`), else the default
    ///     sockets: first of the user's own daemon, then of the system's.
    ///   - host: the machine of the daemon; nil: this one. The connection is then a run of
    ///     `ssh HOST viewctl relay`, which looks for the socket there in the same way; `path` is
    ///     a path on that machine.
    ///   - name: the name of this client in `bus/views`.
    ///   - trust: nothing is sent to a daemon of an untrusted user.
    public convenience init(
        loop: ClientLoop, to daemon: DaemonName = .busd, path: String? = nil,
        host: RemoteHost? = nil, name: String? = nil, trust: Trust = .anyUser
    ) {
        guard let host else {
            let paths = SocketChoice.paths(given: path, of: daemon)
            self.init(loop: loop, paths: paths, name: name, trust: trust) { connectUnix(path: $0) }
            return
        }
        let command = SSHCommand(host: host, daemon: daemon, path: path, trust: trust)
        let dialer = SSHDialer(loop.loop, command)
        self.init(loop: loop, paths: [], name: name, trust: trust, through: dialer) {
            connectUnix(path: $0)
        }
    }

    convenience init(
        loop: ClientLoop, path: String, name: String? = nil, trust: Trust = .anyUser,
        dial: @escaping () -> Connecting
    ) {
        self.init(loop: loop, paths: [path], name: name, trust: trust) { _ in dial() }
    }

    /// - Parameters:
    ///   - paths: the sockets to try, in this order.
    ///   - dial: connects to one of them.
    package convenience init(
        loop: ClientLoop, paths: [String], name: String? = nil, trust: Trust = .anyUser,
        dial: @escaping (String) -> Connecting
    ) {
        self.init(loop: loop, paths: paths, name: name, trust: trust, through: nil, dial: dial)
    }

    private init(
        loop: ClientLoop, paths: [String], name: String?, trust: Trust,
        through dialer: SSHDialer?, dial: @escaping (String) -> Connecting
    ) {
        self.loop = loop
        self.name = name
        self.trust = trust
        self.dialer = dialer
        retryDelays = RetryDelays(needsLogin: dialer != nil)
        search = SocketSearch(paths, dial: dial)
    }

    /// Whether requests can be sent now. Else `loss` has the reason.
    public var isConnected: Bool { loss == nil }

    /// Connects. Listeners get the outcome before this returns, or later for a daemon on another
    /// machine.
    public func open() {
        if loss == .notOpen { connect() }
    }

    /// Closes the connection, until it is opened again. Pending requests fail.
    public func close() {
        retry = nil
        retryDelays = RetryDelays(needsLogin: dialer != nil)
        hangUp(.notOpen)
        dialer?.hangUp()
    }

    /// Calls `hear` for each event from now on, while `owner` exists. The owner is held weakly.
    /// `address` is the view model that the owner subscribes to.
    public func listen<Owner: AnyObject>(
        _ owner: Owner, address: Address? = nil, _ hear: @escaping (Owner, Event) -> Void
    ) {
        listeners.add(owner, address: address, hear)
    }

    /// Ends `listen` for all handlers of the owner.
    public func unlisten(_ owner: AnyObject) { listeners.remove(owner) }

    /// Sends a request. `answered` is called once, with the value of `ok` or with the failure. If
    /// the request cannot be sent, it is called before this returns.
    /// - Returns: the request's `id`, which events name as their cause; nil if it was not sent.
    @discardableResult
    public func request(
        _ request: BusRequest, _ answered: @escaping (Answer) -> Void = { _ in }
    ) -> Int? {
        if let loss {
            answered(.failure(.lost(loss)))
            return nil
        }
        let id = calls.add(answered)
        guard let refusal = write(request.line(id: id)) else { return id }
        calls.take(id)?(.failure(.refused(refusal)))
        return nil
    }

    private func write(_ line: [UInt8]) -> WireError? {
        let most = Limits().line
        if line.count - 1 > most {
            return WireError(.tooLong, "a request has at most \(most) bytes")
        }
        if socket?.write(line) == true { return nil }
        return WireError(.overloaded, "the daemon does not read, and too many requests wait")
    }

    // MARK: Connecting

    private func connect() {
        retry = nil
        if let dialer { return connect(through: dialer) }
        let (path, outcome) = search.connect()
        switch outcome {
        case .connected(let descriptor): connected(descriptor, at: path)
        case .backlogFull: lost(.busy(path: path))
        case .failed(let error): lost(Loss(connecting: path, error))
        }
    }

    private func connect(through dialer: SSHDialer) {
        if loss == .notOpen, dialer.prepared == nil { hangUp(.connecting(host: dialer.host)) }
        dialer.dial { [weak self] outcome in
            switch outcome {
            case .success(let descriptor): self?.connected(descriptor, at: dialer.command.place)
            case .failure(let loss): self?.lost(loss)
            }
        }
    }

    private func connected(_ descriptor: Descriptor, at path: String) {
        do throws(SystemError) {
            // The relay on the other machine checks the daemon there.
            if dialer == nil, let loss = trust.loss(at: descriptor, path) { return lost(loss) }
            socket = try LineSocket(loop: loop.loop, descriptor: descriptor) { [weak self] in
                self?.received($0)
            }
        } catch {
            return lost(.system(path: path, reason: error.description))
        }
        if dialer == nil { search.found(path) }
        loss = nil
        wasConnected = true
        byeReason = nil
        connectedAt = loop.clock.now
        if let name { sendHello(name) }
        listeners.notify(.connected)
        sendAgain()
    }

    private func sendHello(_ name: String) {
        request(.hello(name: name)) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let value):
                (number, access) = (value["connection"]?.integer, value["access"]?.text)
            case .failure(.refused(let error)):
                lost(.malformed(path: path, reason: error.message))
            case .failure(.lost), .failure(.timedOut): break
            }
        }
    }

    /// Ends a connection, or an attempt to connect, and schedules the next attempt.
    func lost(_ loss: Loss) {
        let delay = retryDelays.next(afterLasting: isConnected ? loop.clock.now - connectedAt : nil)
        retry = loop.clock.schedule(after: delay) { [weak self] in self?.connect() }
        hangUp(loss)
    }

    private func hangUp(_ loss: Loss) {
        guard loss != self.loss else { return }
        self.loss = loss
        (number, access) = (nil, nil)
        socket?.close()
        socket = nil
        dialer?.hangUp()
        for answered in calls.takeAll() { answered(.failure(.lost(loss))) }
        listeners.notify(.lost(loss))
    }
}
