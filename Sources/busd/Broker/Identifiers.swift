/// A view model that can be reached. A slot is used again; the generation tells who had it.
package struct ModelID: Hashable, Sendable {
    private let number: Int32
    private let generation: UInt32

    package var slot: Int { Int(truncatingIfNeeded: number) }

    package init(slot: Int, generation: UInt32) {
        number = Int32(clamping: slot)
        self.generation = generation
    }
}

/// A connection, as the shell that performs the effects knows it: an index that is used again once
/// the shell has taken the effect that closes it.
package typealias ConnectionSlot = Int

/// Through which door a connection came (PROTOCOL.md, section 10).
package enum Access: String, Sendable {
    case control
    case view
}

/// Who is at the other end, as the kernel said when the connection was accepted.
package struct Peer: Equatable, Sendable {
    package let pid: Int
    package let uid: Int

    package init(pid: Int, uid: Int) {
        self.pid = pid
        self.uid = uid
    }
}
