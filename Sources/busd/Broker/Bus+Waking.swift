import BusdProtocol

// A view model is made when somebody needs it. A durable one is made of what is on disk, however
// far the disk is behind, so nobody waits for that. Then it is told what the commits under way make
// of it, one after the other, and what has changed since; what it says of each is held until that
// commit has landed. There it stands before all else: who is answered has been shown it. It has no
// cause: several sends may have become one event. None of theirs hears it so (PROTOCOL.md).
//
// One that is about to end is made in the same way, once, and goes again: its values are noted, and
// what it says before its end is held. If the end is taken back, it is made anew when it is needed.

extension Bus {
    /// Who wakes may make others speak, or come. That is over before somebody joins.
    mutating func wake(_ model: ModelID) {
        guard !host.isAwake(model) else { return }
        guard let journal, isDurable(model) else {
            spend(Cost.wake)
            _ = host.present(of: model)
            return drain()
        }
        guard held.isEnding(model) else { return wake(model, journal) }
        // What was awake has left its values.
        guard models[model.slot].stream?.present == nil else { return }
        host.revive(model) { wake(model, journal) }
    }

    private mutating func wake(_ model: ModelID, _ journal: any Journal) {
        journal.asOnDisk(models[model.slot].address) {
            spend(Cost.wake)
            note(host.present(of: model), of: model)
            drain()
        } then: { commit in
            spend(Cost.wake)
            guard let said = outbox.take() else { return }
            held.insert(said, into: commit, (model, host.present(of: model)))
        }
        spendWork(of: journal)
    }

    /// Counts what was done for view models that needed something large.
    @inline(__always)
    mutating func spendWork(of journal: any Journal) {
        let work = journal.takeWork()
        if work > 0 { spend(work) }
    }
}
