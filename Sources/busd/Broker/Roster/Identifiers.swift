/// Identifies a view model. Slots are reused; the generation distinguishes the view models of a
/// slot.
package struct ModelID: Hashable, Sendable {
    private let number: Int32
    private let generation: UInt32

    package var slot: Int { Int(truncatingIfNeeded: number) }

    package init(slot: Int, generation: UInt32) {
        number = Int32(clamping: slot)
        self.generation = generation
    }
}

/// Identifies a connection for the shell: an index. It is reused after the shell has taken the
/// `close` effect of the connection.
package typealias ConnectionSlot = Int

/// The socket of a connection (PROTOCOL.md, section 10).
package enum Access: String, Sendable {
    case control
    case view
}

/// The process at the other end, as the kernel reported it on accept.
package struct Peer: Equatable, Sendable {
    package let pid: Int
    package let uid: Int

    package init(pid: Int, uid: Int) {
        self.pid = pid
        self.uid = uid
    }
}
