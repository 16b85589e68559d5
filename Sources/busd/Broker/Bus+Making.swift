import BusdProtocol

// Fixed view models are made at the start. The first `subscribe`, `get` or `send` to an address
// makes one on demand.

extension Bus {
    /// Makes the view models that are always there.
    mutating func makeFixed() {
        for (kind, address) in kinds.fixed {
            outbox.append(Outbox.Arrival(kind, at: address, isOnDemand: false))
        }
        drain()
        for (_, address) in kinds.fixed { if let id = model(at: address) { wake(id) } }
        reports = Reports(
            views: model(at: BusViews.address), statistics: model(at: BusStatistics.address),
            connections: model(at: BusConnections.address), tap: model(at: BusTap.address))
    }

    /// The view model at an address. If there is none, a connection of the control socket makes
    /// one.
    mutating func find(
        _ address: Address, makeFor slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        if let id = model(at: address, for: slot) { return id }
        return try make(kindToMake(address, for: .make, slot), at: address, for: slot)
    }

    /// The kind of the view model that a request would make. Throws if the connection must not make
    /// one, or if a limit is reached.
    ///
    /// - Parameter act: `make`, or the `send` that needs the view model.
    mutating func kindToMake(
        _ address: Address, for act: Door.Act, _ slot: ConnectionSlot
    ) throws(WireError) -> KindID {
        guard let kind = kinds.find(onDemand: address) else { throw unknown(address, slot) }
        switch roster.may(act, kinds[kind].traits, at: address, slot) {
        case .allowed: break
        case .hidden: throw unknown(address, slot)
        case .refused(let refusal):
            var error = refusal.error(at: address)
            error.suggestions = suggestions(for: address.text, slot)
            throw error
        }
        guard !kinds[kind].traits.contains(.perConnection) else {
            try checkMayOwnMore(slot)
            return kind
        }
        guard roster.onDemandCount < limits.onDemand else {
            throw WireError(
                .overloaded,
                "there are \(limits.onDemand) view models on demand: try again later "
                    + "(limit onDemand)")
        }
        return kind
    }

    private mutating func unknown(_ address: Address, _ slot: ConnectionSlot) -> WireError {
        WireError(
            .unknownViewModel, "there is no view model \(address)",
            suggestions: suggestions(for: address.text, slot))
    }

    mutating func make(
        _ kind: KindID, at address: Address, for slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        outbox.append(Outbox.Arrival(kind, at: address, isOnDemand: true))
        drain()
        guard let id = model(at: address) else { throw unknown(address, slot) }
        own(id, slot)
        return id
    }
}
