import Protocol

// The way of an event to the sockets.
//
// `drain` takes what view models have said from the outbox, where it stands encoded. Each event
// becomes one line of the turn's log and gets its number. What a view model says while nothing else
// is said is a `Run` of lines; each connection that hears the view model notes the run (a pair of
// integers, mostly the end of a stretch that grows). At the end of the turn `flush` hands each
// socket its stretch of the log in one write. Only what a socket does not take is copied, into that
// connection's backlog.

extension Bus {
    // MARK: From the outbox to the turn's log

    /// View models may have said something by themselves: what is slow, and done beside the loop,
    /// has come to its end.
    package mutating func listen() { drain() }

    /// Takes everything that view models have said since the last time, and lets it be seen unless
    /// it has to be on disk first.
    mutating func drain(cause: Cause? = nil) {
        guard !isPublishing, !outbox.isEmpty else { return }
        if mustHold() { return hold(cause: cause) }
        while let update = outbox.take() {
            publish(update, cause: cause)
            if journal != nil { notePresents(after: update) }
            outbox.giveBack(update)
        }
    }

    /// Lets an update be seen.
    mutating func publish(_ update: borrowing Outbox.Update, cause: Cause?) {
        // What is said meanwhile, because somebody is shown what wakes for it, comes after it.
        isPublishing = true
        defer { isPublishing = false }
        for place in update.entries.indices {
            switch update.entries[place] {
            case .said(let event): publish(event, at: place, in: update, cause: cause)
            case .arrived(_, let place): arrived(update.arrivals[place])
            case .ended(let model): ended(model)
            }
        }
    }

    private mutating func publish(
        _ event: Outbox.Event, at place: Int, in update: borrowing Outbox.Update, cause: Cause?
    ) {
        let slot = event.model.slot
        guard isHere(event.model) else { return }
        let stream = models[slot].awake()
        let seq = stream.lastSeq + 1
        let line = turn.next
        let start = turn.bytes.count
        let moreAt = writeEvent(event, of: stream, seq: seq, update, cause)
        turn.endLine(.event(event.model, seq: seq, at: now))
        if turn.bytes.count - start >= kept.least { turn.shareLast(sharedBytes) }
        stream.append(
            turn.bytes.span.extracting(start..<(turn.bytes.count - 1)), moreAt: moreAt,
            most: limits.history)
        events += 1
        assign(line, of: stream)
        if run?.isForAll == false {
            publishSpecially(event, at: place, in: update, line: line, moreAt: moreAt)
        }
    }

    /// Writes the line, and returns where in it `"more":true,` stands.
    private mutating func writeEvent(
        _ event: Outbox.Event, of stream: Stream, seq: Int,
        _ update: borrowing Outbox.Update, _ cause: Cause?
    ) -> Int? {
        var moreAt: Int?
        turn.write { bytes in
            let start = bytes.count
            bytes.append(contentsOf: stream.lineStart)
            bytes.append(decimal: seq)
            bytes.append(UInt8(ascii: ","))
            if event.hasMore {
                moreAt = bytes.count - start
                bytes.append(contentsOf: More.json)
            }
            if let cause { bytes.append(contentsOf: cause.json) }
            bytes.append(contentsOf: #""event":"#.utf8)
            update.append(event, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        return moreAt
    }

    /// Assigns a line to those who get it as it stands. They note it with the whole run, at the
    /// latest when something else is noted.
    private mutating func assign(_ line: Int, of stream: Stream) {
        if run?.grow(by: line, of: stream) != true {
            noteRun()
            run = Run(line, of: stream)
        }
        deliveries += run?.plain ?? 0
    }

    /// Those who get the lines of the run note them. The array of connections is looked at once
    /// for all of them.
    mutating func noteRun() {
        guard let run = run.take(), run.plain > 0 else { return }
        var fresh = dirty
        dirty = []
        var connections = connections.mutableSpan
        for member in run.stream.members where member.isPlain {
            if connections[member.connection].stretches.add(run.lines) {
                fresh.append(member.connection)
            }
        }
        dirty = fresh
    }

    private mutating func assign(_ line: Int, to slot: ConnectionSlot) {
        deliveries += 1
        note(line, slot)
    }

    // MARK: Views that do not get every event as it stands

    private mutating func publishSpecially(
        _ event: Outbox.Event, at place: Int, in update: borrowing Outbox.Update, line: Int,
        moreAt: Int?
    ) {
        let name = Snapshot.name(of: update.json(of: event))
        let seq = models[event.model.slot].seq
        var lineWithoutMore: Int?
        for member in models[event.model.slot].members where !member.isPlain && !member.isStalled {
            let slot = member.connection
            guard let view = connections[slot].special[event.model], view.stall == nil,
                view.only?.contains(name) ?? true
            else { continue }
            var own = line
            if let moreAt, let only = view.only, !saysMore(event.model, only, after: place, update)
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
        let range = turn.bytes(of: line..<(line + 1))
        let text = More.removed(from: turn.bytes[range].dropLast(), at: moreAt)
        noteRun()
        return turn.add(Text(text), turn.lines[line].origin)
    }

    // MARK: Lines for one connection

    /// Puts a line in line for a connection.
    mutating func say(_ text: [UInt8], _ origin: LineOrigin, to slot: ConnectionSlot) {
        say(Text(text), origin, to: slot)
    }

    mutating func say(_ text: Text, _ origin: LineOrigin, to slot: ConnectionSlot) {
        noteRun()
        let line = turn.add(text, origin)
        connections[slot].turnAnswerBytes += text.bytes.count + 1
        note(line, slot)
    }

    private mutating func note(_ line: Int, _ slot: ConnectionSlot) {
        if connections[slot].stretches.add(line..<(line + 1)) { dirty.append(slot) }
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

/// The `send` that events are due to.
struct Cause {
    /// `"cause":{"connection":3,"id":"a1"},`
    let json: [UInt8]

    /// `nil` where the `send` has no `id`.
    init?(_ connection: Int, _ id: Request.ID?) {
        guard let id else { return nil }
        var out = JSONWriter()
        out.object { out in
            out.member("connection", connection)
            out.key("id")
            id.write(to: &out)
        }
        json = Array(#""cause":"#.utf8) + out.bytes + [UInt8(ascii: ",")]
    }
}

/// Events of one view model, one line after the other: who hears it notes them all at once.
struct Run {
    let stream: Stream
    private(set) var lines: Range<Int>
    /// How many of its members get the lines as they stand. Before members change, the run is
    /// noted.
    let plain: Int
    /// These are all of its members.
    let isForAll: Bool

    init(_ line: Int, of stream: Stream) {
        self.stream = stream
        lines = line..<(line + 1)
        let members = stream.members
        plain = members.count { $0.isPlain }
        isForAll = plain == members.count
    }

    /// Takes in a line, if it is the next one and of the same view model.
    mutating func grow(by line: Int, of stream: Stream) -> Bool {
        guard stream === self.stream, line == lines.upperBound else { return false }
        lines = lines.lowerBound..<(line + 1)
        return true
    }
}

/// The mark of an event that is not the last of its update.
private enum More {
    static let json = Array(#""more":true,"#.utf8)

    static func removed(from line: ArraySlice<UInt8>, at place: Int) -> [UInt8] {
        Array(line.prefix(place) + line.dropFirst(place + json.count))
    }
}
