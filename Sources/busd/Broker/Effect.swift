/// Work for the shell on its sockets.
package enum Effect: Equatable, Sendable {
    /// Call `writable` when the socket accepts bytes again.
    case awaitWritable(ConnectionSlot)
    /// The socket may accept bytes already: call `writable` in the connection's turn.
    case write(ConnectionSlot)
    /// Start or stop reading from the socket. A hang-up is reported in both cases.
    case read(ConnectionSlot, Bool)
    /// Close the socket. A later connection may get the slot.
    case close(ConnectionSlot)
}

/// The result of a write.
package enum WriteOutcome: Equatable, Sendable {
    /// The socket took this many bytes. Fewer than all: it is full.
    case took(Int)
    /// The peer has closed the connection.
    case failed
}
