import BusdProtocol

// View models that belong to one connection (`Placement.perConnection`). The first `subscribe`,
// `get` or `send` of a control connection makes one, and makes the connection its owner. Only its
// owner may send it events and keeps it alive: it ends with the owner's connection, or when the
// owner has not used it for a minute. Other connections may watch it.
//
// A connection owns at most `limits.perConnection` of them. They do not count for
// `limits.onDemand`, so clients that reach that limit cannot prevent a login.

extension Model {
    var countsOnDemand: Bool { isOnDemand && !isPerConnection }
}

extension Bus {
    mutating func checkMayOwnMore(_ slot: ConnectionSlot) throws(WireError) {
        guard roster.countOwn(of: slot) < limits.perConnection else {
            throw WireError(
                .overloaded,
                "this connection has \(limits.perConnection) view models of its own: "
                    + "use one of them (limit perConnection)")
        }
    }

    /// Makes the connection the owner of a view model that it has just made.
    mutating func own(_ model: ModelID, _ slot: ConnectionSlot) {
        if roster[model].isPerConnection { roster.own(model, slot) }
    }

    mutating func dropOwn(of slot: ConnectionSlot) {
        for model in roster[slot].own where isHere(model) { outbox.append(ended: model) }
    }
}
