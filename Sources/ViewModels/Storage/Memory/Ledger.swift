import BusdViewModels

/// Things as they are on disk, and what has changed since.
///
/// `kept` is what the last commit that succeeded has left on disk, packed. A thing that is needed
/// is unpacked, and changed there; a commit takes off with what the changed things have become, and
/// when it lands that is what is kept. Several may be in the air; they land in the order in which
/// they took off, or none of them does. So going back is easy: the changed things are what is kept
/// of them.
struct Ledger<Kept: Packed> {
    typealias Thing = Kept.Thing
    typealias ID = Identifier<Thing>

    private(set) var kept: [ID: Kept] = [:]
    /// How many things there are.
    private(set) var count: Int
    private(set) var nextID: ID
    private var keptNextID: ID
    /// Those that have changed, and those that were needed lately.
    private(set) var unpacked: [ID: Thing] = [:]
    /// On disk, and deleted since.
    private var deleted: Set<ID> = []
    /// Changed since the last commit took off.
    private var touched: Set<ID> = []
    /// What commits have taken along that have not landed, the oldest first.
    private var flights: [Flight] = []
    /// What of a thing will be on disk when all of them have landed.
    private var flying: [ID: (kept: Kept?, flight: Int)] = [:]
    private var lastFlight = 0

    private struct Flight {
        let number: Int
        /// Those of lower ids first.
        let writes: [Write<Kept>]
        let nextID: ID

