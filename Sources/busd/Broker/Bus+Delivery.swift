import BusdProtocol

// The way of an event to the sockets.
//
// `drain` takes what view models have said from the outbox, where it stands encoded. Each event
// becomes one line of the turn's log and gets its number. What a view model says while nothing else
// is said is a `Run` of lines; each connection that hears the view model notes the run (a pair of
// integers, mostly the end of a stretch that grows). What is said to one connection, answers above
// all, stands apart in the log, so it ends neither runs nor stretches of others. At the end of the
// turn `flush` hands each socket its stretch of the log in one write; who has nothing in line but
// the last run did not even note it. Only what a socket does not take is copied, into that
// connection's backlog.
//
// What is long and goes to thousands (who is looking, told to all who look) would be gigabytes of
// one turn. It is in memory once: so each socket gets its beginning, as if there were no more room,
// and the rest when it is the connection's turn.

extension Bus {
    // MARK: From the outbox to the turn's log

    /// View models may have said something by themselves: what is slow, and done beside the loop,
    /// has come to its end.
    package mutating func listen() { drain() }

    /// Publishes everything that view models have emitted since the last time.
    mutating func drain(cause: Cause? = nil) {
        guard !isPublishing, !outbox.isEmpty else { return }
        while let update = outbox.take() {
            publish(update, cause: cause)
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
        guard isHere(event.model) else { return }
        let stream = models[event.model.slot].awake()
        if !stream.isWatchedForIdleness { watchRest(of: event.model) }
        let seq = stream.lastSeq + 1
        let line = turn.common.next
        let start = turn.common.bytes.count
        let moreAt = writeEvent(event, of: stream, seq: seq, update, cause)
        let end = turn.common.bytes.count
        if end - start >= kept.least { turn.shareLast(budget.shared) }
        stream.append(
            turn.common.bytes.span.extracting(start..<(end - 1)), moreAt: moreAt,
            most: limits.history)
        events += 1
        assign(line, of: event.model, stream)
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
        let longest = stream.lineStart.count + (cause?.longest ?? 0) + event.json.count + 50
        turn.add(.event(event.model, seq: seq, at: now), longest: longest) { line in
            line.append(stream.lineStart)
            line.append(decimal: seq)
            line.append(UInt8(ascii: ","))
            if event.hasMore {
                moreAt = line.count
                line.append(More.json)
            }
            cause?.write(to: &line)
            line.append(#""event":"#)
            update.append(event, to: &line)
            line.append(UInt8(ascii: "}"))
        }
        return moreAt
    }

    /// Assigns a line to those who get it as it stands. They note it with the whole run, at the
    /// latest when something else is noted.
    private mutating func assign(_ line: Int, of model: ModelID, _ stream: Stream) {
        if run?.grow(by: line, of: model) != true {
            noteRun()
            run = Run(line, of: model, stream.watchers)
        }
        deliveries += run?.live ?? 0
    }

    /// Those who get the lines of the run note them. The array of connections is looked at once
    /// for all of them.
    mutating func noteRun() {
        guard let run = run.take(), run.live > 0 else { return }
        var fresh = dirty
        dirty = []
        let someLeave = !leavers.isEmpty
        var connections = connections.mutableSpan
        for watcher in run.watchers where watcher.isLive {
            if someLeave, !connections[watcher.connection].isHearing { continue }
            if connections[watcher.connection].stretches.add(run: run.lines) {
                fresh.append(watcher.connection)
            }
        }
        dirty = fresh
    }

    /// What is said to it alone comes after what it gets of the run so far.
    private mutating func noteRun(for slot: ConnectionSlot) {
        guard connections[slot].isHearing,
            let model = run?.model, let place = connections[slot].watches[model],
            let run, run.watchers[place].isLive
        else { return }
        note(run: run.lines, slot)
    }

    private mutating func note(run lines: Range<Int>, _ slot: ConnectionSlot) {
        if connections[slot].stretches.add(run: lines) { dirty.append(slot) }
    }

    mutating func assign(_ line: Int, to slot: ConnectionSlot) {
        deliveries += 1
        note(line, slot)
    }

    // MARK: Lines for one connection

    /// Puts a line in line for a connection.
    mutating func say(_ text: [UInt8], _ origin: LineOrigin, to slot: ConnectionSlot) {
        say(Text(text), origin, to: slot)
    }

    mutating func say(_ text: Text, _ origin: LineOrigin, to slot: ConnectionSlot) {
        noteRun(for: slot)
        noteOwn(turn.add(own: text, origin), slot)
    }

    /// Writes a line where it is to stand, for a connection.
    mutating func say(
        _ origin: LineOrigin, to slot: ConnectionSlot, _ write: (inout JSONWriter) -> Void
    ) {
        noteRun(for: slot)
        noteOwn(turn.add(own: origin, write), slot)
    }

    private mutating func noteOwn(_ line: Int, _ slot: ConnectionSlot) {
        connections[slot].turnAnswerBytes += turn.length(of: line)
        note(line, slot)
    }

    mutating func note(_ line: Int, _ slot: ConnectionSlot) {
        if connections[slot].stretches.add(line..<(line + 1)) { dirty.append(slot) }
    }

    // MARK: From the turn's log to the sockets

    /// The turn is over: each connection's lines go to its socket, in one write.
    package mutating func flush(
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        drain()
        libraries.commit()
        writeRun(write)
        var slots: [ConnectionSlot] = []
        swap(&slots, &dirty)
        flush(slots, write)
        turn.removeAll()
        gathered.removeAll()
        // Its memory serves again.
        slots.removeAll(keepingCapacity: true)
        if dirty.isEmpty { swap(&slots, &dirty) }
        evictLargest()
    }

    /// Who is answered comes last, and so knows that all others have been told.
    private mutating func flush(
        _ slots: [ConnectionSlot],
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        var written = 0
        func counted(_ slot: ConnectionSlot, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
            written += bytes.count
            return write(slot, bytes)
        }
        for isAnswered in [false, true] {
            for slot in slots where isHere(slot) && connections[slot].isAnswered == isAnswered {
                if written > mostFlushed {
                    flushBeginning(slot, counted)
                } else {
                    flush(slot, counted)
                }
            }
        }
    }

    /// Mostly the run is all that is said in a turn: it goes straight to those who have nothing
    /// else in line, and the others note it.
    private mutating func writeRun(
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard !turn.isShared, let run = run.take() else { return noteRun() }
        let turn = turn
        let someLeave = !leavers.isEmpty
        turn.withBytes(of: run.lines) { bytes in
            for watcher in run.watchers where watcher.isLive {
                let slot = watcher.connection
                if someLeave, !connections[slot].isHearing { continue }
                guard connections[slot].isWritten else {
                    note(run: run.lines, slot)
                    continue
                }
                let outcome = write(slot, bytes)
                if outcome != .took(bytes.count) { left(run.lines, of: slot, after: outcome) }
            }
        }
    }

    /// Of what is long and shared, writes the beginning now, and what is left when it is the
    /// connection's turn.
    ///
    /// Not inlined, like all that is rare: between two system calls the processor fetches the code
    /// anew, and what is left out is not in the way.
    @inline(never)
    private mutating func flushBeginning(
        _ slot: ConnectionSlot, _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard let start = turn.startOfLastShared(in: connections[slot].stretches),
            !connections[slot].isBlocked
        else { return flush(slot, write) }
        let most = start + kept.leastShared
        connections[slot].isBlocked = true
        flush(slot) { write($0, UnsafeRawBufferPointer(rebasing: $1.prefix(most))) }
        guard isHere(slot) else { return }
        connections[slot].isBlocked = false
        if !connections[slot].backlog.isEmpty { writeLater(slot) }
    }

    /// The socket has not taken all of these lines, which were not noted.
    @inline(never)
    private mutating func left(
        _ lines: Range<Int>, of slot: ConnectionSlot, after outcome: WriteOutcome
    ) {
        note(run: lines, slot)
        flush(slot) { _, _ in outcome }
    }

    @inline(__always)
    private mutating func flush(
        _ slot: ConnectionSlot, _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        switch connections[slot].writeTurn(turn, &gathered, { write(slot, $0) }) {
        case .written: break
        case .finished: finish(slot)
        case .left(let taken):
            queueTurn(of: slot, after: taken)
            finish(slot)
        case .failed: close(slot)
        }
    }
}
