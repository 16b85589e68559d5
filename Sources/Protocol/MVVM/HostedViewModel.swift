/// A view model that a daemon can host. The host makes it from its type alone: what it needs from
/// the world is its `Services`, most often a composition such as `any HasGames & HasClock`.
public protocol HostedViewModel: ViewModel
where ViewEvent == Kind.ViewEvent, ViewModelEvent == Kind.ViewModelEvent {
    associatedtype Kind: ViewModelKind
    associatedtype Services

    /// How view models of this kind come to be.
    static var placement: Placement { get }

    /// Whether what it shows outlives the daemon.
    static var isDurable: Bool { get }

    /// Why an event is refused; `nil`: `handle` is called with it. The host asks before each event.
    /// The answer changes nothing and takes no time worth counting.
    func refusal(of event: ViewEvent) -> Refusal?

    /// Whether one that was made anew in its place would show, and do, the same. A durable view
    /// model that nobody has watched or used for a minute or two goes then, until it is needed.
    var canSleep: Bool { get }

    /// What it has done since views were shown these values could not be kept, and has never been.
    /// Its services are as they were already; here it forgets what it remembers beside them.
    func takeBack(to shown: [ViewModelEvent])

    /// `nil` where there is nothing at that address: then it is an unknown view model.
    init?(at address: Address, services: Services)
}

extension HostedViewModel {
    public static var isDurable: Bool { false }
    public func refusal(of event: ViewEvent) -> Refusal? { nil }
    public var canSleep: Bool { false }
    public func takeBack(to shown: [ViewModelEvent]) {}
}

/// A view model that is not durable, and makes what is, out of a draft that is remembered here
/// alone. Until what was made is kept, views are shown the draft as it was. If it is not kept, that
/// is the draft again: it is set, and then `takeBack` is called.
package protocol DraftingViewModel: HostedViewModel {
    associatedtype Draft

    var draft: Draft { get set }
}

/// How the view models of a kind come to be.
public enum Placement: Hashable, Sendable {
    /// There is always one, at this address.
    case fixed(Address)
    /// The first `subscribe`, `get` or `send` to `KIND/NAME` makes one; it goes when nobody has
    /// used it for a minute.
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
