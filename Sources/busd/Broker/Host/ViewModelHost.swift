package import BusdProtocol

/// The host of the view models, as the bus sees it.
///
/// View models never call the bus. What they say and wish is in the `outbox`, in order; the bus
/// takes it from there after each input. A view model *arrives* when its address exists; the bus
/// has the table of addresses. It is *awake* while the host has it in memory: it is made when it is
/// first used, and a durable one may sleep.
package protocol ViewModelHost: AnyObject {
    var timeline: Timeline { get }
    var outbox: Outbox { get }
    /// The libraries of the things that durable view models show.
    var libraries: Libraries { get }
    /// The same during the life of a bus.
    var kinds: Kinds { get }
    /// The numbers of all view-model events of all kinds.
    var eventNumbers: EventNumbers { get }

    /// Makes and starts a view model. Returns false if there is nothing at this address.
    func make(_ model: ModelID, _ kind: KindID, at address: Address) -> Bool

    /// Whether the view model is in memory. The methods below do nothing for one that is not.
    func isAwake(_ model: ModelID) -> Bool

    /// Releases a view model from memory; `make` makes it again. Returns false if the new one would
    /// differ.
    func sleep(_ model: ModelID) -> Bool

    /// Releases a view model that has ended.
    func remove(_ model: ModelID)

    /// The present values.
    ///
    /// - Parameter report: called for a view model that shows the bus itself.
    func snapshot(of model: ModelID, report: () -> BusReport) -> Snapshot

    /// Whether an on-demand view model must not end although it is not used, such as a running
    /// timer.
    func isBusy(_ model: ModelID) -> Bool

    /// The thing or library that events to the view model change; `nil`: it changes nothing
    /// durable.
    func subject(of model: ModelID) -> Subject?

    /// Hands an event to the view model, which can ask for the sender until this returns.
    ///
    /// - Throws: the reason why the view model refuses the event.
    func handle(
        _ event: DecodedEvent, at model: ModelID, from sender: Sender
    ) throws(WireError) -> HandledEvent

    /// Gives a report to a view model that shows the bus itself, which emits the changes.
    func report(_ report: BusReport, to model: ModelID)
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

/// The state of the bus, for the view models that show it.
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
    /// For `bus/connections` alone.
    package let traffic: BusConnections.ViewModelEvent?
    /// For `bus/tap` alone.
    package let tap: [BusTap.ViewModelEvent]

    package init(
        views: [BusViews.Row] = [], omittedViews: Int = 0, connections: Int, viewModels: Int,
        events: Int, deliveries: Int, gaps: Int, traffic: BusConnections.ViewModelEvent? = nil,
        tap: [BusTap.ViewModelEvent] = []
    ) {
        self.views = views
        self.omittedViews = omittedViews
        self.connections = connections
        self.viewModels = viewModels
        self.events = events
        self.deliveries = deliveries
        self.gaps = gaps
        self.traffic = traffic
        self.tap = tap
    }
}
