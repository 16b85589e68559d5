import BusdProtocol

/// Who is served next: whoever has cost the bus less.
///
/// This is start-time fair queueing. There is a clock that counts costs. What it cost to serve a
/// connection is the time at which it may come again; one that was idle meanwhile comes at the
/// present time, and has saved nothing up. When nobody waits, all that was owed is forgiven. So
/// many who are greedy wait for each other, and somebody who asks little waits for none of them but
/// the one that is being served.
///
/// Everybody has a small credit, so that little differences do not count. Among those who are
/// within it, whoever has come in this turn goes first: a crowd that has come all at once does not
/// hold up who comes after it either.
///
/// All this is about what has been done for whom. It can't know what is still to come: where
/// thousands wait for whom nothing has been done yet, each goes before somebody who asks little but
/// often, and is beyond the credit. So to serve all of them once has to be short. The bus has two
/// queues, and in the one where a wait counts, nobody is served for long (Bus+Jobs.swift).
struct FairQueue {
    private struct Entry {
        let start: Int
        let turn: Int
        let number: Int
        let slot: ConnectionSlot
        /// The start, had there been no credit.
        let owed: Int

        func comes(before other: Entry) -> Bool {
            let (own, others) = (start / FairQueue.grain, other.start / FairQueue.grain)
            if own != others { return own < others }
            return turn != other.turn ? turn > other.turn : number < other.number
        }
    }

    /// How much a connection may have cost more than its share and still come at once.
    static let credit = 1 << 18

    /// Starts that differ by less are the same.
    static let grain = 1 << 16

    private var heap = Heap<Entry> { $0.comes(before: $1) }
    private var turn = 0
    private var lastNumber = 0
    private var clock = 0
    /// The latest time at which somebody may come again.
    private var latest = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// When a connection that has just come may be served. It has more to make up for than who is
    /// there, so that nobody gains by coming anew.
    var timeOfNewcomers: Int { (clock / Self.grain + 1) * Self.grain + Self.credit }

    /// What is added from now on has come later than what is there.
    mutating func beginTurn() { turn += 1 }

    /// - Parameter time: when the connection may come again.
    mutating func push(_ slot: ConnectionSlot, notBefore time: Int) {
        lastNumber += 1
        count += 1
        heap.push(
            Entry(
                start: max(time - Self.credit, clock), turn: turn, number: lastNumber, slot: slot,
                owed: max(time, clock)))
    }

    /// The next one, and the time from which on its costs are counted.
    mutating func pop() -> (slot: ConnectionSlot, start: Int)? {
        guard let entry = heap.pop() else { return nil }
        count -= 1
        clock = max(clock, entry.start)
        return (entry.slot, entry.owed)
    }

    /// Somebody has been served. Returns when they may come again.
    mutating func charge(_ cost: Int, from start: Int) -> Int {
        latest = max(latest, start + cost)
        return start + cost
    }

    /// Nobody waits, here or to be put here: nobody has been served at the expense of another.
    mutating func forgive() { clock = max(clock, latest) }
}
