// A combination emits once per turn, even if several of its sources emit; see `Turn`.

extension Signal {
    /// The newest values of all signals, after each value of any of them. Nothing before all have
    /// emitted.
    public static func combineLatest<B>(
        _ a: Signal<Value>, _ b: Signal<B>
    ) -> Signal<(Value, B)> {
        let result = Signal<(Value, B)>(rank: rank(below: a, b))
        combine(a, b, into: result)
        return result
    }

    /// The newest values of all signals, after each value of any of them. Nothing before all have
    /// emitted.
    public static func combineLatest<B, C>(
        _ a: Signal<Value>, _ b: Signal<B>, _ c: Signal<C>
    ) -> Signal<(Value, B, C)> {
        Signal<(Value, B)>.combineLatest(combineLatest(a, b), c).map { ($0.0, $0.1, $1) }
    }

    /// The newest values of all signals, after each value of any of them. Nothing before all have
    /// emitted.
    public static func combineLatest<B, C, D>(
        _ a: Signal<Value>, _ b: Signal<B>, _ c: Signal<C>, _ d: Signal<D>
    ) -> Signal<(Value, B, C, D)> {
        Signal<(Value, B, C)>.combineLatest(combineLatest(a, b, c), d)
            .map { ($0.0, $0.1, $0.2, $1) }
    }
}

extension Property {
    /// The current values of all properties.
    public static func combineLatest<B>(
        _ a: Property<Value>, _ b: Property<B>
    ) -> Property<(Value, B)> {
        let result = Property<(Value, B)>((a.value, b.value), rank: rank(below: a, b))
        combine(a, b, into: result)
        return result
    }

    /// The current values of all properties.
    public static func combineLatest<B, C>(
        _ a: Property<Value>, _ b: Property<B>, _ c: Property<C>
    ) -> Property<(Value, B, C)> {
        Property<(Value, B)>.combineLatest(combineLatest(a, b), c).map { ($0.0, $0.1, $1) }
    }

    /// The current values of all properties.
    public static func combineLatest<B, C, D>(
        _ a: Property<Value>, _ b: Property<B>, _ c: Property<C>, _ d: Property<D>
    ) -> Property<(Value, B, C, D)> {
        Property<(Value, B, C)>.combineLatest(combineLatest(a, b, c), d)
            .map { ($0.0, $0.1, $0.2, $1) }
    }
}

private func combine<A, B>(
    _ a: BindingSource<A>, _ b: BindingSource<B>, into result: BindingSource<(A, B)>
) {
    let next = result.channel
    let (newestA, newestB) = (Shared(a.currentValue), Shared(b.currentValue))
    let junction = Junction(rank: next.rank) { turn in
        if let a = newestA.value, let b = newestB.value { next.send((a, b), &turn) }
    }
    a.feed(result) { value, _, turn in
        newestA.value = value
        turn.add(junction)
    }
    b.feed(result) { value, _, turn in
        newestB.value = value
        turn.add(junction)
    }
}
