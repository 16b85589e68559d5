import BusdProtocol

// A view with `only` gets some events of a view model. Its lines differ from the turn log in one
// way: the last event of an update that passes the filter has no `more`.

extension Bus {
    /// Assigns an event to the watchers with a filter that includes it.
    mutating func publishFiltered(
        _ event: Outbox.Event, at place: Int, in update: borrowing Outbox.Update,
        _ line: EventLine
    ) {
        let stream = roster[event.model].awake()
        guard !stream.filters.isEmpty, let number = number(of: event, in: update) else { return }
        let later = line.moreAt == nil ? [] : numbers(after: place, by: event.model, in: update)
        delivery.assign(line, number: number, before: later, of: stream)
    }

    /// Numbers of the events that the view model emits later in this update.
    private func numbers(
        after place: Int, by model: ModelID, in update: borrowing Outbox.Update
    ) -> [Int] {
        var numbers: [Int] = []
        for entry in update.entries[(place + 1)...] {
            guard case .emitted(let event) = entry, event.model == model,
                let number = number(of: event, in: update)
            else { continue }
            numbers.append(number)
        }
        return numbers
    }

    /// The number of an event, as in `ViewModelHost.eventNumbers`.
    private func number(of event: Outbox.Event, in update: borrowing Outbox.Update) -> Int? {
        host.eventNumbers[ExactText(Snapshot.name(of: update.json(of: event)))]
    }

    /// Queues the kept lines after `seq` for a view that resumes, without the events that its
    /// filter excludes.
    mutating func enqueueMissed(of model: ModelID, after seq: Int, to slot: ConnectionSlot) {
        let only = filter(slot, model)
        let lines = roster[model].awake().lines(after: seq)
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
