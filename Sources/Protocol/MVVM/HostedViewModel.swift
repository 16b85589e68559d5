/// A view model that a daemon can host. The host makes it from its type alone: what it needs from
/// the world is its `Services`, most often a composition such as `any HasGames & HasClock`.
public protocol HostedViewModel: ViewModel
where ViewEvent == Kind.ViewEvent, ViewModelEvent == Kind.ViewModelEvent {
    associatedtype Kind: ViewModelKind
    associatedtype Services

    /// How view models of this kind come to be.
    static var placement: Placement { get }

    /// The address of the thing that the view model at `address` is a part of. Sends to all parts
    /// of a thing are counted together, as `done` (PROTOCOL.md). By default each view model is a
    /// thing of its own. A part must end with its thing.
    static func thing(at address: Address) -> Address

    /// Why an event is refused; `nil`: `handle` is called with it. The host asks before each event.
    /// The answer changes nothing and takes no time worth counting.
    func refusal(of event: ViewEvent) -> Refusal?

    /// Whether it has something to do although no client uses it, such as a timer that runs. A view
    /// model made on demand (`onDemand`, `perConnection`) ends after 60 seconds without use; while
    /// it is busy it does not, and the 60 seconds begin again. The end of the connection that a
    /// view model belongs to ends it all the same.
    var isBusy: Bool { get }

    /// Whether an event waits until the outcome of the action is known that was proposed for the
    /// event before. For view models that keep a state beside their things, such as a draft. False
    /// by default.
    static var awaitsOutcomes: Bool { get }

    /// Handles an event that a client sent, and returns whether it has changed anything that no
    /// event shows. The answer to the `send` reports `changed`: true if any event was emitted, or
    /// if this returns true. The default calls `handle(event:)` and returns false.
    func changes(handling event: ViewEvent) -> Bool

    /// `nil` where there is nothing at that address: then it is an unknown view model.
    init?(at address: Address, services: Services)
}

extension HostedViewModel {
    public static func thing(at address: Address) -> Address { address }
    public func refusal(of event: ViewEvent) -> Refusal? { nil }
    public var isBusy: Bool { false }
    public static var awaitsOutcomes: Bool { false }

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

    /// Whether a view model made anew in its place would show, and do, the same. Then it is
    /// released after a minute or two without views and requests, and made again when needed. True
    /// by default.
    var canSleep: Bool { get }
}

extension DurableViewModel {
    public var canSleep: Bool { true }
}

/// How the view models of a kind come to be.
public enum Placement: Hashable, Sendable {
    /// There is always one, at this address.
    case fixed(Address)
    /// The first `subscribe`, `get` or `send` to `KIND/NAME` makes one. It ends after 60 seconds
    /// without use, unless it `isBusy`.
    case onDemand
    /// Like `onDemand`, for one connection: it takes events only from the connection that made it,
    /// and goes when that connection ends, or has not used it for a minute. Others may watch.
    case perConnection
    /// Another view model adds and removes them through its `Directory`.
    case added
}

/// The addresses at which view models can be reached, for a view model that makes others.
public protocol Directory: AnyObject {
    /// From now on there is a view model of that kind at the address. It is made when first needed.
    func add(_ kind: any ViewModelKind.Type, at address: Address)

    /// The view model at the address, and all below it, have ended.
    func remove(_ address: Address)
}

/// The services of a view model that makes others.
public protocol HasDirectory {
    var directory: any Directory { get }
}
