public import BusdProtocol

// The services that every view model can have.

extension Host: HasClock, HasWallClock, HasDirectory, HasSender, HasDrafts {
    /// The clock of all view models.
    public var clock: any Clock { timeline }

    public var directory: any Directory { self }
}

/// The services of an application: its own, and those of its host.
///
///     struct KitchenServices: HasHost, HasOrders {
///         let host: Host
///         let orders: Library<Order>
///     }
public protocol HasHost: HasClock, HasWallClock, HasDirectory, HasSender, HasDrafts {
    /// The host of the application.
    var host: Host { get }
}

extension HasHost {
    public var clock: any Clock { host.clock }
    public var wallClock: any WallClock { host.wallClock }
    public var directory: any Directory { host }
    public var sender: Sender? { host.sender }
    public var drafts: DraftSpace { host.drafts }
}
