import Measures

/// Processor time for each delivery, by the number of subscribers and of outstanding events.
struct FanOut {
    struct Cell: Hashable {
        let subscribers: Int
        let outstanding: Int
        var name: String { "N=\(subscribers) W=\(outstanding)" }
    }

    static let cells = [(1, 1), (64, 1), (512, 1), (1, 32), (64, 32), (512, 32), (64, 512)]
        .map { Cell(subscribers: $0.0, outstanding: $0.1) }

    let work: Work
    let systems: [String]
    private(set) var costs: [Cell: [String: Sample]] = [:]

    /// All servers run at the same time and take turns. Every second round is in reverse order, so
    /// no server always follows the same other one.
    init(_ work: Work, _ servers: [Server], _ effort: Effort) {
        self.work = work
        systems = servers.map(\.system.name)
        for cell in Self.cells {
            let groups = servers.map { Clients($0, work, subscribers: cell.subscribers) }
            var found: [String: [Double]] = [:]
            for turn in 0..<effort.repeats {
                for clients in turn.isMultiple(of: 2) ? groups : groups.reversed() {
                    found[clients.server.system.name, default: []].append(
                        clients.cost(outstanding: cell.outstanding, seconds: effort.seconds))
                }
            }
            costs[cell] = found.mapValues(Sample.init)
        }
    }

    func median(_ cell: Cell, _ system: String) -> Double? { costs[cell]?[system]?.median }

    /// The cost of busd divided by the cost of another server.
    func ratio(_ cell: Cell, to other: String) -> Double? {
        guard let ours = median(cell, "busd"), let theirs = median(cell, other) else { return nil }
        return ours / theirs
    }

    var table: Table {
        var table = Table(["µs per delivery"] + Self.cells.map(\.name))
        for system in systems {
            table.add(
                [system]
                    + Self.cells.map { cell in
                        guard let sample = costs[cell]?[system] else { return "" }
                        return spread(sample, 3)
                    })
        }
        for other in systems.dropFirst() {
            table.add(
                ["busd / \(other)"] + Self.cells.map { ratio($0, to: other).map { text($0) } ?? "" }
            )
        }
        return table
    }
}

/// How often and how long each cell is measured.
struct Effort {
    let repeats: Int
    let seconds: Double

    /// Many short turns, because the time to wake a process changes every few seconds.
    static let usual = Effort(repeats: 31, seconds: 0.06)
}
