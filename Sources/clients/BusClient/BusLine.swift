public import BusdProtocol

/// A line from the daemon (docs/protocol.md, "What busd sends"). Unknown keys are ignored. A line
/// of an unknown kind is `unknown`.
public enum BusLine {
    case event(BusEvent)
    /// Events from here on are live. `to` is an address, with its cursor, or the pattern of a
    /// subscription.
    case live(to: Pattern, cursor: Cursor?)
    case gone(Address)
    /// This client was too slow; a snapshot and `live` follow.
    case gap(Address, missed: Int)
    case ok(JSONValue, id: Request.ID?)
    case refusal(WireError, id: Request.ID?)
    case ping
    case bye(code: String, message: String)
    case unknown
}

/// An event of a view model, on its way to a view.
public struct BusEvent {
    /// The request that caused the event.
    public struct Cause: Equatable, Sendable {
        public var connection: Int
        public var id: Request.ID

        public init(connection: Int, id: Request.ID) {
            self.connection = connection
            self.id = id
        }
    }

    public var from: Address
    public var seq: Int
    public var isSnapshot: Bool
    /// More events of the same update follow: do not draw yet.
    public var hasMore: Bool
    public var cause: Cause?
    /// An object with one key, the event's name.
    public var event: JSONValue

    /// The event's name.
    public var name: String? {
        var members = event.members
        return members.next()?.key.text
    }
}
