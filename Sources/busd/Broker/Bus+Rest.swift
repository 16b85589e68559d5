import BusdProtocol

// A durable view model without views need not be in memory: it can be made again from its thing. A
// minute after its last event it is released, and is then only an address, as it was at the start.
// Its numbering goes on. Its thing remembers the keys of its sends.

extension Bus {
    /// Makes a view model that nobody has looked at. Others may emit, or arrive, because of it.
    mutating func wake(_ model: ModelID) {
        guard !host.isAwake(model) else { return }
        spend(Cost.wake)
        host.wake(model)
        drain()
    }

    /// A durable view model is awake: once in a while the bus looks whether it can sleep.
    mutating func watchRest(of id: ModelID) {
        guard isDurable(id), isHere(id) else { return }
        let stream = roster[id].awake()
        guard !stream.isWatchedForIdleness, stream.isUnwatched else { return }
        stream.isWatchedForIdleness = true
        stream.seqAtLastLook = stream.lastSeq
        deadlines.set(.idle(id), at: now + Self.longestIdleness)
    }

    mutating func checkRest(of id: ModelID) {
        guard let stream = roster[id].stream else { return }
        stream.isWatchedForIdleness = false
        let isQuiet = stream.lastSeq == stream.seqAtLastLook && !pending.concerns(id)
        if stream.isUnwatched, isQuiet, host.sleep(id) {
            roster[id].fallAsleep()
        } else {
            watchRest(of: id)
        }
    }
}

extension Stream {
    fileprivate var isUnwatched: Bool { watchers.isEmpty && exactWatchers == 0 }
}
