package import BusdProtocol

/// The host of the view models, as the bus sees it.
///
/// View models never call the bus. Their events, arrivals and ends are in the `outbox`, in order;
/// the bus takes them from there after each input. A view model *arrives* when its address exists.
/// It is *awake* while it is in memory: it is made when it is first used, and a durable one may
/// sleep.
package protocol ViewModelHost: AnyObject {
    var timeline: Timeline { get }
    var outbox: Outbox { get }
    /// The libraries of the things that durable view models show.
    var libraries: Libraries { get }

    /// Makes the view models that are always there. Called once, before all other methods.
    func open()

    /// The view model at an address. It may still be in the outbox, or have ended without being
    /// `released`.
    func find(_ address: Address) -> ModelID?

    /// Visits the view models with addresses from `start` to before `end`, in address order. These
    /// include view models that are still in the outbox, and ended ones that are not `released`
    /// yet.
    ///
    /// - Parameter body: returns whether to continue.
    func forEach(from start: String, to end: String, _ body: (ModelID) -> Bool)

    /// Number of view models that `forEach` would visit.
    func count(from start: String, to end: String) -> Int

    /// At most `most` view models with addresses near a text, the nearest first.
    func beside(_ text: String, most: Int) -> [ModelID]

    /// The kind of the view model that a `subscribe`, `get` or `send` to the address would make;
    /// `nil`: it would make none.
    func kindOnDemand(at address: Address) -> KindID?

    /// Makes a view model on demand. Its arrival is then in the outbox.
    func make(_ address: Address)

    /// Ends a view model that was made on demand. Its end is then in the outbox.
    func drop(_ model: ModelID)

    /// The present values. Wakes the view model if necessary.
    ///
    /// - Parameter report: called for a view model that shows the bus itself.
    func snapshot(of model: ModelID, report: () -> BusReport) -> Snapshot

    /// Whether an on-demand view model must not end although it is not used, such as a running
    /// timer.
    func isBusy(_ model: ModelID) -> Bool

    /// Whether the view model is always there, at the fixed address of its kind.
    func isFixed(_ model: ModelID) -> Bool

    /// The thing or library that events to the view model change; `nil`: it changes nothing
    /// durable, or is not awake.
    func subject(of model: ModelID) -> Subject?

    /// Whether the view model is in memory.
    func isAwake(_ model: ModelID) -> Bool

    /// Makes and starts a view model that is not in memory.
    func wake(_ model: ModelID)

    /// Releases a view model from memory; `wake` makes it again. Returns false if the new one would
    /// differ.
    func sleep(_ model: ModelID) -> Bool

    /// The bus has published the end of the view model. The host forgets it, and may reuse its
    /// slot.
    func released(_ model: ModelID)

    /// Decodes an event for a view model of the kind. The event is an object with one key, or the
    /// event's name alone.
    func decode(_ event: JSONValue, for kind: KindID) throws(WireError) -> DecodedEvent

    /// Hands an event to the view model, which can ask for the sender until this returns.
    ///
    /// - Throws: the reason why the view model refuses the event.
    func handle(
        _ event: DecodedEvent, at model: ModelID, from sender: Sender
    ) throws(WireError) -> HandledEvent

    /// The address of the thing that the view model is a part of: such as that of the game for a
    /// player. It is the view model's own address if it is no part.
    func thing(of model: ModelID) -> Address

    /// Gives a report to a view model that shows the bus itself, which emits the changes.
    func report(_ report: BusReport, to model: ModelID)

    /// The time by which a view model has asked to advance the clock since the last call; `nil`:
    /// none.
    func takeAdvance() -> Duration?

    func traits(of kind: KindID) -> KindTraits
    func description(of kind: KindID) -> KindDescription
    func name(of kind: KindID) -> String
    func kind(named name: String) -> KindID?
    var kindNames: [String] { get }
    /// The numbers of all view-model events of all kinds.
    var eventNumbers: EventNumbers { get }
}

/// Identifies a kind of view model: its index among the registered kinds.
package struct KindID: Hashable, Sendable {
    private let number: UInt16

    package var index: Int { Int(truncatingIfNeeded: number) }

    package init(index: Int) { number = UInt16(clamping: index) }
}

/// An event that was decoded for a kind.
package struct DecodedEvent {
    /// Passes it to a view model of the kind; see `ViewModelHost.handle`.
    package let handle: (AnyObject) throws(WireError) -> HandledEvent

    package init(handle: @escaping (AnyObject) throws(WireError) -> HandledEvent) {
        self.handle = handle
    }
}

/// An event that a view model has handled.
package struct HandledEvent {
    /// It may change something durable: see `HostedViewModel.isDurable`.
    package let isDurable: Bool
    /// It has changed something that no event shows.
    package let hasChanged: Bool

    package init(isDurable: Bool = false, hasChanged: Bool = false) {
        (self.isDurable, self.hasChanged) = (isDurable, hasChanged)
    }
}

/// Properties of a kind that the bus depends on.
package struct KindTraits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its view models show things (`DurableViewModel`).
    package static let durable = KindTraits(rawValue: 1)
    /// Its view models keep a draft (`DraftingViewModel`).
    package static let draft = KindTraits(rawValue: 2)
    /// An event waits for the outcome of the action that the event before it proposed.
    package static let awaitsOutcomes = KindTraits(rawValue: 4)
    /// Only connections that may manage the daemon find its view models
    /// (`AdministrativeViewModel`).
    package static let administrative = KindTraits(rawValue: 8)
    /// A view model that is made on demand belongs to the connection that made it.
    package static let perConnection = KindTraits(rawValue: 16)
}

/// The state of the bus, for `bus/views` and `bus/statistics`.
package struct BusReport {
    /// The rows of `bus/views`; empty for `bus/statistics`.
    package let views: [BusViews.Row]
    /// Number of views without a row, because the report would be too long.
    package let omittedViews: Int
    package let connections: Int
    package let viewModels: Int
    /// Events published since the start.
    package let events: Int
    /// Pairs of an event and a connection that got it, since the start.
    package let deliveries: Int
    /// Gaps sent since the start.
    package let gaps: Int

    package init(
        views: [BusViews.Row] = [], omittedViews: Int = 0, connections: Int, viewModels: Int,
        events: Int, deliveries: Int, gaps: Int
    ) {
        self.views = views
        self.omittedViews = omittedViews
        self.connections = connections
        self.viewModels = viewModels
        self.events = events
        self.deliveries = deliveries
        self.gaps = gaps
    }
}
