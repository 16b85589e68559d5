import BusdProtocol

// A new policy comes into force for one connection after the other, in pieces of turns. First the
// rights of the users before and after it are compared (`Enforcement.Change`), once for all
// connections of such users. Then a connection gets its new rights. It is sent `gone` for each view
// model that it may not look at any more, and its subscription to the address ends; meanwhile its
// requests and catch-ups wait. A view model that it may look at now arrives. Pending sends finish.

extension Bus {
    /// A new policy is not in force for all connections yet.
    package var isEnforcing: Bool { enforcement != nil }

    /// View models are being taken from the connection.
    func isHiding(_ slot: ConnectionSlot) -> Bool { enforcement?.hiding?.slot == slot }

    /// Puts the policy into force, behind those that are not yet.
    ///
    /// - Parameter done: called when it is in force for all connections.
    mutating func enforce(_ policy: Policy, _ done: @escaping () -> Void) {
        guard enforcement == nil else {
            enforcement?.follow(policy, done)
            return
        }
        roster.adopt(policy)
        enforcement = Enforcement(done)
    }

    /// Continues until the cost `end` is reached.
    mutating func goOnEnforcing(until end: Int) {
        while spent < end, let slot = enforcement?.slot {
            if let hiding = enforcement?.hiding {
                goOnHiding(hiding, until: end)
            } else if slot < roster.slots.endIndex {
                enforce(for: slot, until: end)
            } else {
                endEnforcing()
            }
        }
    }

    private mutating func endEnforcing() {
        guard let ended = enforcement else { return }
        enforcement = nil
        ended.done()
        for (policy, done) in ended.following { enforce(policy, done) }
    }

    private mutating func enforce(for slot: ConnectionSlot, until end: Int) {
        spend(Cost.look)
        guard roster.isHere(slot) else { return passSlot() }
        spend(Cost.comparison * roster[slot].peer.groups.count)  // fits: at most 1,024
        let users = roster.users(of: slot)
        guard users.before !== users.after else { return passSlot() }
        guard compare(users, until: end), let change = enforcement?.change(for: users) else {
            return
        }
        let isOpen = roster[slot].stage == .open && !change.isEmpty
        // By the rights that it had, a connection gives back what it holds.
        if isOpen { endSubscriptions(under: users, slot) }
        roster.renewRights(of: slot)
        guard isOpen else { return passSlot() }
        outlet.catchUps(of: slot)?.narrow(to: users.before, lastNumber: roster.lastNumber)
        let hidden = hidden(by: slot, change, users)
        enforcement?.begin(
            Enforcement.Hiding(
                slot: slot, number: roster[slot].number, users: users, hidden: hidden))
    }

    private mutating func passSlot() { enforcement?.passSlot() }

    // MARK: Comparing rights

    /// Most view models that are compared at once.
    private static let stride = 1 << 7

    /// Most view models that are compared at once if each costs this much.
    private static func stride(price: Int) -> Int {
        max(1, min(stride, (1 << 15) / price))  // fits: the price is positive
    }

    /// Compares the rights, until the cost `end` is reached. Returns whether all are compared.
    private mutating func compare(_ users: Enforcement.Users, until end: Int) -> Bool {
        while let passed = enforcement?.passed(for: users) {
            guard spent < end else { return false }
            let price = Cost.comparison + Cost.look * users.lookups
            let stride = Self.stride(price: price)
            // A closure in a `mutating` method cannot use `self`: it uses a copy of the roster.
            let roster = roster
            var (hidden, shown): ([ModelID], [ModelID]) = ([], [])
            var (last, count): (ModelID?, Int) = (nil, 0)
            let start = passed.isEmpty ? "" : passed + " "
            roster.forEach(from: start, to: Pattern.everything.end) { id in
                count += 1
                switch roster.changes(users, id) {
                case .hidden: hidden.append(id)
                case .shown: shown.append(id)
                case nil: break
                }
                if count == stride { last = id }
                return last == nil
            }
            spend(price * count)  // fits: a stride at most
            let address = last.map { roster[$0].address.text }
            enforcement?.add(hidden: hidden, shown: shown, upTo: address, for: users)
            if last == nil { users.after?.noteDecided(upTo: roster.lastNumber) }
        }
        return true
    }

    /// A view model has arrived, maybe behind the view models that are compared next.
    mutating func compareArrival(of id: ModelID) {
        for users in enforcement?.users(past: roster[id].address) ?? [] {
            spend(Cost.comparison + Cost.look * users.lookups)
            switch roster.changes(users, id) {
            case .hidden: enforcement?.add(hidden: id, for: users)
            case .shown: enforcement?.add(shown: id, for: users)
            case nil: break
            }
        }
    }

    // MARK: Hiding

