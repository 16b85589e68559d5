/// Identifies a view model. Slots are reused; the number distinguishes the view models of a slot.
package struct ModelID: Hashable, Sendable {
    @usableFromInline let place: Int32
    /// Numbers all view models of this daemon in the order of their arrival. It is part of the mark
    /// of the cursor, and tells a walk which view models arrived later.
    package let number: UInt32

    // Inlined where the host compares it.
    @inlinable package static func == (a: Self, b: Self) -> Bool {
        a.place == b.place && a.number == b.number
    }

    package var slot: Int { Int(truncatingIfNeeded: place) }

    package init(slot: Int, number: UInt32) {
        place = Int32(clamping: slot)
        self.number = number
    }
}

/// Identifies a connection for the shell: an index. It is reused after the shell has taken the
/// `close` effect of the connection.
package typealias ConnectionSlot = Int

/// The socket of a connection (docs/protocol.md, section 10).
package enum Access: String, Sendable {
    case control
    case view
}

/// The process at the other end, as the kernel reported it on accept.
package struct Peer: Equatable, Sendable {
    package let pid: Int
    package let uid: Int
    /// The ids of its groups, in any order.
    package let groups: [Int]

    package init(pid: Int, uid: Int, groups: [Int] = []) {
        self.pid = pid
        self.uid = uid
        self.groups = groups
    }
}