        /// What it does to a thing.
        subscript(id: ID) -> Write<Kept>? {
            var (low, high) = (0, writes.count)
            while low < high {
                let middle = (low + high) / 2
                if writes[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low < writes.count && writes[low].id == id ? writes[low] : nil
        }
    }

    private var mostUnpacked = Kept.mostUnpacked
    /// Unpacked things that nobody needed when they became too many.
    private var idle: [ID] = []
    /// Done, or left to the next commit, since it was taken last.
    private var work = 0
    /// Kept anew since the last time that all was put side by side.
    private var scattered: Set<ID> = []

    init(_ things: [(ID, Kept)], nextID: ID) {
        kept.reserveCapacity(things.count)
        for (id, thing) in things { kept[id] = thing }
        count = kept.count
        self.nextID = nextID
        keptNextID = nextID
    }

    // MARK: Work

    mutating func note(work more: Int) { work += more }

    /// What was done since the last time, in the measure of `Packed.workToUnpack`.
    mutating func takeWork() -> Int {
        defer { work = 0 }
        return work
    }

    // MARK: Things

    /// In no order.
    var ids: [ID] {
        kept.keys.filter { !deleted.contains($0) } + unpacked.keys.filter { kept[$0] == nil }
    }

    /// `nil` where there is no such thing.
    subscript(_ id: ID) -> Thing? {
        mutating get { unpack(id).map { unpacked.values[$0] } }
    }

    mutating func create(_ thing: Thing) -> ID {
        let id = nextID
        nextID = id.next
        count += 1
        unpacked[id] = thing
        touched.insert(id)
        return id
    }

    /// False where there is no such thing.
    mutating func delete(_ id: ID) -> Bool {
        guard unpacked[id] != nil || kept[id] != nil, deleted.insert(id).inserted else {
            return false
        }
        count -= 1
        unpacked[id] = nil
        touched.insert(id)
        return true
    }

    /// What the thing has become; `nil` where there is none, or where `change` says that nothing
    /// has changed.
    mutating func change(_ id: ID, _ change: (inout Thing) -> Bool) -> Thing? {
        guard let place = unpack(id), change(&unpacked.values[place]) else { return nil }
        if touched.insert(id).inserted { work += Kept.workToPack(unpacked.values[place]) }
        return unpacked.values[place]
    }

    /// Something is to be written of it that is not the thing's own.
    mutating func touch(_ id: ID) { touched.insert(id) }

    /// Where it stands among the unpacked; `nil` where there is no such thing.
    private mutating func unpack(_ id: ID) -> [ID: Thing].Index? {
        if let place = unpacked.index(forKey: id) { return place }
        guard !deleted.contains(id), let packed = kept[id], let thing = packed.thing else {
            return nil
        }
        work += packed.workToUnpack
        letGo(most: 2)
        unpacked[id] = thing
        return unpacked.index(forKey: id)
    }

    /// To free a large book takes a millisecond, so not all go at once.
    private mutating func letGo(most: Int) {
        if idle.isEmpty, unpacked.count >= mostUnpacked {
            let needed = touched.union(flying.keys)
            idle = unpacked.keys.filter { !needed.contains($0) }
            mostUnpacked = max(Kept.mostUnpacked, 2 * needed.count)
        }
        for _ in 0..<most {
            guard let id = idle.popLast() else { return }
            if !touched.contains(id), flying[id] == nil { unpacked[id] = nil }
        }
    }

    /// Lets go of what nobody needs, and puts what has changed side by side: each was packed anew
    /// when it changed last, and lies wherever there was room then.
    ///
    /// - Parameter renew: makes each of them anew, once it has let all of them go.
    mutating func compact(_ renew: (inout [Kept]) -> Void) {
        let needed = touched.union(flying.keys)
        unpacked = unpacked.filter { needed.contains($0.key) }
        idle = []
        let ids = scattered.filter { kept[$0] != nil }.sorted()
        var things = ids.compactMap { kept.removeValue(forKey: $0) }
        renew(&things)
        for (id, thing) in zip(ids, things) { kept[id] = thing }
        scattered = []
    }

    // MARK: Commits

    var hasChanges: Bool { !touched.isEmpty }

    /// What is to be written, and the next id where that has changed.
    ///
    /// - Parameter pack: gets what will be on disk before, and the thing where it may have changed.
    mutating func takeOff(
        _ pack: (ID, Kept?, Thing?) -> Kept?
    ) -> (writes: [Write<Kept>], nextID: ID?) {
        var writes: [Write<Kept>] = []
        for id in touched.sorted() {
            let before = flying[id].map(\.kept) ?? kept[id]
            if deleted.contains(id) {
                if before != nil {
                    writes.append(.delete(id))
                } else if flying[id] == nil {
                    // It was made since the last commit, too.
                    deleted.remove(id)
                }
            } else if let packed = pack(id, before, unpacked[id]) {
                writes.append(.put(id, packed, before: before))
            }
        }
        touched = []
        let lastNextID = flights.last?.nextID ?? keptNextID
        lastFlight += 1
        for write in writes { flying[write.id] = (write.left, lastFlight) }
        flights.append(Flight(number: lastFlight, writes: writes, nextID: nextID))
        return (writes, nextID == lastNextID ? nil : nextID)
    }

    /// The commit that took off first is on disk.
    mutating func land() {
        guard !flights.isEmpty else { return }
        let flight = flights.removeFirst()
        for write in flight.writes {
            switch write {
            case .put(let id, let packed, let before):
                kept[id] = packed
                if before != nil { scattered.insert(id) }
            case .delete(let id):
                kept[id] = nil
                deleted.remove(id)
            }
            if flying[write.id]?.flight == flight.number { flying[write.id] = nil }
        }
        keptNextID = flight.nextID
        mostUnpacked = max(Kept.mostUnpacked, 2 * (touched.count + flying.count))
        letGo(most: max(2, flight.writes.count))
    }

    /// How a thing has become what it is.
    struct Past {
        /// As it is on disk.
        let kept: Thing
        /// After each commit under way that has taken it along, which are counted from the oldest;
        /// at last (`nil`) as it is, where that is none of these. Up to its end, where it has been
        /// deleted.
        fileprivate(set) var steps: [(commit: Int?, thing: Thing)] = []
    }

    /// `nil` where it is as it is on disk, or is not there.
    mutating func past(of id: ID) -> Past? {
        guard touched.contains(id) || flying[id] != nil, let packed = kept[id],
            let kept = packed.thing
        else { return nil }
        work += packed.workToUnpack
        var past = Past(kept: kept)
        for (commit, flight) in flights.enumerated() {
            guard let write = flight[id] else { continue }
            guard let left = write.left, let thing = left.thing else { return past }
            work += left.workToUnpack
            past.steps.append((commit, thing))
        }
        if touched.contains(id), let thing = unpacked[id] { past.steps.append((nil, thing)) }
        return past
    }

    /// How a thing is another again than it was.
    enum Return {
        case changed(ID)
        case restored(ID)
        case withdrawn(ID)

        var id: ID {
            switch self {
            case .changed(let id), .restored(let id), .withdrawn(let id): id
            }
        }
    }

    /// Every thing is again what is kept of it; the newest first, as if time went backwards. Ids
    /// that were given out since are given out again: nobody has been told of them.
    mutating func rollBack() -> [Return] {
        let changed = touched.union(flying.keys)
        let returns = changed.sorted(by: >).compactMap(back)
        for id in changed { unpacked[id] = nil }
        nextID = keptNextID
        count = kept.count
        flights = []
        flying = [:]
        touched = []
        deleted = []
        return returns
    }

    private func back(_ id: ID) -> Return? {
        let isShown = !deleted.contains(id) && (unpacked[id] != nil || kept[id] != nil)
        switch (isShown, kept[id] != nil) {
        case (true, true):
            // What is not unpacked has not changed itself.
            guard let thing = unpacked[id], thing != kept[id]?.thing else { return nil }
            return .changed(id)
        case (true, false): return .withdrawn(id)
        case (false, true): return .restored(id)
        case (false, false): return nil
        }
    }
}
