extension Signal {
    /// Each value, transformed.
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
        derived { value, next, turn in next.send(transform(value), &turn) }
    }

    /// The values that satisfy the predicate.
    public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal {
        derived { value, next, turn in if isIncluded(value) { next.send(value, &turn) } }
    }

    /// Each value, transformed, without the results that are `nil`.
    public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
        derived { value, next, turn in
            if let result = transform(value) { next.send(result, &turn) }
        }
    }

    /// The accumulated result, after each value.
    public func scan<Result>(
        _ initial: Result, _ gather: @escaping (Result, Value) -> Result
    ) -> Signal<Result> {
        let gathered = Shared(initial)
        return derived { value, next, turn in
            gathered.value = gather(gathered.value, value)
            next.send(gathered.value, &turn)
        }
    }

    /// The values that are not like the last emitted one. The first value is always emitted.
    public func skipRepeats(_ isLike: @escaping (Value, Value) -> Bool) -> Signal {
        let last = Shared<Value?>(nil)
        return derived { value, next, turn in
            if let last = last.value, isLike(last, value) { return }
            last.value = value
            next.send(value, &turn)
        }
    }

    /// The values of all the signals, in the order in which they are sent.
    public static func merge(_ signals: Signal...) -> Signal {
        let result = Signal(rank: signals.map(\.channel.rank).max() ?? 0)
        for signal in signals { signal.feed(result) { $1.send($0, &$2) } }
        return result
    }

    private func derived<Result>(
        _ step: @escaping (Value, Channel<Result>, inout Turn) -> Void
    ) -> Signal<Result> {
        let result = Signal<Result>(rank: channel.rank)
        feed(result, step)
        return result
    }
}

extension Signal where Value: Equatable {
    /// The values that are not equal to the last emitted one. The first value is always emitted.
    public func skipRepeats() -> Signal { skipRepeats(==) }
}
