import BusdBroker
import BusdEventLoop
import BusdHosting
import BusdProtocol
import BusdStorage
import Glibc

/// Connects the bus to sockets, clock and store: runs the loop, passes input to the bus, and
/// performs the effects of the bus. The comment on `Bus` describes the steps of a turn.
final class Server {
    private let loop: Loop
    private let log: DaemonLog
    private let host: Host
    /// Without run-time checks for exclusive access: the loop makes one call after the other, and
    /// closures that the bus calls, such as `attend`, get the bus as an argument.
    @exclusivity(unchecked) private var bus: Bus
    private let state: DurableState
    private let metrics: ProcessMetrics
    private let isClockManual: Bool

    /// Groups of a client that count for the policy: any user can have thousands.
    private static let mostGroups = 1_024

    private(set) var clients: [Client?] = []
    /// The output of each client, by slot.
    private var writers: [SocketWriter] = []
    /// What the loop has noticed of each client since its last turn, by slot.
    private var readiness: [DescriptorEvent.Interest] = []
    private let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Limits.turnBytes, alignment: 16)
    private var alarm: LoopTimer?
    /// The time for which `alarm` was armed last.
    private var alarmDue: Instant?
    private var shutdownTimer: LoopTimer?
    private(set) var isStopped = false
    /// The daemon must start again after its end.
    private(set) var isRestarting = false
    /// The time of the loop when the timeline was at 0.
    private var start: Int64

    init(
        loop: Loop, host: Host, bus: consuming Bus, state: DurableState, metrics: ProcessMetrics,
        isClockManual: Bool, log: DaemonLog
    ) {
        self.loop = loop
        self.host = host
        self.bus = bus
        self.state = state
        self.metrics = metrics
        self.isClockManual = isClockManual
        self.log = log
        start = loop.now() - host.timeline.now.microseconds
        alarm = LoopTimer(loop: loop) {}
    }

    deinit { scratch.deallocate() }

    // MARK: Turns

    /// Serves until `stop`, and then until all connections have got `bye`, for at most two seconds.
    func run() {
        while !isStopped { turn(block: true) }
    }

    /// - Parameter block: true: waits for an event, unless there is work already.
    func turn(block: Bool) {
        setAlarm()
        loop.turn(block: block && !bus.hasWork && !state.hasWork)
        let began = loop.now()
        state.receive()
        followHouse()
        if let replay = state.replay {
            bus.follow(replay.time(at: began))
        } else if !isClockManual {
            bus.tick(Instant(microseconds: began - start))
        }
        takeOutcomes()
        while let (arrival, access) = state.house?.gate.next(applied: host.libraries.applied) {
            enter(arrival, through: access)
        }
        state.attend { bus.isConnected($0) }
        bus.listen()
        repeat {
            bus.work { [self] slot, bus in attend(to: slot, &bus) }
        } while hasMoreOfTurn()
        // If the disk is too slow, `bye` is sent all the same at the end.
        if isStopped || shutdownTimer != nil && !bus.hasPending {
            bus.sendGoodbyes(
                because: state.replay?.restart == nil
                    ? "the daemon is stopping" : "the replay goes back")
        }
        flush()
        performEffects()
        for fault in host.takeFaults() { log.error(fault) }
        if shutdownTimer != nil && bus.hasSentGoodbyes { isStopped = true }
        if state.replay?.restart != nil, shutdownTimer == nil { stop() }
        metrics.turnTook(microseconds: loop.now() - began)
    }

    /// Adopts the time of the house. Differences up to 20 ms are ignored: they come from the
    /// network.
    private func followHouse() {
        if let reason = state.house?.takeReloadReason() {
            log.warning("\(reason): this daemon starts again with the states of the house")
            (isRestarting, isStopped) = (true, true)
        }
        if state.restore?.takeMustRestart() == true {
            log.warning("a backup is restored: this daemon starts again with it")
            isRestarting = true
            stop()
        }
        if state.house != nil { bus.durability = state.durability.rawValue }
        guard let offset = state.house?.offset, abs(start + offset) > 20_000 else { return }
        start = -offset
    }

    /// Applies and answers committed entries, before any other work.
    private func takeOutcomes() {
        guard bus.hasPending else { return }
        bus.applyCommitted()
        flush()
    }

    /// Looks at the sockets again before the turn of a lone connection goes on.
    private func hasMoreOfTurn() -> Bool {
        guard bus.isTurnUnfinished else { return false }
        loop.turn(block: false)
        return true
    }

    private func flush() {
        bus.flush { [writers] slot, bytes in WriteOutcome(writers[slot].write(bytes)) }
    }

    private func setAlarm() {
        guard let due = bus.nextDue,
            due != alarmDue || alarm?.isArmed == false || state.replay != nil,
            let delay = delay(until: due)
        else { return }
        alarmDue = due
        alarm?.arm(afterMicroseconds: delay)
    }

    /// Microseconds of the loop; `nil`: the time stands.
    private func delay(until due: Instant) -> Int64? {
        if let replay = state.replay { return replay.delay(until: due, at: loop.now()) }
        return isClockManual ? nil : max(0, due.microseconds - (loop.now() - start))
    }

    /// Sends `bye` to all connections after pending sends are on disk, and flushes their output for
    /// at most two seconds. A second call does not wait.
    func stop() {
        guard shutdownTimer == nil else {
            isStopped = true
            return
        }
        bus.stopTaking()
        shutdownTimer = LoopTimer(loop: loop) { [weak self] in self?.isStopped = true }
        shutdownTimer?.arm(afterMicroseconds: Bus.longestGoodbye.microseconds)
    }

    // MARK: Clients

    /// Bytes of kernel memory for output that a new client has not read. The kernel's default is
    /// 208 KiB: 830 MiB for 4,096 clients. So a new client gets an equal part of 24 MiB, but at
    /// least 12 KiB. Together 4,096 clients get 117 MiB, and at most half as much again for pieces
    /// of writes.
    private static func unreadBytes(ofOneIn clients: Int) -> Int {
        max(12 << 10, (24 << 20) / max(1, clients))  // fits: it is not 0
    }

    func arrived(_ arrival: UnixListener.Arrival, through access: Access) {
        if let house = state.house, house.isResponsive {
            house.gate.hold(arrival, access)
        } else {
            enter(arrival, through: access)
        }
    }

    private func enter(_ arrival: UnixListener.Arrival, through access: Access) {
        switch arrival {
        case .accepted(let socket, let credentials):
            let groups = (credentials.groups + [credentials.group]).suffix(Self.mostGroups)
            let peer = Peer(
                pid: Int(clamping: credentials.process), uid: Int(clamping: credentials.user),
                groups: groups.map { Int(clamping: $0) })
            do throws(AdmissionError) {
                admit(socket, try bus.connected(access, peer))
            } catch {
                refuse(socket, error)
            }
        case .overloaded(let socket):
            log.warning("out of descriptors: a client is refused")
            refuse(socket, .allTaken)
        case .failed(let error):
            log.warning("cannot accept clients now: \(error)")
        }
    }

    private func admit(_ socket: Descriptor, _ slot: ConnectionSlot) {
        while clients.count <= slot {
            clients.append(nil)
            writers.append(.closed)
            readiness.append(.none)
        }
        writers[slot] = socket.writer
        readiness[slot] = .none
        socket.limitUnread(Self.unreadBytes(ofOneIn: bus.connectionCount))
        do {
            clients[slot] = try Client(socket, slot: slot, loop: loop) { [weak self] slot, what in
                self?.readiness[slot].formUnion(what)
                self?.bus.noticed(slot)
            }
        } catch {
            log.warning("cannot watch a client: \(error)")
            bus.vanished(slot)
        }
    }

    private func refuse(_ socket: Descriptor, _ error: AdmissionError) {
        let line = error.line + [.lineFeed]
        // A fresh socket has room for a line; if it has not, the peer is gone.
        _ = line.withUnsafeBytes { socket.write($0) }
        socket.discardInput(scratch)
    }

    /// Serves a client, when it is its turn.
    private func attend(to slot: ConnectionSlot, _ bus: inout Bus) {
        guard let client = clients[slot] else { return }
        let readiness = self.readiness[slot]
        self.readiness[slot] = .none
        if readiness.contains(.writable) {
            watch(slot, &bus) { () throws(SystemError) in try client.setBlocked(false) }
            bus.writable(slot) { client.write($1) }
        }
        if readiness.contains(.readable) { read(from: client, &bus) }
        if readiness.contains(.hangUp) { bus.vanished(slot) }
    }

    private func read(from client: Client, _ bus: inout Bus) {
        let most = bus.mostToRead(client.slot)
        guard most > 0 else { return }
        let room = UnsafeMutableRawBufferPointer(rebasing: scratch[..<most])
        switch client.read(into: room) {
        case .bytes(let count):
            let bytes = UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
            bus.received(UnsafeRawBufferPointer(bytes), on: client.slot)
            bytes.wipe()
        case .wouldBlock: break
        case .ended:
            watch(client.slot, &bus) { () throws(SystemError) in try client.inputEnded() }
            bus.inputEnded(client.slot)
        case .failed: bus.vanished(client.slot)
        }
    }

    private func watch(
        _ slot: ConnectionSlot, _ bus: inout Bus, _ change: () throws(SystemError) -> Void
    ) {
        do {
            try change()
        } catch {
            log.warning("cannot watch a client any longer: \(error)")
            bus.vanished(slot)
        }
    }

    // MARK: Effects

    private func performEffects() {
        // Performing an effect may cause another.
        while case let effects = bus.takeEffects(), !effects.isEmpty {
            for effect in effects { perform(effect) }
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .awaitWritable(let slot):
            watch(slot, &bus) { () throws(SystemError) in try clients[slot]?.setBlocked(true) }
        case .write(let slot):
            readiness[slot].insert(.writable)
            bus.noticed(slot)
        case .read(let slot, let isReading):
            watch(slot, &bus) { () throws(SystemError) in try clients[slot]?.setReading(isReading) }
        case .close(let slot):
            clients[slot]?.close(scratch)
            clients[slot] = nil
            writers[slot] = .closed
        }
    }
}
