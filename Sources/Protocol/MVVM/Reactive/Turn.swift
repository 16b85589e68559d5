/// All consequences of one `send`.
///
/// A value passes the operators to the handlers at once, depth first, in the order in which they
/// were connected. Only a junction, which joins the values of several sources (`combineLatest`,
/// `sample`, `withLatest`), waits until no more values are on their way to it. So a junction emits
/// once per turn, and never joins a new value of one source with an old value of another.
///
/// A `send` inside a handler is a turn of its own, which is over when it returns. If the same
/// channel is still sending another value, the new value waits instead until all handlers have
/// handled that value. A junction that both turns have reached emits in the inner turn.
@usableFromInline struct Turn {
    @usableFromInline var waiting: [Junction] = []

    @inlinable init() {}

    mutating func add(_ junction: Junction) {
        junction.isDue = true
        waiting.append(junction)
    }

    @inlinable mutating func finish() {
        if !waiting.isEmpty { emitJunctions() }
    }

    /// Upstream junctions first; those of equal rank in the order in which they were reached.
    @usableFromInline mutating func emitJunctions() {
        while let next = waiting.indices.min(by: { waiting[$0].rank < waiting[$1].rank }) {
            let junction = waiting.remove(at: next)
            // It may have emitted already, for another source or in an inner turn.
            guard junction.isDue else { continue }
            junction.isDue = false
            junction.emit(&self)
        }
    }
}

/// Joins the sources of an operator that has several.
@usableFromInline final class Junction {
    let rank: Int
    let emit: (inout Turn) -> Void
    fileprivate var isDue = false

    init(rank: Int, emit: @escaping (inout Turn) -> Void) {
        self.rank = rank
        self.emit = emit
    }
}

/// The rank of a combination of both.
func rank<A, B>(below a: BindingSource<A>, _ b: BindingSource<B>) -> Int {
    max(a.channel.rank, b.channel.rank) + 1
}

/// A variable that several closures share.
final class Shared<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
