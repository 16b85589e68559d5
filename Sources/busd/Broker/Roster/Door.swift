import BusdProtocol

/// Decides what a connection may do with a view model, or with a kind before there is a view model.
/// Nothing else decides it. The door is asked at each request, at each arrival and in each walk. No
/// answer is kept, so a new rule is in force from the next question on.
struct Door {
    /// The user that the daemon runs as.
    private let owner: Int?
    /// The only address that takes a `send`; `nil`: any.
    private let onlyTarget: Address?

    init(owner: Int?, onlyTarget: Address? = nil) {
        (self.owner, self.onlyTarget) = (owner, onlyTarget)
    }

    /// What a connection wants to do.
    enum Act {
        /// To find it by its address.
        case find
        /// To be shown it without its address: by a pattern with stars, as an arrival, in a `list`,
        /// or among the suggestions of an error.
        case browse
        /// To send it an event, as in the request.
        case send(Request.Event)
        /// To make it on demand.
        case make
        /// To keep it alive by using it.
        case keep

        /// To find what the pattern matches.
        @inline(__always)
        static func match(_ pattern: borrowing Pattern) -> Self {
            pattern.address == nil ? .browse : .find
        }
    }

    enum Answer {
        case allowed
        /// The request is answered as if nothing were at the address.
        case hidden
        case refused(Refusal)

        @inline(__always)
        var isAllowed: Bool { if case .allowed = self { true } else { false } }
    }

    /// The reason why an act is refused.
    enum Refusal {
        case sendThroughViewSocket
        /// The daemon replays a backup.
        case sendToReplay
        case makeThroughViewSocket
        /// The view model belongs to another connection.
        case ofAnother

        func error(at address: Address) -> WireError {
            switch self {
            case .sendThroughViewSocket:
                WireError(
                    .notAllowed, "the view socket accepts no `send`: use the control socket")
            case .sendToReplay:
                WireError(
                    .notAllowed,
                    "the daemon replays a backup, which does not change: only bus/clock takes a "
                        + "`send`")
            case .makeThroughViewSocket:
                WireError(
                    .unknownViewModel,
                    "there is no view model \(address); use the control socket to make it")
            case .ofAnother:
                WireError(
                    .notAllowed,
                    "\(address) takes events only from the connection that made it: "
                        + "use another address")
            }
        }
    }

    // MARK: Questions

    /// - Parameter traits: of the kind of the view model; none if no kind can be there.
    /// - Parameter address: of the view model; `nil`: the question is about the kind itself.
    /// - Parameter peer: the process that is connected.
    @inline(__always)
    func answer(
        _ act: Act, _ traits: KindTraits, at address: Address?, _ access: Access, _ peer: Peer
    ) -> Answer {
        switch act {
        case .send, .keep:
            guard access == .control else { return .refused(.sendThroughViewSocket) }
            if case .send = act, let onlyTarget, address != onlyTarget {
                return .refused(.sendToReplay)
            }
        case .browse: return traits.contains(.administrative) ? .hidden : .allowed
        case .find, .make: break
        }
        guard !traits.contains(.administrative) || isAdministrator(access, peer) else {
            return .hidden
        }
        if case .make = act, access == .view { return .refused(.makeThroughViewSocket) }
        return .allowed
    }

    /// A view model of another connection can be found, but takes no events, and is not kept alive.
    @inline(__always)
    func answer(_ act: Act, toOwner isOwner: Bool) -> Answer {
        switch act {
        case .send, .keep: isOwner ? .allowed : .refused(.ofAnother)
        case .find, .browse, .make: .allowed
        }
    }

    func isAdministrator(_ access: Access, _ peer: Peer) -> Bool {
        access == .control && isAdministrator(peer.uid)
    }

    /// Whether it is root or the user of the daemon. Either can stop the daemon and read its store
    /// anyway.
    func isAdministrator(_ user: Int) -> Bool { user == 0 || user == owner }
}

extension Roster {
    // Inlined, because each `send` asks, and so that no connection is copied for a question.

    /// Whether the connection may do it with the view model.
    @inline(__always)
    func may(_ act: Door.Act, _ model: ModelID, _ slot: ConnectionSlot) -> Door.Answer {
        let answer = may(act, self[model].traits, at: self[model].address, slot)
        guard answer.isAllowed, self[model].isPerConnection else { return answer }
        return door.answer(act, toOwner: self[slot].own.contains(model))
    }

    /// Whether the connection may do it, if no view model is known; see `Door.answer`.
    @inline(__always)
    func may(
        _ act: Door.Act, _ traits: KindTraits, at address: Address?, _ slot: ConnectionSlot
    ) -> Door.Answer {
        door.answer(act, traits, at: address, self[slot].access, self[slot].peer)
    }

    /// Whether the pattern matches the view model, and the connection finds it by the pattern.
    func finds(_ model: ModelID, by pattern: Pattern, _ slot: ConnectionSlot) -> Bool {
        pattern.matches(self[model].address) && may(.match(pattern), model, slot).isAllowed
    }

    /// Whether the connection may learn where the daemon keeps its store.
    func maySeeStore(_ slot: ConnectionSlot) -> Bool {
        door.isAdministrator(self[slot].access, self[slot].peer)
    }
}
