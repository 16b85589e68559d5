import BusdProtocol

// A durable view model that nobody watches need not be in memory: it can be made again out of what
// is on disk. So it is put to sleep when it has said nothing for a minute, and is then what it was
// before somebody first looked: an address. What goes on is its numbering. Its keys are on disk,
// and are read again with the next `send` that has one. Its last events are remembered as long as
// those of all who sleep do not take much room.

extension Bus {
    /// A durable view model is awake: once in a while the bus looks whether it can sleep.
    mutating func watchRest(of id: ModelID) {
        guard let stream = models[id.slot].stream, !stream.isWatchedForIdleness,
            journal != nil, isDurable(id), stream.isUnwatched
        else { return }
        stream.isWatchedForIdleness = true
        stream.seqAtLastLook = stream.lastSeq
        deadlines.set(.idle(id), at: now + Self.longestIdleness)
    }

    mutating func checkRest(of id: ModelID) {
        guard let stream = models[id.slot].stream else { return }
        stream.isWatchedForIdleness = false
        let isQuiet = stream.lastSeq == stream.seqAtLastLook && !held.knows(id)
        if stream.isUnwatched, isQuiet, host.sleep(id) {
            models[id.slot].sleep()
        } else {
            watchRest(of: id)
        }
    }
}

extension Stream {
    fileprivate var isUnwatched: Bool { members.isEmpty && exactMembers == 0 }
}
