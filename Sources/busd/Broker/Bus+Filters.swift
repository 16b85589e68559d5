import BusdProtocol

// Views that want to hear some events only: what they get is not what stands in the turn's log,
// where the update may go on with what they do not hear.

extension Bus {
    /// To those who do not get the event as it stands.
    mutating func publishSpecially(
        _ event: Outbox.Event, at place: Int, in update: borrowing Outbox.Update, line: Int,
        moreAt: Int?
    ) {
        let stream = models[event.model.slot].awake()
        guard !stream.filters.isEmpty, let number = number(of: event, in: update) else { return }
        let later = moreAt == nil ? [] : numbers(after: place, by: event.model, in: update)
        let seq = stream.lastSeq
        var lineWithoutMore: Int?
        let someLeave = !leavers.isEmpty
        let watchers = stream.watchers
        stream.changeFilters { filters in
            for index in watchers.indices where watchers[index].state == .filtered {
                guard let only = filters[index]?.only, only.wants(number) else { continue }
                let slot = watchers[index].connection
                if someLeave, !connections[slot].isHearing { continue }
                var own = line
                if let moreAt, !later.contains(where: only.wants) {
                    own = lineWithoutMore ?? writeAgain(line, withoutMoreAt: moreAt)
                    lineWithoutMore = own
                }
                let last = filters[index]?.lastSeq ?? seq - 1
                if last != seq - 1 { connections[slot].previous.append((own, last)) }
                filters[index]?.lastSeq = seq
                assign(own, to: slot)
            }
        }
    }

    /// What the view model says later in this update.
    private func numbers(
        after place: Int, by model: ModelID, in update: borrowing Outbox.Update
    ) -> [Int] {
        var numbers: [Int] = []
        for entry in update.entries[(place + 1)...] {
            guard case .said(let event) = entry, event.model == model,
                let number = number(of: event, in: update)
            else { continue }
            numbers.append(number)
        }
        return numbers
    }

    private func number(of event: Outbox.Event, in update: borrowing Outbox.Update) -> Int? {
        host.eventNumbers[ExactText(Snapshot.name(of: update.json(of: event)))]
    }

    private mutating func writeAgain(_ line: Int, withoutMoreAt moreAt: Int) -> Int {
        let text = More.removed(from: turn.text(of: line).dropLast(), at: moreAt)
        noteRun()
        return turn.add(Text(text), turn.origin(of: line))
    }

    /// The events that a view has missed while it was away.
    mutating func tellLines(of model: ModelID, after seq: Int, to slot: ConnectionSlot) {
        let only = filter(slot, model)
        let lines = models[model.slot].awake().lines(after: seq)
        let names = only == nil ? [] : lines.map { eventName(in: $0.line) }
        for (index, (line, moreAt)) in lines.enumerated() {
            guard let only else {
                say(Array(line), .answer, to: slot)
                continue
            }
            guard only.contains(names[index]) else { continue }
            // An update ends with its first line that has no `more`.
            let end = lines[index...].firstIndex { $0.moreAt == nil } ?? lines.count - 1
            let isLast = index == end || !names[(index + 1)...end].contains(where: only.contains)
            let text =
                if let moreAt, isLast { More.removed(from: line, at: moreAt) } else { Array(line) }
            say(text, .answer, to: slot)
        }
    }

    private func eventName(in line: ArraySlice<UInt8>) -> ExactText {
        // The event is the last member, and no text before it can hold this.
        let mark = Array(#""event":"#.utf8)
        var rest = line
        while !rest.isEmpty, !rest.starts(with: mark) { rest = rest.dropFirst() }
        return ExactText(Snapshot.name(of: rest.dropFirst(mark.count)))
    }
}

/// The mark of an event that is not the last of its update.
enum More {
    static let json: StaticString = #""more":true,"#

    static func removed(from line: ArraySlice<UInt8>, at place: Int) -> [UInt8] {
        Array(line.prefix(place) + line.dropFirst(place + json.utf8CodeUnitCount))
    }
}
