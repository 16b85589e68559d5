import Protocol

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
        stream.seqAtLastLook = stream.history.lastSeq
        deadlines.set(.idle(id), at: now + Self.longestIdleness)
    }

    mutating func checkRest(of id: ModelID) {
        guard let stream = models[id.slot].stream else { return }
        stream.isWatchedForIdleness = false
        let isQuiet = stream.history.lastSeq == stream.seqAtLastLook && !held.knows(id)
        if stream.isUnwatched, isQuiet, host.sleep(id) {
            resting.keep(models[id.slot].sleep(), of: id, in: &models)
        } else {
            watchRest(of: id)
        }
    }
}

extension Stream {
    fileprivate var isUnwatched: Bool { members.isEmpty && exactMembers == 0 }
}

/// The last events of a view model that sleeps, until it wakes or they are forgotten.
final class Rest {
    private var history: History
    var lastSeq: Int { history.lastSeq }
    /// Bytes.
    let cost: Int

    init(_ history: History) {
        self.history = history.compacted()
        cost = history.cost
    }

    func take() -> History {
        defer { history = History(lastSeq: history.lastSeq) }
        return history
    }
}

/// The last events of view models that sleep. Those that have slept longest are forgotten first.
///
/// They are few, because what is small, lives long, and came to lie among what is gone keeps the
/// allocator from giving memory back.
struct RestingHistories {
    static let most = 16
    static let mostBytes = 1 << 20

    private var rests: [(rest: Rest, model: ModelID)] = []
    private var first = 0
    private var bytes = 0

    mutating func keep(_ rest: Rest?, of model: ModelID, in models: inout [Model]) {
        guard let rest else { return }
        rests.append((rest, model))
        bytes += rest.cost
        while bytes > Self.mostBytes || rests.count - first > Self.most {
            let oldest = rests[first]
            models[oldest.model.slot].forget(oldest.rest)
            bytes -= oldest.rest.cost
            first += 1
        }
        if first > rests.count / 2 {
            rests.removeFirst(first)
            first = 0
        }
    }
}
