import Protocol

// A view that reads slowly never slows the bus, is never closed for it, and costs bounded memory
// (PROTOCOL.md, section 6).
//
// What a socket does not take waits in the connection's backlog. Too much of it, or too old, and the events
// in it are dropped; a place is kept where the first of them stood. From then on nothing is queued of the
// view models concerned. When the socket has taken what stands before that place, each of them tells `gap`,
// its snapshot and `live` there, and all is as if the view had just joined. Answers are never dropped;
// a client that does not read them is not read from (Bus+Input.swift).

extension Bus {
    static let longestWait: Duration = .seconds(2)

    // MARK: Into the backlog

    /// Keeps what the socket did not take of this turn's lines.
    mutating func queueRest(of stretches: Stretches, after taken: Int, _ slot: ConnectionSlot) {
        let eventsBefore = connections[slot].backlog.eventBytes
        var left = taken
        stretches.forEach { range in
            for line in range {
                let bytes = turn.bytes(of: line..<(line + 1))
                if left >= bytes.count {
                    left -= bytes.count
                } else {
                    connections[slot].backlog.append(
                        turn.bytes[bytes.dropFirst(left)], entryKind(of: line, for: slot),
                        isBegun: left > 0)
                    left = 0
                }
            }
        }
        pendingEventBytes += connections[slot].backlog.eventBytes - eventsBefore
        awaitWritable(slot)
        if connections[slot].backlog.eventBytes > limits.output { dropEvents(of: slot) }
        setReading(slot)
        watchAge(of: slot)
    }

    private func entryKind(of line: Int, for slot: ConnectionSlot) -> Backlog.Entry.Kind {
        switch turn.lines[line].origin {
        case .answer: return .answer
        case .notice: return .notice
        case .event(let model, let seq):
            let previous = connections[slot].previous.first { $0.line == line }?.seq
            return .event(model, seq: seq, previous: previous ?? seq - 1, at: now)
        }
    }

    private mutating func awaitWritable(_ slot: ConnectionSlot) {
        guard !connections[slot].isBlocked else { return }
        connections[slot].isBlocked = true
        effects.append(.awaitWritable(slot))
    }

    // MARK: Out of the backlog

    /// The socket takes bytes again.
    package mutating func writable(
        _ slot: ConnectionSlot,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard isHere(slot) else { return }
        connections[slot].isBlocked = false
        while !connections[slot].backlog.isEmpty {
            if connections[slot].backlog.isAtGap { tellGaps(slot) }
            let eventsBefore = connections[slot].backlog.eventBytes
            let (outcome, offered) = connections[slot].backlog.withWritable {
                (write(slot, $0), $0.count)
            }
            guard case .took(let count) = outcome else { return close(slot) }
            connections[slot].backlog.wrote(count)
            pendingEventBytes += connections[slot].backlog.eventBytes - eventsBefore
            if count < offered {
                awaitWritable(slot)
                break
            }
        }
        caughtUp(slot)
    }

    /// The answers that were waited for may have been read.
    private mutating func caughtUp(_ slot: ConnectionSlot) {
        setReading(slot)
        if connections[slot].backlog.answerBytes <= limits.output,
            connections[slot].stage != .closing
        {
            makeRunnable(slot)
        }
        finish(slot)
    }

    /// Puts `gap`, snapshot and `live` of each view model concerned where its events stood.
    private mutating func tellGaps(_ slot: ConnectionSlot) {
        let stalls = connections[slot].stalls
        connections[slot].stalls = []
        var lines: [UInt8] = []
        for stall in stalls {
            let seq = stall.end ?? models[stall.model.slot].seq
            let missed = seq - stall.lastWritten
            connections[slot].missed += missed
            gaps += 1
            append(Line.gap(stall.address, missed: missed), to: &lines)
            guard stall.end == nil else { continue }
            connections[slot].special[stall.model]?.isStalled = false
            connections[slot].special[stall.model]?.lastSeq = seq
            for line in snapshotLines(of: stall.model, for: slot) { append(line, to: &lines) }
            append(Line.live(stall.address, models[stall.model.slot].cursor), to: &lines)
            settle(slot, stall.model)
        }
        if !stalls.isEmpty { viewsChanged() }
        connections[slot].backlog.fillGap(lines)
    }

    private func append(_ line: [UInt8], to lines: inout [UInt8]) {
        lines.append(contentsOf: line)
        lines.append(UInt8(ascii: "\n"))
    }

    // MARK: Dropping

    /// Drops the events that wait, and remembers of which view models there is a gap to tell.
    mutating func dropEvents(of slot: ConnectionSlot) {
        pendingEventBytes -= connections[slot].backlog.eventBytes
        for entry in connections[slot].backlog.dropEvents() {
            guard case .event(let model, let seq, let previous, _) = entry.kind else { continue }
            stall(model, seq: seq, previous: previous, slot)
        }
    }

    private mutating func stall(_ id: ModelID, seq: Int, previous: Int, _ slot: ConnectionSlot) {
        if let place = connections[slot].stalls.firstIndex(where: { $0.model == id }) {
            if connections[slot].stalls[place].end != nil {
                connections[slot].stalls[place].end = seq
            }
            return
        }
        let isHeard = connections[slot].models.contains(id)
        // Who has unsubscribed meanwhile misses nothing; who is told `gone` misses what came before.
        guard isHeard || !isHere(id) else { return }
        connections[slot].stalls.append(
            Stall(
                model: id, address: models[id.slot].address, lastWritten: previous,
                end: isHeard ? nil : seq))
        guard isHeard else { return }
        var view = connections[slot].special[id] ?? SpecialView(lastSeq: seq)
        view.isStalled = true
        connections[slot].special[id] = view
        settle(slot, id)
    }

    /// Looks again when the oldest event that waits will have waited too long.
    private mutating func watchAge(of slot: ConnectionSlot) {
        guard !connections[slot].hasSlowDeadline,
            let oldest = connections[slot].backlog.oldestEvent
        else { return }
        connections[slot].hasSlowDeadline = true
        deadlines.set(
            .slowView(slot, number: connections[slot].number), at: oldest + Self.longestWait)
    }

    mutating func checkAge(of slot: ConnectionSlot) {
        connections[slot].hasSlowDeadline = false
        if let oldest = connections[slot].backlog.oldestEvent, oldest + Self.longestWait <= now {
            dropEvents(of: slot)
        }
        watchAge(of: slot)
    }

    /// All connections together hold no more than `outputTotal`: the largest holder gives way.
    mutating func dropFromLargest() {
        while pendingEventBytes > limits.outputTotal {
            let held = connections.indices.max {
                connections[$0].backlog.eventBytes < connections[$1].backlog.eventBytes
            }
            guard let held, connections[held].backlog.eventBytes > 0 else { return }
            dropEvents(of: held)
        }
    }
}
