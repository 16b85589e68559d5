import BusdProtocol

// View models on demand: the first `subscribe`, `get` or `send` to an address makes one.

extension Bus {
    /// The view model at an address. If there is none, a connection of the control socket makes
    /// one.
    mutating func find(
        _ address: Address, makeFor slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        if let id = model(at: address, for: slot) { return id }
        _ = try kindToMake(address, slot)
        return try make(address, for: slot)
    }

    /// The kind of the view model that a request would make. Throws if the connection must not make
    /// one, or if a limit is reached.
    mutating func kindToMake(_ address: Address, _ slot: ConnectionSlot) throws(WireError) -> KindID
    {
        guard let kind = host.kindOnDemand(at: address) else { throw unknown(address, slot) }
        switch roster.may(.make, host.traits(of: kind), at: address, slot) {
        case .allowed: break
        case .hidden: throw unknown(address, slot)
        case .refused(let refusal):
            var error = refusal.error(at: address)
            error.suggestions = suggestions(for: address.text, slot)
            throw error
        }
        guard !host.traits(of: kind).contains(.perConnection) else {
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
        _ address: Address, for slot: ConnectionSlot
    ) throws(WireError) -> ModelID {
        host.make(address)
        drain()
        guard let id = model(at: address) else {
            throw WireError(.unknownViewModel, "there is no view model \(address)")
        }
        own(id, slot)
        return id
    }
}
