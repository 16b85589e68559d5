import BusdProtocol

/// The last long snapshots, each with the `seq` for which it is current.
struct KeptSnapshots {
    /// All are removed this long after the first of them was kept.
    static let time: Duration = .seconds(2)
    /// Number of snapshots.
    private static let most = 4

    /// Shortest snapshot that is kept, in bytes.
    let least: Int
    /// Shortest value that is shared, in bytes.
    let leastShared: Int
    private var all: [(model: ModelID, seq: Int, snapshot: Snapshot)] = []

    init(least: Int = 1 << 14, leastShared: Int = 1 << 12) {
        self.least = least
        self.leastShared = leastShared
    }

    var isEmpty: Bool { all.isEmpty }

    func find(_ model: ModelID, _ seq: Int) -> Snapshot? {
        all.first { $0.model == model && $0.seq == seq }?.snapshot
    }

    mutating func keep(_ snapshot: Snapshot, of model: ModelID, _ seq: Int) {
        all.removeAll { $0.model == model }
        if all.count == Self.most { all.removeFirst() }
        all.append((model, seq, snapshot))
    }

    mutating func removeAll() { all = [] }
}
