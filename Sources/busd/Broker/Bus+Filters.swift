import BusdProtocol

// A view with `only` gets some events of a view model. Its lines differ from the turn log in one
// way: the last event of an update that passes the filter has no `more`.

extension Bus {
    /// Assigns an event to the watchers with a filter that includes it.
    mutating func publishFiltered(_ event: Outbox.Event, _ line: EventLine) {
        let stream = roster.awake(event.model)
        guard !stream.filters.isEmpty else { return }
        let later = line.more == nil ? [] : outbox.numbersLeft(of: event.model)
        delivery.assign(line, event.number, before: later, of: stream)
    }

    /// Queues the kept lines after `seq` for a view that resumes, without the events that its
    /// filter excludes.
    mutating func enqueueMissed(of model: ModelID, after seq: Int, to slot: ConnectionSlot) {
        let only = filter(slot, model)
        let lines = roster.awake(model).lines(after: seq)
        for (index, line) in lines.enumerated() where only?.wants(line.event) ?? true {
            // An update ends with its first line that has no `more`.
            let end = lines[index...].firstIndex { $0.more == nil } ?? lines.count - 1
            let later = lines[index...end].dropFirst()
            let isLast = only.map { only in !later.contains { only.wants($0.event) } } ?? false
            enqueue(Array(isLast ? line.withoutMore : line.text), .answer, to: slot)
        }
    }
}
