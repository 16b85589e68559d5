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
    package let outbox = Outbox()
    /// Opens the store, when the first library is made.
    private let openLibraries: (Timeline) -> Libraries
    /// The libraries of all things. Each kind of thing has one (`Library(host.libraries)`).
    public var libraries: Libraries {
        if opened == nil { opened = openLibraries(timeline) }
        return opened ?? Libraries(clock: timeline)
    }
    private var opened: Libraries?

    private(set) var kinds: [any HostedKind] = []
    private(set) var kindIDs: [ExactText: KindID] = [:]

    /// Replaced, not changed, like `kinds`.
    private(set) var places: [Place] = []
    private var vacantSlots: [Int] = []
    /// Ended view models that the bus may not have announced yet.
    private var ending: [Address: ModelID] = [:]
    private var addresses = AddressTable()
    /// Most lookups repeat a recent lookup.
    private var found = RecentlyFound()  // Replaced, not changed, too.
    /// All view models that have not been released, by address.
    private var index = AddressIndex()
    /// The numbers of the events of kinds that have been used.
    let numbers = EventNumbers()
    private var lastGeneration: UInt32 = 0
    private var advance: Duration?
    public var sender: Sender? { currentSender }
    /// Private, so that the compiler checks no access to it at run time.
    private var currentSender: Sender?

    private var faults: [String] = []
    /// Why some registered kinds cannot be hosted.
    package private(set) var problems: [String] = []

    package init(timeline: Timeline = Timeline(), openLibraries: @escaping (Timeline) -> Libraries)
    {
        self.timeline = timeline
        self.openLibraries = openLibraries
    }

    deinit { opened?.close() }

    /// Faults inside view models since the last call, for the log file.
    package func takeFaults() -> [String] {
        defer { faults = [] }
        return faults + libraries.takeFaults()
    }

    // MARK: Registering

    /// Registers a kind of view model, in any order, before the bus opens. A kind that cannot be
    /// hosted becomes one of the `problems`, and the daemon does not start.
    public func register<Model: HostedViewModel>(_ type: Model.Type, services: Model.Services) {
        let kind = ModelKind<Model>(services: services, numbers)
        if let problem = problem(of: kind, isOfBus: type is any BusOwned.Type) {
            problems.append(problem)
            return
        }
        let id = KindID(index: kinds.count)
        kindIDs[ExactText(kind.name)] = id
        // The array is replaced, not changed: so no access needs a run-time exclusivity check.
        kinds = kinds + [kind]
        if case .fixed(let address) = kind.placement {
            place(id, at: address, isOnDemand: false)
        }
    }

    // MARK: Places

    @discardableResult
    private func place(_ kind: KindID, at address: Address, isOnDemand: Bool) -> ModelID {
        lastGeneration &+= 1
        let slot = vacantSlots.popLast() ?? places.count
        let id = ModelID(slot: slot, generation: lastGeneration)
        let place = Place(id: id, address: address, kind: kind)
        changePlaces { places in
            if slot < places.count { places[slot] = place } else { places.append(place) }
        }
        addresses[address] = id
        index.insert(id, addressOf)
        outbox.append(
            Outbox.Arrival(model: id, address: address, kind: kind, isOnDemand: isOnDemand))
        return id
    }

    private func changePlaces(_ change: (inout [Place]) -> Void) {
        var places = places
        self.places = []
        change(&places)
        self.places = places
    }

    private func setModel(_ model: AnyObject?, at id: ModelID) {
        // The `deinit` of the last model may call the host, so the model is released last.
        let last = places[id.slot].model
        changePlaces { $0[id.slot].hold(model) }
        withExtendedLifetime(last) {}
    }

    private func addressOf(_ id: ModelID) -> Address { places[id.slot].address }

    private func end(_ id: ModelID) {
        guard isHere(id) else { return }
        addresses[places[id.slot].address] = nil
        setModel(nil, at: id)
        changePlaces { $0[id.slot].end() }
        ending[places[id.slot].address] = id
        outbox.append(ended: id)
    }

    private func isHere(_ id: ModelID) -> Bool {
        places.hold(id)
    }

    /// Makes and starts a view model, if it is not made yet. The events that it emits while it
    /// starts are its snapshot; later events go to the outbox.
    package func wake(_ id: ModelID) {
        guard isHere(id), places[id.slot].model == nil else { return }
        let kind = kinds[places[id.slot].kind.index]
        guard let model = kind.make(at: places[id.slot].address) else {
            faults.append("cannot make \(places[id.slot].address)")
            return
        }
        setModel(model, at: id)
        kind.start(model, id, self)
    }

    /// A view model has emitted an event.
    func emitted(_ event: some WireEvent, _ names: EventNames, by id: ModelID) {
        guard isHere(id) else { return }
        do {
            try outbox.append(event, names, from: id)
        } catch {
            faults.append("cannot encode \(event.name) of \(places[id.slot].address) as JSON")
        }
    }

    private func withModel<Result, Failure: Error>(
        _ id: ModelID, _ body: (any HostedKind, AnyObject) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        wake(id)
        guard isHere(id), let model = places[id.slot].model else { return nil }
        return try body(kinds[places[id.slot].kind.index], model)
    }
}

