extension Property {
    /// A property of the transformed value.
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> Property<Result> {
        let result = Property<Result>(transform(value), rank: channel.rank)
        feed(result) { $1.send(transform($0), &$2) }
        return result
    }

    /// A property that drops values like the last one that it emitted.
    public func skipRepeats(_ isLike: @escaping (Value, Value) -> Bool) -> Property {
        let result = Property(value, rank: channel.rank)
        let last = Shared(value)
        feed(result) { value, next, turn in
            guard !isLike(last.value, value) else { return }
            last.value = value
            next.send(value, &turn)
        }
        return result
    }
}

extension Property where Value: Equatable {
    /// A property that drops values equal to the last one that it emitted.
    public func skipRepeats() -> Property { skipRepeats(==) }
}
