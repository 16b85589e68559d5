package import BusdProtocol

/// The host of the view models, as the bus sees it.
///
/// View models never call the bus: what they say, and which of them come and go, is in the
/// `outbox`, in order, and the bus takes it from there after each input.
package protocol ViewModelHost: AnyObject {
    var timeline: Timeline { get }
    var outbox: Outbox { get }
    /// The libraries of things that durable view models show.
    var libraries: Libraries { get }

    /// Makes the view models that are always there.
    func open()

    /// The view model at an address, also one that has ended and has not been `released` yet.
    func find(_ address: Address) -> ModelID?

    /// Visits the view models with addresses from `start` to before `end`, in address order. This
    /// includes view models that are still in the outbox, and ended ones that are not `released`
    /// yet.
    ///
    /// - Parameter body: returns whether to go on.
    func forEach(from start: String, to end: String, _ body: (ModelID) -> Bool)

    /// How many `forEach` would visit.
    func count(from start: String, to end: String) -> Int

    /// At most `most` view models with addresses next to a text, the nearest first.
    func beside(_ text: String, most: Int) -> [ModelID]

    /// The kind of the view model that a `subscribe`, `get` or `send` to the address would make;
    /// `nil` where it would make none.
    func kindOnDemand(at address: Address) -> KindID?

    /// Whether a view model of the kind, made on demand, belongs to the connection that made it.
    func isPerConnection(_ kind: KindID) -> Bool

    /// Makes a view model on demand. It is in the outbox then.
    func make(_ address: Address)

    /// A view model that was made on demand is no longer needed. It is in the outbox then.
    func drop(_ model: ModelID)

    /// The present values. A view model that nobody has looked at before is made and started.
    func snapshot(of model: ModelID, report: () -> BusReport) -> Snapshot

    /// Whether a view model that was made on demand goes on although it is not used.
    func isBusy(_ model: ModelID) -> Bool

    /// Whether view models of the kind show things (`DurableViewModel`).
    func isDurable(_ kind: KindID) -> Bool

    /// Whether only connections that may manage the daemon find them (`AdministrativeViewModel`).
    func isAdministrative(_ kind: KindID) -> Bool

    /// Whether they keep a draft (`DraftingViewModel`).
    func isDraft(_ kind: KindID) -> Bool

    /// Whether the view model is always there.
    func isFixed(_ model: ModelID) -> Bool

    /// Whether an event waits for the outcome of the event before.
    func awaitsOutcomes(_ kind: KindID) -> Bool

    /// The thing that events to the view model change; `nil` if it is not durable, or not awake.
    func subject(of model: ModelID) -> Subject?

    /// Whether the view model has been made.
    func isAwake(_ model: ModelID) -> Bool

    /// Makes and starts a view model that nobody has looked at before.
    func wake(_ model: ModelID)

    /// Lets go of a view model, which is made anew when somebody looks. False where it would not be
    /// the same then.
    func sleep(_ model: ModelID) -> Bool

    /// A view model that has ended is known to nobody any more.
    func released(_ model: ModelID)

    /// Reads an event for a view model of that kind; the event is an object with one key, or its
    /// bare name.
    func decode(_ event: JSONValue, for kind: KindID) throws(WireError) -> DecodedEvent

    /// Hands an event to a view model, unless the view model refuses the event. Meanwhile the view
    /// model can ask for the sender.
    func handle(_ event: DecodedEvent, at model: ModelID, from sender: Sender) -> Handling

    /// The address of the thing that the view model is a part of.
    func thing(of model: ModelID) -> Address

    /// The moment for a view model that tells of the bus itself to say what has changed.
    func report(_ report: BusReport, to model: ModelID)

    /// How far time is to be advanced, where a view model has asked for it since the last time.
    func takeAdvance() -> Duration?

    func description(of kind: KindID) -> KindDescription
    func name(of kind: KindID) -> String
    func kind(named name: String) -> KindID?
    var kindNames: [String] { get }
    /// The names of all that any view model may say, numbered from 0.
    var eventNumbers: [ExactText: Int] { get }
}

package struct KindID: Hashable, Sendable {
    private let number: UInt16

    package var index: Int { Int(truncatingIfNeeded: number) }

    package init(index: Int) { number = UInt16(clamping: index) }
}

/// An event that has been read for a kind of view model, and how one of them is handed it.
package struct DecodedEvent {
    package let handle: (AnyObject) -> Handling

    package init(handle: @escaping (AnyObject) -> Handling) { self.handle = handle }
}

/// What a view model did with an event.
package enum Handling {
    case refused(Refusal)
    /// `hasChanged`: it has changed something that no event shows.
    case handled(hasChanged: Bool)
}

/// The state of the bus, for `bus/views` and `bus/statistics`.
package struct BusReport {
    /// Empty for `bus/statistics`.
    package var views: [BusViews.Row] = []
    /// Number of views without a row.
    package var omittedViews = 0
    package var connections: Int
    package var viewModels: Int
    /// Since the start.
    package var events: Int
    package var deliveries: Int
    package var gaps: Int

    package init(connections: Int, viewModels: Int, events: Int, deliveries: Int, gaps: Int) {
        self.connections = connections
        self.viewModels = viewModels
        self.events = events
        self.deliveries = deliveries
        self.gaps = gaps
    }
}