    /// The subscriptions of the connection to addresses that it may not look at any more end.
    private mutating func endSubscriptions(
        under users: Enforcement.Users, _ slot: ConnectionSlot
    ) {
        for place in roster[slot].subscriptions.indices.reversed() {
            guard let address = roster[slot].subscriptions[place].pattern.address,
                let model = model(at: address), roster.changes(users, model) == .hidden
            else { continue }
            released(roster.removeSubscription(at: place, slot), of: slot)
            viewsChanged()
        }
    }

    /// The view models that are taken from the connection, in address order.
    private mutating func hidden(
        by slot: ConnectionSlot, _ change: Enforcement.Change, _ users: Enforcement.Users
    ) -> [ModelID] {
        // Few watches are compared one by one. An answer may have named more.
        let watches = roster[slot].watches
        guard watches.count < Self.stride, watches.count < change.hidden.count,
            !outlet.joiners.contains(slot)
        else { return change.hidden }
        spend((Cost.comparison + Cost.look) * watches.count)  // fits: less than a stride
        return watches.keys.filter { roster.changes(users, $0) == .hidden }
            .sorted { roster[$0].address.text < roster[$1].address.text }
    }

    private mutating func goOnHiding(_ hiding: Enforcement.Hiding, until end: Int) {
        let slot = hiding.slot
        guard roster.isHere(slot, hiding.number) else {
            enforcement?.endHiding()
            return
        }
        while let model = enforcement?.nextHidden() {
            hide(model, slot)
            guard spent < end else { return }
        }
        let shown = enforcement?.change(for: hiding.users).shown ?? []
        enforcement?.endHiding()
        reveal(shown, slot)
        // Its requests and catch-ups have waited.
        makeReady(slot)
        retryCatchUp(slot)
    }

    /// The connection may not look at the view model any more.
    private mutating func hide(_ model: ModelID, _ slot: ConnectionSlot) {
        spend(Cost.comparison)
        guard isHere(model) else { return }
        let isNamed = outlet.catchUps(of: slot)?.hasNamed(roster[model]) ?? false
        let isWatched = roster[slot].watches[model] != nil
        let wasShown = isWatched && endWait(of: model, slot)
        if isWatched { leave(slot, model) }
        guard isNamed || wasShown, delivery.isHearing(slot) else { return }
        spend(Cost.leave)
        delivery.noteRun()
        var lines = GoneLines(roster[model])
        delivery.note(lines.number(isNamed: isNamed, in: &delivery), slot)
    }

    // MARK: Revealing

    /// Most shown view models that are compared with the subscriptions of a connection.
    private static let mostCompared = 1 << 5

    /// The connection may look at these view models now. A new catch-up shows those that a pattern
    /// of it matches. Earlier ones do not: the subscription may be younger than their place.
    private mutating func reveal(_ models: [ModelID], _ slot: ConnectionSlot) {
        guard !models.isEmpty, !roster[slot].subscriptions.isEmpty, roster[slot].stage == .open
        else { return }
        let first = models.prefix(Self.mostCompared).filter { isHere($0) }
        spend(Cost.comparison * first.count * roster[slot].subscriptions.count)  // fits: few
        guard
            models.count > Self.mostCompared
                || first.contains(where: { isSubscribed(to: $0, slot) })
        else { return }
        let catchUp = nextCatchUp(of: slot)
        withCatchUps(of: slot) { catchUps in
            catchUps.begin(catchUp)
            catchUps.showArrivals(from: 0, in: catchUp)
        }
        queue(catchUp, [], isComplete: false, slot)
    }

    // MARK: Deciding

    /// Decides about the view models that the rights of the connection have not decided about,
    /// until the cost `end` is reached. Returns whether few are left: then no request of the
    /// connection takes long for this.
    mutating func goOnDeciding(_ slot: ConnectionSlot, until end: Int) -> Bool {
        guard let rights = roster.door.rights(of: slot) else { return true }
        let price = Cost.comparison + Cost.look * rights.lookups
        while !rights.hasDecided(upTo: roster.lastNumber) {
            guard spent < end else { return false }
            let slots = rights.nextSlots(
                of: roster.modelSlotCount, most: Self.stride(price: price),
                lastNumber: roster.lastNumber)
            for model in roster.models(in: slots) { _ = roster.mayLook(rights, model) }
            spend(price * slots.count)  // fits: a stride at most
        }
        return true
    }
}

extension Enforcement.Users {
    /// Number of lookups that decide about a view model before and after.
    fileprivate var lookups: Int { (before?.lookups ?? 0) + (after?.lookups ?? 0) }
}

extension Roster {
    enum RightsChange {
        case hidden, shown
    }

    /// What changes for the users at a view model; `nil`: nothing changes.
    func changes(_ users: Enforcement.Users, _ model: ModelID) -> RightsChange? {
        switch (mayLook(users.before, model), mayLook(users.after, model)) {
        case (true, false): .hidden
        case (false, true): .shown
        case (true, true), (false, false): nil
        }
    }
}