extension Host: Directory {
    public func add(_ kind: any ViewModelKind.Type, at address: Address) {
        guard let id = kindIDs[ExactText(kind.name)] else {
            faults.append("cannot add \(address): the kind '\(kind.name)' is not registered")
            return
        }
        guard addresses[address] == nil else { return }
        place(id, at: address, isOnDemand: false)
    }

    public func remove(_ address: Address) {
        // The deepest first: a part must end before its thing.
        for id in index.below(address, addressOf).reversed() { end(id) }
        if let id = addresses[address] { end(id) }
    }
}

extension Host: HasSender {}

extension Host: Advancing {
    package func advance(by span: Duration) { advance = span }
}

extension Host: ViewModelHost {
    package func open() {
        for place in places { wake(place.id) }
    }

    package func forEach(from start: String, to end: String, _ body: (ModelID) -> Bool) {
        index.forEach(from: start, to: end, addressOf, body)
    }

    package func count(from start: String, to end: String) -> Int {
        index.count(from: start, to: end, addressOf)
    }

    package func beside(_ text: String, most: Int) -> [ModelID] {
        index.beside(text, most: most, addressOf)
    }

    package func find(_ address: Address) -> ModelID? {
        var newest = found
        if let id = newest[address], places.hold(id, at: address) { return id }
        guard let id = addresses[address] ?? ending[address] else { return nil }
        found = RecentlyFound()
        newest[address] = id
        found = newest
        return id
    }

    package func make(_ address: Address) {
        guard let kind = kindOnDemand(at: address), addresses[address] == nil else { return }
        guard let model = kinds[kind.index].make(at: address) else { return }
        let id = place(kind, at: address, isOnDemand: true)
        setModel(model, at: id)
        kinds[kind.index].start(model, id, self)
    }

    /// Creates a view model on demand from its saved draft.
    func restore(_ draft: SavedDraft) throws(WireError) {
        guard let kind = kindOnDemand(at: draft.address), kinds[kind.index].traits.contains(.draft),
            kinds[kind.index].name.isExactly(draft.kind),
            addresses[draft.address] == nil, let model = kinds[kind.index].make(at: draft.address)
        else { throw WireError(.unknownViewModel, "no such view model keeps a draft") }
        try kinds[kind.index].restore(draft.body, of: model)
        let id = place(kind, at: draft.address, isOnDemand: true)
        setModel(model, at: id)
        kinds[kind.index].start(model, id, self)
    }

    /// Adds a fault for the log file.
    func report(_ fault: String) { faults.append(fault) }

    package func drop(_ model: ModelID) { end(model) }

    package func snapshot(of model: ModelID, report: () -> BusReport) -> Snapshot {
        withModel(model) { kind, object in kind.snapshot(object, report: report) } ?? Snapshot()
    }

    package func isBusy(_ model: ModelID) -> Bool {
        guard isHere(model), let object = places[model.slot].model else { return false }
        return kinds[places[model.slot].kind.index].isBusy(object)
    }

    package func isFixed(_ model: ModelID) -> Bool {
        let place = places[model.slot]
        return kinds[place.kind.index].placement == .fixed(place.address)
    }

    package func subject(of model: ModelID) -> Subject? {
        guard isHere(model), let object = places[model.slot].model else { return nil }
        return kinds[places[model.slot].kind.index].subject(of: object)
    }

    package func isAwake(_ model: ModelID) -> Bool {
        isHere(model) && places[model.slot].model != nil
    }

    package func sleep(_ model: ModelID) -> Bool {
        guard isHere(model), let object = places[model.slot].model else { return true }
        guard kinds[places[model.slot].kind.index].canSleep(object) else { return false }
        setModel(nil, at: model)
        return true
    }

    package func released(_ model: ModelID) {
        let address = places[model.slot].address
        if ending[address] == model { ending.removeValue(forKey: address) }
        index.remove(model, addressOf)
        vacantSlots.append(model.slot)
    }

    package func decode(
        _ event: JSONValue, for kind: KindID
    ) throws(WireError) -> DecodedEvent {
        try kinds[kind.index].decode(event)
    }

    package func handle(
        _ event: DecodedEvent, at model: ModelID, from sender: Sender
    ) throws(WireError) -> HandledEvent {
        currentSender = sender
        defer { currentSender = nil }
        return try withModel(model) { (_, object) throws(WireError) in
            try event.handle(object)
        } ?? HandledEvent()
    }

    package func report(_ report: BusReport, to model: ModelID) {
        _ = withModel(model) { kind, object in kind.report(report, to: object) }
    }

    package func takeAdvance() -> Duration? {
        defer { advance = nil }
        return advance
    }
}
