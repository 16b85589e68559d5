import CBusdLibevent

/// Calls back for as long as a descriptor is readable or writable, or once when its peer has hung
/// up.
///
/// It does not own the descriptor: drop the event before the descriptor is closed.
package final class DescriptorEvent: LoopEvent {
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static var none: Self { Self(rawValue: 0) }

        /// There is input, or its end. Called in every turn until it has been read.
        package static let readable = Self(rawValue: 1)
        /// Output is possible, or it fails. Called in every turn.
        package static let writable = Self(rawValue: 2)
        /// The peer neither reads nor writes any more; a half-close does not count. For a
        /// descriptor that is neither read nor written for now. No effect together with the other
        /// two, which notice the end themselves.
        package static let hangUp = Self(rawValue: 4)
    }

    package private(set) var interest: Interest = []
    private let descriptor: Int32
    private let action: (Interest) -> Void

    /// Dormant until `watch`. `action` gets the conditions that are true.
    package init(loop: Loop, descriptor: Int32, action: @escaping (Interest) -> Void) {
        self.descriptor = descriptor
        self.action = action
        super.init(loop: loop)
    }

    /// From now on waits for exactly these conditions.
    /// - Throws: `EPERM` for a descriptor that cannot be waited for (a plain file), `ENOSPC` and
    ///   `ENOMEM` if the kernel has no room. The event is dormant then.
    package func watch(for interest: Interest) throws(SystemError) {
        if interest == self.interest { return }
        disable()
        if interest.isEmpty { return }
        assign(descriptor, Self.flags(for: interest))
        try add()
        self.interest = interest
    }

    /// Waits for nothing.
    package func disable() {
        remove()
        interest = []
    }

    override func fire(_ what: Int32) {
        if !interest.isDisjoint(with: [.readable, .writable]) {
            var ready: Interest = []
            if what & EV_READ != 0 { ready.insert(.readable) }
            if what & EV_WRITE != 0 { ready.insert(.writable) }
            action(ready)
        } else if isHungUp(descriptor) {
            disable()
            action(.hangUp)
        }
    }

    // A hang-up is watched as an edge of readability, with which EPOLLHUP and EPOLLERR are
    // reported. A half-close and unread input then cause one call each, not one in every turn;
    // `fire` tells them from a hang-up. EV_CLOSED alone is not enough: libevent does not report it
    // beside EPOLLERR, which occurs if a peer dies with unread input. Edges and levels cannot be
    // mixed on one descriptor, so there is one event with a changing interest.
    private static func flags(for interest: Interest) -> Int32 {
        var flags = EV_PERSIST
        if interest.contains(.readable) { flags |= EV_READ }
        if interest.contains(.writable) { flags |= EV_WRITE }
        return interest == .hangUp ? flags | EV_READ | EV_ET : flags
    }
}
