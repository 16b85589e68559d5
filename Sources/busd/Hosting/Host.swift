package import BusdBroker
public import BusdProtocol

/// Keeps the view models: makes them when they are needed, passes events to them, and puts the
/// events that they emit into the outbox.
///
///     let host = Host()
///     host.register(EchoViewModel.self)
///     host.register(ScoreboardViewModel.self, services: services)
public final class Host {
    package let timeline: Timeline
    /// The time of day; in a test, it stands.
    public let wallClock: any WallClock
    /// The bytes of all drafts.
    public let drafts = DraftSpace()
    package let outbox = Outbox()
    /// Opens the store, when the first library is made.
    private let openLibraries: (Timeline) -> Libraries
    /// The libraries of all things. Each kind of thing has one (`Library(host.libraries)`).
    public var libraries: Libraries {
        if opened == nil { opened = openLibraries(timeline) }
        return opened ?? Libraries(clock: timeline)
    }
    private var opened: Libraries?

    private let openPasswords: (Host) -> any PasswordService
    private var openedPasswords: (any PasswordService)?
    /// Checks the passwords of the daemon's users. A daemon has users, and the verb `user`, if an
    /// application has asked for this service when it was installed.
    public var passwords: any PasswordService {
        let passwords = openedPasswords ?? openPasswords(self)
        openedPasswords = passwords
        return passwords
    }
    /// Whether an application has asked for the passwords.
    package var hasUsers: Bool { openedPasswords != nil }

    private var restartActions: [(Instant) -> Void] = []

    package private(set) var kinds = Kinds()
    /// The same kinds, in the same order. Replaced, not changed: so no access needs a run-time
    /// exclusivity check.
    private var hosted: [any HostedKind] = []
    var hostedKinds: [any HostedKind] { hosted }
    private let numbers = EventNumbers()

    /// The view models that are in memory, by slot. Replaced, not changed, too.
    private(set) var residents: [Resident?] = []
    /// View models from saved drafts, until they are started.
    private var restored: [Address: AnyObject] = [:]
    public var sender: Sender? { currentSender }
    /// Private, so that the compiler checks no access to it at run time.
    private var currentSender: Sender?

    let faults = Faults()
    /// Why some registered kinds cannot be hosted.
    package private(set) var problems: [String] = []

    package init(
        timeline: Timeline = Timeline(), wallClock: any WallClock = SystemWallClock(),
        openLibraries: @escaping (Timeline) -> Libraries,
        openPasswords: @escaping (Host) -> any PasswordService = { NoUsers(clock: $0.clock) }
    ) {
        (self.timeline, self.wallClock) = (timeline, wallClock)
        (self.openLibraries, self.openPasswords) = (openLibraries, openPasswords)
    }

    deinit { opened?.close() }

    /// Releases all view models and kinds. The services of a kind may hold the host.
    package func close() {
        let last = (residents, hosted, kinds, restartActions, openedPasswords)
        (residents, hosted, kinds) = ([], [], Kinds())
        (restartActions, openedPasswords) = ([], nil)
        opened?.close()
        withExtendedLifetime(last) {}
    }

    /// Faults inside view models since the last call, for the log file.
    package func takeFaults() -> [String] {
        faults.take() + libraries.takeFaults()
    }

    // MARK: Registering

    /// Registers a kind of view model, in any order, before the bus opens. A kind that cannot be
    /// hosted becomes one of the `problems`, and the daemon does not start.
    public func register<Model: HostedViewModel>(_ type: Model.Type, services: Model.Services) {
        let kind = ModelKind<Model>(services: services, numbers, faults)
        if let problem = problem(of: kind, isOfBus: type is any BusOwned.Type) {
            problems.append(problem)
            return
        }
        kinds.add(kind.kind)
        hosted = hosted + [kind]
    }

    // MARK: After a restart

    /// Sets a function to call once after a start, with the time until which the daemon ran before.
    /// It may propose actions; if the log refuses some, it is called again.
    public func whenRestarted(_ action: @escaping (Instant) -> Void) {
        restartActions.append(action)
    }

    /// Calls all these functions; `nil`: there are none.
    package var restartAction: ((Instant) -> Void)? {
        let actions = restartActions
        return actions.isEmpty ? nil : { time in for action in actions { action(time) } }
    }

    // MARK: View models in memory

