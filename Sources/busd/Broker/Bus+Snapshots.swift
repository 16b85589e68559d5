import BusdProtocol

// Encoding a long snapshot takes long, and many connections may join at once. So the last long
// snapshots are kept for up to two seconds (`KeptSnapshots`). A kept snapshot is current if the
// `seq` of its view model has not changed.

extension Bus {
    mutating func snapshot(of model: ModelID) -> Snapshot {
        if let kept = kept.find(model, roster[model].seq) { return kept }
        wake(model)
        var isReport = false
        let snapshot = host.snapshot(of: model) {
            isReport = true
            return report(to: model)
        }
        // Waking a view model may have created others.
        drain()
        if isHere(model) { roster[model].stream?.noteShown(length: snapshot.length) }
        watchRest(of: model)
        if isReport {
            spend(Cost.reportedByte * snapshot.length)
            // A report can change without an event, so only a watched one is kept: its watchers are
            // sent each change soon, so it is never older than the last report sent.
            guard snapshot.length >= kept.least, watched(model) != nil else { return snapshot }
        }
        spend(Cost.encodedByte * snapshot.length)
        // Its events in the outbox have no `seq` yet, but the snapshot contains their changes. So
        // it would be kept under a `seq` that is too low.
        return snapshot.length < kept.least || outbox.hasEvents(of: model)
            ? snapshot : keep(snapshot, of: model)
    }

    private mutating func keep(_ snapshot: Snapshot, of model: ModelID) -> Snapshot {
        var snapshot = snapshot
        snapshot.share(budget.shared, from: kept.leastShared)
        if kept.isEmpty { deadlines.set(.keptSnapshots, at: now + KeptSnapshots.time) }
        kept.keep(snapshot, of: model, roster[model].seq)
        return snapshot
    }

    /// The lines of the snapshot, without LF. Together they are one update.
    mutating func snapshotLines(of model: ModelID, for slot: ConnectionSlot) -> [Text] {
        let snapshot = snapshot(of: model)
        let shown = snapshot.indices(wanted: filter(slot, model))
        let start = roster.awake(model).lineStart
        let seq = roster[model].seq
        return shown.map { index in
            var line = Text(start)
            line.append(decimal: seq)
            line.append(#","snapshot":true,"#)
            if index != shown.last { line.append(More.mark) }
            line.append(#""event":"#)
            line.append(snapshot.events[index], snapshot.shared(index))
            line.append("}")
            return line
        }
    }

    /// Everything up to the current `seq` is sent or queued. Returns the position for `live`.
    mutating func noteLive(_ model: ModelID, to slot: ConnectionSlot) -> Position {
        noteShown(model, slot)
        return position(of: model)
    }
}
