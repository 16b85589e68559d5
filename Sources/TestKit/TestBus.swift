package import BusdBroker
public import BusdHosting
public import BusdProtocol
public import Testing

/// The whole bus in a test: no socket, no process, and time moves only when the test moves it.
///
///     let bus = TestBus { host in host.register(EchoViewModel.self) }
///     let ann = bus.connect()
///     ann.send(#"send echo/x say {"text":"hi"}"#)
///     ann.send("ping")
///     ann.expect(#"{"ok":{}}"#)
public final class TestBus {
    let host: Host
    var bus: Bus
    var hasWork: Bool { bus.hasWork }
    /// A client disconnects when the test releases it, so the reference is weak.
    private struct Client {
        weak var connection: TestConnection?

        /// The bus waits for the socket to take bytes again, and it does.
        var isWritable: Bool { connection.map { $0.isAwaited && $0.hasRoom } ?? false }
    }
    private var clients: [ConnectionSlot: Client] = [:]
    /// The clock that measures work inside of a turn.
    let stopwatch = Stopwatch()
    /// Called at the end of each turn.
    package var turnEnded: () -> Void = {}
    /// The time of day that new subscriptions get.
    let wallClock = FixedWallClock()

    /// `hasManualClock` registers `bus/clock` too.
    public convenience init(
        limits: Limits = Limits(), hasManualClock: Bool = false, _ register: (Host) -> Void
    ) {
        self.init(limits: limits, hasManualClock: hasManualClock, log: MemoryLog(), register)
    }

    package init(
        limits: Limits = Limits(), hasManualClock: Bool = false, log: any Log,
        content: LogContent = LogContent(), state: String? = nil, policy: Policy? = nil,
        _ register: (Host) -> Void
    ) {
        host = Host(timeline: Timeline(now: content.lastTime)) {
            Libraries(log: log, clock: $0, content: content)
        }
        if hasManualClock { host.register(BusClockViewModel.self, services: host) }
        host.register(BusViewsViewModel.self)
        register(host)
        for problem in host.problems { Issue.record(Comment(rawValue: problem)) }
        bus = Bus(
            host: host, limits: limits, owner: Self.owner, server: "test",
            durability: log.isKept ? "full" : "none", state: state, policy: policy, epoch: 1)
        bus.timeOfDay = { [wallClock] in wallClock.now }
        bus.stopwatch = { [stopwatch, host] in stopwatch.read(host.timeline) }
    }

    /// Call it after the log has reported outcomes.
    package func logReported() {
        bus.applyCommitted()
        settle()
    }

    /// The user that the bus runs as, and that clients belong to by default.
    public static let owner = 1

    /// Connects a client, through the control socket by default. It disconnects when the test
    /// releases it.
    public func connect(
        throughViewSocket: Bool = false, user: Int = owner, groups: [Int] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> TestConnection {
        let access = throughViewSocket ? Access.view : .control
        do throws(AdmissionError) {
            let slot = try bus.connected(access, Peer(pid: 1, uid: user, groups: groups))
            let connection = TestConnection(self, slot: slot, sourceLocation: sourceLocation)
            clients[slot] = Client(connection: connection)
            return connection
        } catch {
            let connection = TestConnection(self, slot: nil, sourceLocation: sourceLocation)
            connection.take(error.line + [.lineFeed])
            connection.isClosed = true
            return connection
        }
    }

    /// Advances the time. Each timer that is due fires at its own time.
    public func advance(by span: Duration) {
        bus.advance(by: span)
        settle()
    }

    /// Another policy is in force for all connections from now on.
    package func enforce(_ policy: Policy) {
        host.enforce(policy)
        bus.listen()
        settle()
    }

    /// Stops the daemon: the bus sends its goodbyes.
    public func stop() {
        bus.sendGoodbyes()
        settle()
    }

    /// Runs turns until there is nothing left to do. Records an issue if work is left
    /// after 100,000 turns.
    func settle() {
        for _ in 0..<100_000 {
            turn()
            guard isUnsettled else { return }
        }
        Issue.record("the bus still has work after 100,000 turns")
    }

    /// Whether another turn has something to do.
    var isUnsettled: Bool { bus.hasWork || clients.values.contains(where: \.isWritable) }

    /// One turn of the loop, in the order of the daemon's.
    ///
    /// - Parameter attend: reads from the socket of a connection that was `noticed`.
    func turn(_ attend: (ConnectionSlot, inout Bus) -> Void = { _, _ in }) {
        // Sockets that have room again are reported first.
        for (slot, client) in clients.sorted(by: { $0.key < $1.key }) where client.isWritable {
            guard let connection = client.connection else { continue }
            connection.isAwaited = false
            bus.writable(slot) { connection.write($1) }
        }
        // Timers propose, too.
        if bus.hasPending { bus.applyCommitted() }
        bus.work(attend)
        bus.flush { [self] slot, bytes in clients[slot]?.connection?.write(bytes) ?? .failed }
        for effect in bus.takeEffects() {
            switch effect {
            case .awaitWritable(let slot), .write(let slot):
                clients[slot]?.connection?.isAwaited = true
            case .read(let slot, let isReading):
                clients[slot]?.connection?.isRead = isReading
            case .close(let slot): clients.removeValue(forKey: slot)?.connection?.isClosed = true
            }
        }
        turnEnded()
    }
}

/// Time stands still inside of a turn, so each reading takes a while instead.
final class Stopwatch {
    /// Number of readings so far.
    private(set) var readings = 0
    /// Microseconds that a reading takes.
    var step = 1
    private var passed = 0

