package import BusdBroker
public import BusdHosting
public import BusdProtocol
public import Testing

/// The whole bus in a test: no socket, no process, and time moves only when the test moves it.
///
///     let bus = TestBus(.echo)
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

    /// Hosts the applications. `hasManualClock` registers `bus/clock` too, and `install` more
    /// kinds.
    public convenience init(
        limits: Limits = Limits(), hasManualClock: Bool = false, _ applications: Application...,
        install: (Host) throws -> Void = { _ in }
    ) {
        self.init(limits: limits, hasManualClock: hasManualClock, log: MemoryLog()) { host in
            for application in applications { try application.install(on: host) }
            try install(host)
        }
    }

    package init(
        limits: Limits = Limits(), hasManualClock: Bool = false, log: any Log,
        content: LogContent = LogContent(), state: String? = nil, policy: Policy? = nil,
        _ register: (Host) throws -> Void
    ) {
        host = Host(timeline: Timeline(now: content.lastTime), wallClock: wallClock) {
            Libraries(log: log, clock: $0, content: content)
        }
        if hasManualClock { host.register(BusClockViewModel.self, services: host.outbox) }
        host.register(BusViewsViewModel.self)
        do { try register(host) } catch { Issue.record(error) }
        for problem in host.problems { Issue.record(Comment(rawValue: problem)) }
        bus = Bus(
            host: host, limits: limits, owner: Self.owner, server: "test",
            durability: log.isKept ? "full" : "none", state: state, policy: policy, epoch: 1)
        bus.timeOfDay = { [wallClock] in wallClock.now }
        bus.stopwatch = { [stopwatch, host] in stopwatch.read(host.timeline) }
    }

    /// The services of the kinds hold the host.
    deinit { host.close() }

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
    /// after 100,000 turns, and for each fault that a daemon would log.
    func settle() {
        var turns = 0
        repeat {
            turn()
            turns += 1
        } while isUnsettled && turns < 100_000
        if isUnsettled { Issue.record("the bus still has work after 100,000 turns") }
        for fault in host.takeFaults() { Issue.record(Comment(rawValue: fault)) }
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
