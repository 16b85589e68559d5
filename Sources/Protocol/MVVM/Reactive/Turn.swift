/// Everything that follows from one `send`.
///
/// A value goes through the operators to the handlers at once, depth first, in the order in which
/// they were connected. Only a junction, where values of several sources come together
/// (`combineLatest`, `sample`, `withLatest`), waits until nothing is under way to it any more. So
/// it speaks once a turn, and never of one source after the event and of another before it.
///
/// A `send` inside a handler is a turn of its own, and over when it returns; but what is being
/// heard is heard by all first. A junction that both turns have reached speaks in the inner one.
@usableFromInline struct Turn {
    @usableFromInline var waiting: [Junction] = []

    @inlinable init() {}

    mutating func add(_ junction: Junction) {
        junction.isDue = true
        waiting.append(junction)
    }

    @inlinable mutating func finish() {
        if !waiting.isEmpty { tellJunctions() }
    }

    /// Those upstream first, else in the order in which they were reached.
    @usableFromInline mutating func tellJunctions() {
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
@usableFromInline final class Junction {
    let rank: Int
    let tell: (inout Turn) -> Void
    fileprivate var isDue = false

    init(rank: Int, tell: @escaping (inout Turn) -> Void) {
        self.rank = rank
        self.tell = tell
    }
}

/// The rank of what is made of both.
func rank<A, B>(below a: BindingSource<A>, _ b: BindingSource<B>) -> Int {
    max(a.channel.rank, b.channel.rank) + 1
}

/// Something that several closures share.
final class Shared<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