    func read(_ timeline: Timeline) -> Int64 {
        readings += 1
        passed += step
        return timeline.now.microseconds + Int64(passed)
    }
}

/// A client of a `TestBus`. It fails the test for each line that arrives and was not expected.
public final class TestConnection {
    private let bus: TestBus
    let slot: ConnectionSlot?
    private var received: [UInt8] = []
    private let creationLocation: SourceLocation
    fileprivate var isAwaited = false
    /// Whether the bus reads what the client sends.
    public fileprivate(set) var isRead = true
    /// Whether the bus has closed the connection, or has refused it.
    public fileprivate(set) var isClosed = false
    /// The number of bytes that the socket takes before the client has to read; `nil`: no limit.
    private var room: Int?
    private var isGone = false

    fileprivate init(_ bus: TestBus, slot: ConnectionSlot?, sourceLocation: SourceLocation) {
        self.bus = bus
        self.slot = slot
        creationLocation = sourceLocation
    }

    deinit { expectNothing(sourceLocation: creationLocation) }

    // MARK: Sending

    /// Sends all lines at once, and lets the bus work until nothing is left to do.
    public func send(_ lines: String...) {
        send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Sends bytes, which need not be whole lines, and lets the bus work until nothing is left to
    /// do.
    public func send(bytes: [UInt8]) {
        guard let slot else { return }
        bytes.withUnsafeBytes { bus.bus.received($0, on: slot) }
        bus.settle()
    }

    /// The client sends no more requests, but still reads.
    public func endInput() {
        if let slot { bus.bus.inputEnded(slot) }
        bus.settle()
    }

    /// The client disconnects.
    public func disconnect() {
        isGone = true
        if let slot { bus.bus.vanished(slot) }
        bus.settle()
    }

    // MARK: Receiving

    /// From now on the socket takes `room` bytes, and no more until the client reads.
    public func stall(after room: Int = 0) { self.room = room }

    /// The client reads everything from now on.
    public func readOn() {
        room = nil
        bus.settle()
    }

    /// The client reads this many bytes, so that its socket has room for as many.
    public func makeRoom(_ bytes: Int) {
        if let room { self.room = room + bytes }
        bus.settle()
    }

    fileprivate var hasRoom: Bool { room != 0 }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard !isGone else { return .failed }
        let count = min(bytes.count, room ?? .max)
        take(Array(bytes.prefix(count)))
        if let room { self.room = room - count }
        return .took(count)
    }

    fileprivate func take(_ bytes: [UInt8]) { received.append(contentsOf: bytes) }

    /// Removes and returns the whole lines that have arrived and were not expected yet.
    public func takeLines() -> [String] {
        let lines = received.split(separator: .lineFeed, omittingEmptySubsequences: false)
        guard let rest = lines.last else { return [] }
        received = Array(rest)
        return lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Expects exactly these lines, and no others. A `…` stands for any text.
    public func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let received = takeLines()
        let isRight =
            received.count == lines.count
            && zip(lines, received).allSatisfy { isLike($1, pattern: $0) }
        guard !isRight else { return }
        let difference = difference(expected: lines, received: received)
        Issue.record(
            Comment(rawValue: "lines differ (− expected, + received):\n\(difference)"),
            sourceLocation: sourceLocation)
    }

    /// Expects that no other line has arrived.
    public func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        let received = takeLines()
        guard !received.isEmpty else { return }
        let difference = difference(expected: [], received: received)
        Issue.record(
            Comment(rawValue: "unexpected lines:\n\(difference)"),
            sourceLocation: sourceLocation)
    }

    private func isLike(_ text: String, pattern: String) -> Bool {
        var rest = Substring(text)
        let pieces = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard let first = pieces.first, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for (index, piece) in pieces.enumerated().dropFirst() {
            if index == pieces.count - 1 { return rest.hasSuffix(piece) }
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty
    }
}

extension Substring {
    fileprivate func firstRange(of piece: Substring) -> Range<Index>? {
        var at = startIndex
        while at <= endIndex {
            if self[at...].hasPrefix(piece) { return at..<index(at, offsetBy: piece.count) }
            guard at < endIndex else { return nil }
            at = index(after: at)
        }
        return nil
    }
}
