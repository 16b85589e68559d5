import BusdProtocol

// A durable view model without views need not be in memory: it can be made again from its thing. A
// minute after its last event it is released, and is then only an address, as it was at the start.
// Its numbering continues. Its thing remembers the keys of its sends.

extension Bus {
    /// Makes a view model that is not in memory. Other view models may emit or arrive because of
    /// this.
    mutating func wake(_ model: ModelID) {
        guard !host.isAwake(model) else { return }
        spend(Cost.wake)
        _ = host.make(model, roster[model].kind, at: roster[model].address)
        drain()
    }

    /// Sets the deadline at which the bus checks whether a durable view model without views can
    /// sleep.
    mutating func watchRest(of id: ModelID) {
        guard isDurable(id), isHere(id) else { return }
        let stream = roster.awake(id)
        guard !stream.isWatchedForIdleness, stream.isUnwatched else { return }
        stream.watchForIdleness()
        deadlines.set(.idle(id), at: now + Self.longestIdleness)
    }

    /// The deadline is due: the view model sleeps if it has had no view and no event since it was
    /// set.
    mutating func checkRest(of id: ModelID) {
        guard let stream = roster[id].stream else { return }
        let isQuiet = stream.lookAtIdleness() && !pending.concerns(id)
        if stream.isUnwatched, isQuiet, host.sleep(id) {
            roster.fallAsleep(id)
        } else {
            watchRest(of: id)
        }
    }
}
