extension Property {
    /// A property of the transformed value.
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> Property<Result> {
        let next = Cell(transform(value), rank: channel.rank)
        feed(next) { next.send(transform($0), &$1) }
        return Property<Result>(next)
    }

    /// A property that tells only changes to a value that is not like the one before.
    public func skipRepeats(_ isLike: @escaping (Value, Value) -> Bool) -> Property {
        let next = Cell(value, rank: channel.rank)
        feed(next) { value, turn in
            if !isLike(next.value, value) { next.send(value, &turn) }
        }
        return Property(next)
    }
}

extension Property where Value: Equatable {
    /// A property that tells only changes to a value that is not equal to the one before.
    public func skipRepeats() -> Property { skipRepeats(==) }
}
