import BusdProtocol

/// Decides what a connection may do with a view model, or with a kind before there is a view model.
/// Nothing else decides it. The door is asked at each request, at each arrival and in each walk. A
/// new policy comes into force for one connection after the other (`Bus.enforce`), and what each
/// holds by older answers is taken back.
struct Door {
    /// The user that the daemon runs as.
    private let owner: Int?
    /// The only address that takes a `send`; `nil`: any.
    private let onlyTarget: Address?
    /// `nil`: every user may look and send everywhere.
    private var policy: Policy?
    /// The rights under the policy, by the subjects that fit.
    private var classes: [[Policy.Subject]: Rights] = [:]
    /// By connection slot; `nil`: no policy restricts it.
    private var rights: [Rights?] = []

    init(owner: Int?, onlyTarget: Address? = nil, policy: Policy? = nil) {
        (self.owner, self.onlyTarget, self.policy) = (owner, onlyTarget, policy)
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
        var isHidden: Bool { if case .hidden = self { true } else { false } }
    }

    /// The reason why an act is refused.
    enum Refusal {
        case sendThroughViewSocket
        /// The daemon replays a backup.
        case sendToReplay
        case makeThroughViewSocket
        /// `line` of the policy decides; `nil`: no line fits.
        case sendByPolicy(line: Int?)
        case makeByPolicy(line: Int?)
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
            case .sendByPolicy(let line?):
                WireError(.notAllowed, "line \(line) of the policy refuses this `send`")
            case .sendByPolicy(nil):
                WireError(
                    .notAllowed,
                    "no line of the policy allows this `send`: without one, you may only look")
            case .makeByPolicy(let line):
                WireError(
                    .unknownViewModel,
                    "there is no view model \(address); "
                        + (line.map { "line \($0) of the policy does not allow you to make it" }
                            ?? "no line of the policy allows you to make it"))
            case .ofAnother:
                WireError(
                    .notAllowed,
                    "\(address) takes events only from the connection that made it: "
                        + "use another address")
            }
        }
    }

    // MARK: Questions

    /// - Parameter model: `nil`: no view model is known.
    /// - Parameter traits: of the kind of the view model; none if no kind can be there.
    /// - Parameter address: of the view model; `nil`: the question is about the kind itself.
    /// - Parameter user: of the process that is connected. A whole `Peer` would be retained.
    @inline(__always)
    func answer(
        _ act: Act, _ model: ModelID?, _ traits: KindTraits, at address: Address?,
        _ access: Access, _ user: Int, _ slot: ConnectionSlot
    ) -> Answer {
        switch act {
        case .send:
            if let refusal = refusal(ofAnySendTo: address, access) { return .refused(refusal) }
        case .keep: guard access == .control else { return .refused(.sendThroughViewSocket) }
        case .browse where traits.contains(.administrative): return .hidden
        case .browse, .find, .make: break
        }
        guard !traits.contains(.administrative) || isAdministrator(access, user) else {
            return .hidden
        }
        let byPolicy = policy == nil ? .allowed : answerByPolicy(act, model, at: address, slot)
        if case .make = act, access == .view, !byPolicy.isHidden {
            return .refused(.makeThroughViewSocket)
        }
        return byPolicy
    }

    /// Why a `send` to this address is refused, whether or not there is a view model; `nil`: it may
    /// be allowed.
    @inline(__always)
    func refusal(ofAnySendTo address: Address?, _ access: Access) -> Refusal? {
        guard access == .control else { return .sendThroughViewSocket }
        return onlyTarget == nil || address == onlyTarget ? nil : .sendToReplay
    }

    @inline(__always)
    private func answerByPolicy(
        _ act: Act, _ model: ModelID?, at address: Address?, _ slot: ConnectionSlot
    ) -> Answer {
        guard let address, let rights = rights(of: slot) else { return .allowed }
        return rights.answer(act, model, at: address)
    }

    /// A view model of another connection can be found, but takes no events, and is not kept alive.
    @inline(__always)
    func answer(_ act: Act, toOwner isOwner: Bool) -> Answer {
        switch act {
        case .send, .keep: isOwner ? .allowed : .refused(.ofAnother)
        case .find, .browse, .make: .allowed
        }
    }

    func isAdministrator(_ access: Access, _ user: Int) -> Bool {
        access == .control && isAdministrator(user)
    }

    /// Whether it is root or the user of the daemon. Either can stop the daemon and read its store
    /// anyway.
    func isAdministrator(_ user: Int) -> Bool { user == 0 || user == owner }

    // MARK: Policy

    /// The rights of the connection; `nil`: the policy does not restrict it.
    func rights(of slot: ConnectionSlot) -> Rights? { slot < rights.count ? rights[slot] : nil }

    /// A connection has the slot from now on, or gets its rights by a policy that was adopted.
    mutating func admit(_ slot: ConnectionSlot, _ peer: Peer) {
        guard policy != nil else { return }
        while rights.count <= slot { rights.append(nil) }
        rights[slot] = rights(for: peer)
    }

    /// The rights of a peer that is admitted now; `nil`: the policy does not restrict it.
    mutating func rights(for peer: Peer) -> Rights? {
        guard let policy, !isAdministrator(peer.uid) else { return nil }
        let subjects = policy.subjects(fitting: peer)
        let known = classes[subjects] ?? policy.rights(subjects)
        classes[subjects] = known
        return known
    }

    /// Another policy decides about connections that are admitted from now on. A connection that
    /// is here keeps its rights until it is admitted again.
    mutating func adopt(_ policy: Policy) { (self.policy, classes) = (policy, [:]) }
}

extension Roster {
    // Inlined, because each `send` asks, and so that no connection is copied for a question.

    /// Whether the connection may do it with the view model.
    @inline(__always)
    func may(_ act: Door.Act, _ model: ModelID, _ slot: ConnectionSlot) -> Door.Answer {
        let answer = door.answer(
            act, model, self[model].traits, at: self[model].address, self[slot].access,
            self[slot].peer.uid, slot)
        guard answer.isAllowed, self[model].isPerConnection else { return answer }
        return door.answer(act, toOwner: self[slot].own.contains(model))
    }

    /// Whether the connection may do it, if no view model is known; see `Door.answer`.
    @inline(__always)
    func may(
        _ act: Door.Act, _ traits: KindTraits, at address: Address?, _ slot: ConnectionSlot
    ) -> Door.Answer {
        door.answer(act, nil, traits, at: address, self[slot].access, self[slot].peer.uid, slot)
    }

    /// Whether users with these rights, who are no administrators, may look at the view model.
    func mayLook(_ rights: Rights?, _ model: ModelID) -> Bool {
        guard !self[model].traits.contains(.administrative) else { return false }
        return rights?.mayLook(model, at: self[model].address) ?? true
    }

    /// See `Door.refusal`.
    @inline(__always)
    func refusal(ofAnySendTo address: Address, _ slot: ConnectionSlot) -> Door.Refusal? {
        door.refusal(ofAnySendTo: address, self[slot].access)
    }

    /// Whether the pattern matches the view model, and the connection finds it by the pattern.
    func finds(_ model: ModelID, by pattern: Pattern, _ slot: ConnectionSlot) -> Bool {
        pattern.matches(self[model].address) && may(.match(pattern), model, slot).isAllowed
    }

    /// Whether the connection may learn where the daemon keeps its store.
    func maySeeStore(_ slot: ConnectionSlot) -> Bool {
        door.isAdministrator(self[slot].access, self[slot].peer.uid)
    }
}
