extension BindingSource {
    /// The newest value and the sampler's, whenever the sampler has one; nothing before there is a
    /// newest value. What the same event does to both is complete by then.
    public func sample<Trigger>(with sampler: Signal<Trigger>) -> Signal<(Value, Trigger)> {
        let result = Signal<(Value, Trigger)>(rank: rank(below: self, sampler))
        let next = result.channel
        let newest = Shared(present)
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

    /// The newest value, whenever the sampler has one; nothing before there is a newest value.
    public func sample<Trigger>(on sampler: Signal<Trigger>) -> Signal<Value> {
        sample(with: sampler).map { value, _ in value }
    }
}

extension Signal {
    /// Each value, with the newest one of the other source; nothing before there is one.
    public func withLatest<Other>(from other: BindingSource<Other>) -> Signal<(Value, Other)> {
        other.sample(with: self).map { ($1, $0) }
    }
}
