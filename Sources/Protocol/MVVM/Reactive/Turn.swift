/// Everything that follows from one `send`.
///
/// A value goes through the operators to the handlers at once, depth first, in the order in which
/// they were connected. Only a junction, which listens to several sources (`combineLatest`,
/// `sample`, `withLatest`), waits until nothing else is under way above it. So it is told once a
/// turn, and never sees one of its sources after the event and another one before it.
struct Turn {
    private var waiting: [Junction] = []

    mutating func add(_ junction: Junction) {
        junction.isDue = true
        waiting.append(junction)
    }

    /// Tells the junctions: those upstream first, else in the order in which they were reached.
    mutating func finish() {
        while let next = waiting.indices.min(by: { waiting[$0].rank < waiting[$1].rank }) {
            let junction = waiting.remove(at: next)
            // It may have been told already, for another source or in a turn inside this one.
            guard junction.isDue else { continue }
            junction.isDue = false
            junction.tell(&self)
        }
    }
}

/// Where an operator with several sources puts them together.
final class Junction {
    let rank: Int
    let tell: (inout Turn) -> Void
    fileprivate var isDue = false

    init(rank: Int, tell: @escaping (inout Turn) -> Void) {
        self.rank = rank
        self.tell = tell
    }
}

/// Something that several closures share.
final class Shared<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
