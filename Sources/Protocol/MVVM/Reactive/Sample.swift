extension BindingSource {
    /// The newest value of this source with each value of the sampler; nothing before this source
    /// has a value. If one event causes both, the pair has both new values.
    public func sample<Trigger>(with sampler: Signal<Trigger>) -> Signal<(Value, Trigger)> {
        let result = Signal<(Value, Trigger)>(rank: rank(below: self, sampler))
        let next = result.channel
        let newest = Shared(currentValue)
        let triggers = Shared<[Trigger]>([])
        let junction = Junction(rank: next.rank) { turn in
            let due = triggers.value
            triggers.value = []
            guard let value = newest.value else { return }
            for trigger in due { next.send((value, trigger), &turn) }
        }
        feed(result) { value, _, _ in newest.value = value }
        sampler.feed(result) { trigger, _, turn in
            triggers.value.append(trigger)
            turn.add(junction)
        }
        return result
    }

    /// The newest value of this source each time that the sampler emits; nothing before this source
    /// has a value.
    public func sample<Trigger>(on sampler: Signal<Trigger>) -> Signal<Value> {
        sample(with: sampler).map { value, _ in value }
    }
}

extension Signal {
    /// Each value, with the newest value of the other source; nothing before the other has a value.
    public func withLatest<Other>(from other: BindingSource<Other>) -> Signal<(Value, Other)> {
        other.sample(with: self).map { ($1, $0) }
    }
}
