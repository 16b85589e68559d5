import BusdProtocol

// A view with `only` gets some events of a view model. Its lines differ from the turn log in one
// way: the last event of an update that passes the filter has no `more`.

extension Bus {
    /// Assigns an event to the watchers with a filter that includes it.
    mutating func publishFiltered(_ event: Outbox.Event, _ line: EventLine) {
        let stream = roster.awake(event.model)
        guard !stream.filters.isEmpty, let number = number(of: event) else { return }
        let later = line.moreAt == nil ? [] : outbox.eventsLeft(of: event.model)
        delivery.assign(
            line, number: number, before: later.compactMap { self.number(of: $0) }, of: stream)
    }

    /// The number of an event, as in `ViewModelHost.eventNumbers`.
    private func number(of event: Outbox.Event) -> Int? {
        host.eventNumbers[ExactText(Snapshot.name(of: outbox.json(of: event)))]
    }

    /// Queues the kept lines after `seq` for a view that resumes, without the events that its
    /// filter excludes.
    mutating func enqueueMissed(of model: ModelID, after seq: Int, to slot: ConnectionSlot) {
        let only = filter(slot, model)
        let lines = roster.awake(model).lines(after: seq)
        let names = only == nil ? [] : lines.map { eventName(in: $0.line) }
        for (index, (line, moreAt)) in lines.enumerated() {
            guard let only else {
                enqueue(Array(line), .answer, to: slot)
                continue
            }
            guard only.contains(names[index]) else { continue }
            // An update ends with its first line that has no `more`.
            let end = lines[index...].firstIndex { $0.moreAt == nil } ?? lines.count - 1
            let isLast = index == end || !names[(index + 1)...end].contains(where: only.contains)
            let text =
                if let moreAt, isLast { More.removed(from: line, at: moreAt) } else { Array(line) }
            enqueue(text, .answer, to: slot)
        }
    }

    private func eventName(in line: ArraySlice<UInt8>) -> ExactText {
        // The event is the last member. No text before it can contain this, because quotes are
        // escaped.
        let mark = Array(#""event":"#.utf8)
        var rest = line
        while !rest.isEmpty, !rest.starts(with: mark) { rest = rest.dropFirst() }
        return ExactText(Snapshot.name(of: rest.dropFirst(mark.count)))
    }
}
