/// What the shell around the bus is to do with its sockets.
package enum Effect: Equatable, Sendable {
    /// Tell `writable` as soon as the socket takes bytes again.
    case awaitWritable(ConnectionSlot)
    /// The socket may take bytes already: tell `writable` when it is the connection's turn.
    case write(ConnectionSlot)
    /// Read from the socket, or leave its bytes where they are; a hang-up counts all the same.
    case read(ConnectionSlot, Bool)
    /// Close the socket. The slot may come again with the next connection.
    case close(ConnectionSlot)
}

/// What became of a write.
package enum WriteOutcome: Equatable, Sendable {
    /// So many bytes were taken; fewer than all where the socket is full.
    case took(Int)
    /// There is nobody at the other end.
    case failed
}
