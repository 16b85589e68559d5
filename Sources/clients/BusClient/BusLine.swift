public import BusdProtocol

/// A line from the daemon (docs/protocol.md, "What busd sends"). Unknown keys are ignored. A line
/// of an unknown kind is `unknown`.
public enum BusLine {
    /// An event of a view model to which the client subscribes.
    case event(BusEvent)
    /// Events from here on are live. `to` is an address, with its cursor, or the pattern of a
    /// subscription.
    case live(to: Pattern, cursor: Cursor?)
    /// The view model at the address has ended.
    case gone(Address)
    /// This client was too slow; a snapshot and `live` follow.
    case gap(Address, missed: Int)
    /// The answer to the request with the id: its value.
    case ok(JSONValue, id: Request.ID?)
    /// The answer to the request with the id: nothing has changed.
    case refusal(WireError, id: Request.ID?)
    /// A sign of life from the daemon, which needs no answer.
    case ping
    /// The daemon closes the connection. `code` is stable, `message` is for people.
    case bye(code: String, message: String)
    /// A line of a later version of the protocol.
    case unknown
}

/// An event of a view model, on its way to a view.
public struct BusEvent {
    /// The request that caused the event.
    public struct Cause: Equatable, Sendable {
        /// The number of the connection, which `hello` reports to its client.
        public var connection: Int
        /// The `id` that the client gave to its `send`.
        public var id: Request.ID

        /// Takes the values unchecked.
        public init(connection: Int, id: Request.ID) {
            self.connection = connection
            self.id = id
        }
    }

    /// The address of the view model.
    public var from: Address
    /// Numbers the events of the view model from 1. In a snapshot: the number of its newest event.
    public var seq: Int
    /// The event is a value of a snapshot, which may have arrived before.
    public var isSnapshot: Bool
    /// More events of the same update follow: do not draw yet.
    public var hasMore: Bool
    /// `nil`: no `send` caused the event, or its `send` had no `id`.
    public var cause: Cause?
    /// An object with one key, the event's name.
    public var event: JSONValue

    /// The event's name.
    public var name: String? {
        var members = event.members
        return members.next()?.key.text
    }
}
