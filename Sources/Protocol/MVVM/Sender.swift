/// Origin of a view event: the connection that sent it.
public struct Sender: Hashable, Sendable {
    /// Number of the connection, from 1. A daemon uses a number once.
    public let connection: Int
    /// User id of the process at the other end of the socket.
    public let uid: Int

    /// For a daemon or a test; takes the values unchecked.
    public init(connection: Int, uid: Int) {
        self.connection = connection
        self.uid = uid
    }
}

/// The services of a view model that needs to know the origin of its events.
public protocol HasSender {
    /// Sender of the event that is being handled; `nil` outside of `handle(event:)`, for example in
    /// a timer.
    var sender: Sender? { get }
}
