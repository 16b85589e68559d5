/// A view model that a daemon can host. The host makes it from its type alone. `Services` are its
/// dependencies, most often a composition such as `any HasGames & HasClock`.
public protocol HostedViewModel: ViewModel
where ViewEvent == Kind.ViewEvent, ViewModelEvent == Kind.ViewModelEvent {
    /// The name and the events of the kind.
    associatedtype Kind: ViewModelKind
    /// What `init` gets from the daemon; `Void` if it needs nothing.
    associatedtype Services

    /// When view models of this kind are made, and when they end.
    static var placement: Placement { get }

    /// The address of the thing that the view model at `address` is a part of. Sends to all parts
    /// of a thing are counted together, as `done` (docs/protocol.md). By default each view model is
    /// a thing of its own. A part must end with its thing.
    static func thing(at address: Address) -> Address

    /// The reason to refuse an event; `nil`: the host calls `handle` with it. The host calls this
    /// before each event, so it must be fast, and must change nothing.
    func refusal(of event: ViewEvent) -> Refusal?

    /// Whether the view model works without a client, such as a running timer. A view model made on
    /// demand (`onDemand`, `perConnection`) ends after 60 seconds without use. If it is busy then,
    /// it stays, and the 60 seconds begin again. Busy or not, a `perConnection` view model ends
    /// with its connection.
    var isBusy: Bool { get }

    /// Whether an event waits for the outcome of the action that the event before it proposed.
    /// Meant for view models that keep state beside their things, such as a draft. False by
    /// default.
    static var awaitsOutcomes: Bool { get }

    /// Whether the event may change something durable. Then the key of its `send` is kept in the
    /// log, also if the event has no effect, so a repetition has none after a restart. Otherwise
    /// the key is forgotten when the daemon ends, and the event works without a disk.
    ///
    /// True by default for a `DurableViewModel`, and false for all others.
    func isDurable(_ event: ViewEvent) -> Bool

    /// Handles an event that a client sent, and returns whether it has changed anything that no
    /// event shows. The answer to the `send` reports `changed`: true if any event was emitted, or
    /// if this returns true. The default calls `handle(event:)` and returns false.
    func changes(handling event: ViewEvent) -> Bool

    /// `nil` if there is no view model at that address. Requests to it are then refused with
    /// `unknownViewModel`.
    init?(at address: Address, services: Services)
}

extension HostedViewModel {
    public static func thing(at address: Address) -> Address { address }
    public func refusal(of event: ViewEvent) -> Refusal? { nil }
    public var isBusy: Bool { false }
    public static var awaitsOutcomes: Bool { false }
    public func isDurable(_ event: ViewEvent) -> Bool { false }

    public func changes(handling event: ViewEvent) -> Bool {
        handle(event: event)
        return false
    }
}

/// A view model that shows a thing, or a library of things (`Thing`), and proposes actions on it.
///
/// The thing outlives the view model and the daemon. While it handles an event, the view model
/// proposes at most one action; when the action is in the log and was applied, the library notifies
/// the view model, which shows what has changed.
public protocol DurableViewModel: HostedViewModel {
    /// The thing, or the library, that its events change.
    var subject: Subject { get }

    /// Whether a new view model in its place would show and do the same. If so, it is released
    /// after one to two minutes without views and requests, and made again when needed. True by
    /// default.
    var canSleep: Bool { get }
}

extension DurableViewModel {
    public var canSleep: Bool { true }
    public func isDurable(_ event: ViewEvent) -> Bool { true }
}

/// When the view models of a kind are made, and when they end.
public enum Placement: Hashable, Sendable {
    /// There is always one view model, at this address.
    case fixed(Address)
    /// The first `subscribe`, `get` or `send` to `KIND/NAME` makes one. It ends after 60 seconds
    /// without use, unless it `isBusy`.
    case onDemand
    /// Like `onDemand`, but it takes events only from the connection that made it. It ends when
    /// that connection ends, or has not used it for 60 seconds. Other connections may watch it.
    case perConnection
    /// Another view model adds and removes them through its `Directory`.
    case added
}

/// The addresses at which view models can be reached, for a view model that makes others.
public protocol Directory: AnyObject {
    /// Adds a view model of that kind at the address. It is made when it is first needed.
    func add(_ kind: any ViewModelKind.Type, at address: Address)

    /// Ends the view model at the address and all view models below it.
    func remove(_ address: Address)
}

/// The services of a view model that makes others.
public protocol HasDirectory {
    /// The view models of the daemon.
    var directory: any Directory { get }
}
