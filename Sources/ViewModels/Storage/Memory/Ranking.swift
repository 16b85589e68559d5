import BusdViewModels

/// The order of the books, as a number for each: a move changes the number of one alone.
struct Ranking {
    /// In their order.
    private(set) var ids: [BookID]
    private var ranks: [BookID: Int] = [:]

    /// Between neighbours. It is halved by each move to the same place, so all are numbered anew
    /// after 32 of them.
    private static let gap = 1 << 32

    init(_ ranked: some Sequence<(BookID, Int)>) {
        let ranked = ranked.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        ids = ranked.map(\.0)
        for (id, rank) in ranked { ranks[id] = rank }
    }

    func rank(of id: BookID) -> Int { ranks[id] ?? 0 }

    // Each returns the books that have another rank afterwards.

    mutating func append(_ id: BookID) -> [BookID] { insert(id, at: ids.count) }

    /// None where the book is there already, or is not there at all, or there is no such place.
    mutating func move(_ id: BookID, to place: Int) -> [BookID] {
        guard ids.indices.contains(place), let from = ids.firstIndex(of: id), from != place else {
            return []
        }
        ids.remove(at: from)
        return insert(id, at: place)
    }

    mutating func remove(_ id: BookID) {
        ids.removeAll { $0 == id }
        ranks[id] = nil
    }

    private mutating func insert(_ id: BookID, at place: Int) -> [BookID] {
        let before = place > 0 ? rank(of: ids[place - 1]) : nil
        let after = place < ids.count ? rank(of: ids[place]) : nil
        ids.insert(id, at: place)
        if let rank = Self.rank(between: before, and: after) {
            ranks[id] = rank
            return [id]
        }
        for (place, id) in ids.enumerated() { ranks[id] = (place + 1) * Self.gap }
        return ids
    }

    /// `nil` where there is none.
    private static func rank(between low: Int?, and high: Int?) -> Int? {
        guard let low, let high else {
            guard let next = low ?? high else { return gap }
            let (rank, isTooFar) = next.addingReportingOverflow(low == nil ? -gap : gap)
            return isTooFar ? nil : rank
        }
        let middle = low / 2 + high / 2
        return low < middle && middle < high ? middle : nil
    }
}