    private func set(_ resident: Resident?, at slot: Int) {
        // The `deinit` of the last view model may call the host, so it is released last.
        let last = slot < residents.count ? residents[slot] : nil
        var residents = residents
        self.residents = []
        if slot >= residents.capacity {
            // Slots come in any order. Growing step by step would copy all of them several times.
            residents.reserveCapacity(max(slot + 1, 2 * residents.count))  // fits: in memory
        }
        while residents.count <= slot { residents.append(nil) }
        residents[slot] = resident
        self.residents = residents
        last?.exit.close()
        withExtendedLifetime(last) {}
    }

    func kind(of resident: Resident) -> any HostedKind { hosted[resident.kind.index] }
}

extension Host: Directory {
    public func add(_ kind: any ViewModelKind.Type, at address: Address) {
        guard let id = kinds.find(kind.name) else {
            faults.add("cannot add \(address): the kind '\(kind.name)' is not registered")
            return
        }
        outbox.append(Outbox.Arrival(id, at: address, isOnDemand: false))
    }

    public func remove(_ address: Address) { outbox.append(removed: address) }
}

extension Host {
    /// Puts the policy into force.
    ///
    /// - Parameter done: called when it is in force for all connections.
    package func enforce(_ policy: Policy, _ done: @escaping () -> Void = {}) {
        outbox.append(policy: policy, done)
    }
}

extension Outbox: Advancing {
    package func advance(by span: Duration) {
        if span >= .zero { append(advance: span) }
    }
}

extension Host: ViewModelHost {
    package var eventNumbers: EventNumbers {
        for kind in hosted { kind.numberEvents() }
        return numbers
    }

    package func make(_ id: ModelID, _ kind: KindID, at address: Address) -> Bool {
        let new = restored.removeValue(forKey: address) ?? hosted[kind.index].make(at: address)
        guard let new else {
            if kinds.find(onDemand: address) == nil { faults.add("cannot make \(address)") }
            return false
        }
        let exit = Exit(outbox, faults, id, address)
        set(Resident(id: id, kind: kind, address: address, model: new, exit: exit), at: id.slot)
        hosted[kind.index].start(new, exit)
        return true
    }

    /// Creates a view model on demand from its saved draft.
    func restore(_ draft: SavedDraft) throws(WireError) {
        guard let id = kinds.find(onDemand: draft.address),
            kinds[id].traits.contains(.draft), kinds[id].name.isExactly(draft.kind),
            restored[draft.address] == nil, let model = hosted[id.index].make(at: draft.address)
        else { throw WireError(.unknownViewModel, "no such view model keeps a draft") }
        try hosted[id.index].restore(draft.body, of: model)
        restored[draft.address] = model
        outbox.append(Outbox.Arrival(id, at: draft.address, isOnDemand: true))
    }

    /// Adds a fault for the log file.
    func report(_ fault: String) { faults.add(fault) }

    package func isAwake(_ id: ModelID) -> Bool { residents.hold(id) }

    package func sleep(_ id: ModelID) -> Bool {
        guard let resident = residents.find(id) else { return true }
        guard kind(of: resident).canSleep(resident.model) else { return false }
        set(nil, at: id.slot)
        return true
    }

    package func remove(_ id: ModelID) { if isAwake(id) { set(nil, at: id.slot) } }

    package func snapshot(of id: ModelID, report: () -> BusReport) -> Snapshot {
        guard let resident = residents.find(id) else { return Snapshot() }
        return kind(of: resident).snapshot(resident.model, report: report)
    }

    package func isBusy(_ id: ModelID) -> Bool {
        residents.find(id).map { kind(of: $0).isBusy($0.model) } ?? false
    }

    package func subject(of id: ModelID) -> Subject? {
        residents.find(id).flatMap { kind(of: $0).subject(of: $0.model) }
    }

    package func handle(
        _ event: DecodedEvent, at id: ModelID, from sender: Sender
    ) throws(WireError) -> HandledEvent {
        guard let model = residents.find(id)?.model else { return HandledEvent() }
        currentSender = sender
        defer { currentSender = nil }
        return try event.handle(model)
    }

    package func report(_ report: BusReport, to id: ModelID) {
        guard let resident = residents.find(id) else { return }
        kind(of: resident).report(report, to: resident.model)
    }
}
