package import BusdProtocol

/// The bus as a value: each thing that can happen is a method, and the results are lines and
/// effects. It knows no descriptor, and the shell tells it the time, so all of it runs in a test.
///
/// In each turn of the loop, the shell around it (`Server`) calls:
///
/// 1. `connected` if a client has connected, and `noticed` if the socket of a connection has news;
/// 2. `tick` with the current time, and `applyCommitted` if `hasPending`;
/// 3. `work`, again while `isTurnUnfinished`. It serves connections until the turn has cost enough.
///    For each one, the shell reports the news of its socket (`received`, `inputEnded`, `writable`,
///    `vanished`); then the bus handles its lines;
/// 4. `flush`: writes the lines of this turn to each connection, in one write;
/// 5. `takeEffects`: all other work on sockets, until there is none.
///
/// The loop waits for news only if the bus has no work (`hasWork`).
///
/// Requests are handled one after the other. After each request, the bus takes the events of view
/// models from the host's outbox and publishes them in one order for all connections; then it
/// answers the request. Bus+Delivery.swift has the path of an event to the sockets,
/// Bus+SlowViews.swift has full sockets.
package struct Bus: ~Copyable {
    package let limits: Limits
    let host: any ViewModelHost
    let outbox: Outbox
    let kinds: Kinds
    let timeline: Timeline
    let libraries: Libraries
    private(set) var greeting: Greeting
    var roster: Roster
    var intake: Intake
    var outlet = Outlet()
    var delivery = Delivery()
    var scheduler = Scheduler()
    /// For the next `takeEffects`.
    var effects: [Effect] = []
    var deadlines = Deadlines()
    var budget: Budget
    var reports = Reports()
    var traffic = Traffic()
    var tap = Tap()
    var kept = KeptSnapshots()
    /// Number of kinds with a description. They are made in the order of registration.
    var describedCount = 0
    /// `drain` is publishing an update, and calls of `drain` meanwhile do nothing.
    var isPublishing = false
    var pending = Pending()
    var phase = Phase.running
    /// A new policy that is not in force for all connections yet.
    var enforcement: Enforcement?

    enum Phase {
        /// Requests are handled.
        case running
        /// No more requests are handled, so that pending sends can be finished.
        case stopping
        /// `bye` was sent to every connection.
        case closing
    }

    var isStopping: Bool { phase != .running }

    /// - Parameter owner: the user that the daemon runs as.
    /// - Parameter state: the folder of the store, for the commands that work on it.
    /// - Parameter onlyTarget: the only address that takes a `send`; `nil`: any.
    /// - Parameter policy: `nil`: every user may look and send everywhere.
    /// - Parameter epoch: a number that the daemon has not used before, for the marks of cursors.
    package init(
        host: any ViewModelHost, limits: Limits = Limits(), owner: Int? = nil, server: String,
        durability: String, house: String? = nil, state: String? = nil,
        onlyTarget: Address? = nil, policy: Policy? = nil, epoch: UInt32
    ) {
        self.host = host
        outbox = host.outbox
        kinds = host.kinds
        timeline = host.timeline
        libraries = host.libraries
        self.limits = limits
        let door = Door(owner: owner, onlyTarget: onlyTarget, policy: policy)
        roster = Roster(limits, door, epoch: epoch)
        budget = Budget(limits)
        intake = Intake(limits)
        greeting = Greeting(server: server, durability: durability, house: house, state: state)
        makeFixed()
    }

    package var now: Instant { timeline.now }

    /// `full`, `normal` or `none`, for the answer to `hello`.
    package var durability: String {
        get { greeting.durability }
        set { greeting = greeting.with(durability: newValue) }
    }

    /// Returns the error for a `send` to an address without a view model if another daemon may have
    /// one there; `nil`: the address is unknown.
    package var reasonForUnknown: (Address) -> WireError? = { _ in nil }

    /// Microseconds of a clock that runs during a turn. Read only while a client watches
    /// `bus/connections` or `bus/tap`.
    package var stopwatch: () -> Int64 = { 0 }

    /// For `since` in `bus/views`. Read once per new subscription.
    package var timeOfDay: () -> UTCTime = { UTCTime(seconds: 0) }

    // MARK: Connections

    /// Admits a client.
    ///
    /// - Throws: the reason for a refusal. The shell sends its `line` and closes the socket.
    package mutating func connected(
        _ access: Access, _ peer: Peer
    ) throws(AdmissionError) -> ConnectionSlot {
        guard !isStopping else { throw .closing }
        let slot = try roster.admit(access, peer)
        scheduler.admit(slot)
        delivery.admit(slot)
        budget.admit(slot)
        pending.admit(slot)
        intake.admit(slot)
        outlet.admit(slot)
        deadlines.admit(slot)
        return slot
    }

    package var connectionCount: Int { roster.connectionCount }

    /// Whether the connection with this number is still here.
    package func isConnected(_ number: Int) -> Bool {
        roster.isConnected(number)
    }

    /// The peer has closed the connection, or its socket has failed.
    package mutating func vanished(_ slot: ConnectionSlot) {
        guard isHere(slot) else { return }
        close(slot)
        drain()
    }

    func isHere(_ slot: ConnectionSlot) -> Bool { roster.isHere(slot) }

    /// Removes the connection; the shell closes its socket. The outbox then contains the ends of
    /// the view models that the connection owned.
    mutating func close(_ slot: ConnectionSlot) {
        // Nothing is written to it any more, so its catch-ups keep no gaps.
        outlet.remove(slot)
        endSubscriptions(of: slot)
        dropOwn(of: slot)
        delivery.remove(slot)
        intake.remove(slot)
        charge(slot)
        roster.remove(slot)
        scheduler.remove(slot)
        traffic.remove(slot)
        tap.remove(slot)
        effects.append(.close(slot))
        spend(Cost.close)
    }

    /// The effects since the last call, in order. The shell performs them before it admits another
    /// client, so the slots of closed connections are free from now on.
    package mutating func takeEffects() -> [Effect] {
        if !outlet.putOff.isEmpty { resumePutOff() }
        roster.reuseSlots()
        defer { effects.removeAll() }
        return effects
    }

    // MARK: View models

    /// The view model at an address; `nil` also while its arrival is still in the outbox.
    /// Inlined, because each `send` calls it: this saves 1 to 2 % of its instructions.
    @inline(__always)
    mutating func model(at address: Address) -> ModelID? { roster.find(address) }

    /// The view model that the connection finds at an address. Inlined for the same reason.
    @inline(__always)
    mutating func model(at address: Address, for slot: ConnectionSlot) -> ModelID? {
        guard let id = model(at: address) else { return nil }
        return roster.may(.find, id, slot).isAllowed ? id : nil
    }

    func cursor(of id: ModelID) -> Cursor { roster.cursor(of: id) }

    @inline(__always)
    func isHere(_ id: ModelID) -> Bool { roster.isHere(id) }

    /// Similar addresses and `names`, for the error about an unknown address.
    mutating func suggestions(
        for text: String, and names: [String] = [], _ slot: ConnectionSlot
    ) -> [String] {
        spend(Cost.suggestions)
        // A closure in a `mutating` method cannot use `self`: it uses a copy of the roster.
        let roster = roster
        let known = roster.beside(text, most: Suggestions.most) {
            roster.may(.browse, $0, slot).isAllowed
        }
        return Suggestions.near(text, among: names + known.map { roster[$0].address.text })
    }
}
