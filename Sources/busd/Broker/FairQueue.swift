import Protocol

/// Who is served next: whoever has cost the bus less.
///
/// This is start-time fair queueing. There is a clock that counts costs. What it cost to serve a
/// connection is the time at which it may come again; one that was idle meanwhile comes at the
/// present time, and has saved nothing up. So many who are greedy wait for each other, and somebody
/// who asks little waits for none of them but the one that is being served.
///
/// Small differences do not count. There, whoever has come in this turn goes first, so that a crowd
/// that has come all at once does not hold up who comes after it either.
struct FairQueue {
    private struct Entry {
        let start: Int
        let turn: Int
        let number: Int
        let slot: ConnectionSlot

        func comes(before other: Entry) -> Bool {
            let (own, others) = (start / FairQueue.grain, other.start / FairQueue.grain)
            if own != others { return own < others }
            return turn != other.turn ? turn > other.turn : number < other.number
        }
    }

    /// Costs that differ by less do not count. A connection that has just come begins with so much,
    /// so that nobody gains by coming anew.
    static let grain = 1 << 16

    private var heap = Heap<Entry> { $0.comes(before: $1) }
    private var turn = 0
    private var lastNumber = 0
    private(set) var clock = 0

    var isEmpty: Bool { heap.first == nil }

    /// What is added from now on has come later than what is there.
    mutating func beginTurn() { turn += 1 }

    /// - Parameter time: when the connection may come again.
    mutating func push(_ slot: ConnectionSlot, notBefore time: Int) {
        lastNumber += 1
        let start = max(time, clock)
        heap.push(Entry(start: start, turn: turn, number: lastNumber, slot: slot))
    }

    /// The next one, and the time at which it is served.
    mutating func pop() -> (slot: ConnectionSlot, start: Int)? {
        guard let entry = heap.pop() else { return nil }
        clock = max(clock, entry.start)
        return (entry.slot, entry.start)
    }
}
