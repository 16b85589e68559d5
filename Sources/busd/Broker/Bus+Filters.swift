import Protocol

// Views that want to hear some events only: what they get is not what stands in the turn's log,
// where the update may go on with what they do not hear.

extension Bus {
    /// To those who do not get the event as it stands.
    mutating func publishSpecially(
        _ event: Outbox.Event, at place: Int, in update: borrowing Outbox.Update, line: Int,
        moreAt: Int?
    ) {
        let name = Snapshot.name(of: update.json(of: event))
        let seq = models[event.model.slot].seq
        var lineWithoutMore: Int?
        for member in models[event.model.slot].members where !member.isPlain && !member.isStalled {
            let slot = member.connection
            guard let view = connections[slot].special[event.model], view.stall == nil,
                view.only?.names.contains(name) ?? true
            else { continue }
            var own = line
            if let moreAt, let only = view.only?.names,
                !saysMore(event.model, only, after: place, update)
            {
                own = lineWithoutMore ?? writeAgain(line, withoutMoreAt: moreAt)
                lineWithoutMore = own
            }
            connections[slot].previous.append((own, view.lastSeq))
            connections[slot].special[event.model]?.lastSeq = seq
            assign(own, to: slot)
        }
    }

    /// Whether the view model says more in this update of what the view wants to hear.
    private func saysMore(
        _ model: ModelID, _ only: Set<String>, after place: Int,
        _ update: borrowing Outbox.Update
    ) -> Bool {
        for entry in update.entries[(place + 1)...] {
            guard case .said(let event) = entry, event.model == model else { continue }
            if only.contains(Snapshot.name(of: update.json(of: event))) { return true }
        }
        return false
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

    private func eventName(in line: ArraySlice<UInt8>) -> String {
        // The event is the last member, and no text before it can hold this.
        let mark = Array(#""event":"#.utf8)
        var rest = line
        while !rest.isEmpty, !rest.starts(with: mark) { rest = rest.dropFirst() }
        return Snapshot.name(of: rest.dropFirst(mark.count))
    }
}

/// The mark of an event that is not the last of its update.
enum More {
    static let json: StaticString = #""more":true,"#

    static func removed(from line: ArraySlice<UInt8>, at place: Int) -> [UInt8] {
        Array(line.prefix(place) + line.dropFirst(place + json.utf8CodeUnitCount))
    }
}
