import BusdProtocol

/// Carries lines to the sockets.
///
/// A line is written once, into the log of the turn. A connection gets no copy: it notes ranges of
/// the log. Consecutive lines of one view model are a `Run`, which its watchers note together, at
/// the latest when something else is noted. Lines for one connection, such as answers, are in a
/// separate part of the log, so they do not split the ranges of other connections.
///
/// At the end of the turn, `flush` hands each socket its ranges in one write. Connections with only
/// the last run pending are written directly. Connections with answers come last: when a client
/// reads an answer, all other sockets were offered the events that it caused. Only bytes that a
/// socket does not take are copied, into the backlog of the connection.
struct Delivery {
    private var turn = TurnLog()
    private var gathered = GatheredLines()
    /// The last lines of the log, which their watchers have not noted yet.
    private var run: Run?
    /// By connection slot.
    private var outgoing: [Outgoing] = []
    /// Connections with lines in this turn.
    private var dirty: [ConnectionSlot] = []
    /// Number of connections that get no events any more, but are still watchers.
    private var deafCount = 0
    /// Number of deliveries of common lines: one for each line and connection. Only grows.
    private(set) var count = 0
    /// After a turn has written this many bytes, further connections get only the beginning of long
    /// shared lines.
    private var mostFlushed = 1 << 21

    /// Cost of delivery, in the units of `Cost`. Only differences within a turn count, because the
    /// log of the turn is emptied at its end.
    var cost: Int { turn.length + Cost.delivery * count }

    /// Bytes of all lines of this turn.
    var length: Int { turn.length }

    mutating func limitFlush(to bytes: Int) { mostFlushed = bytes }

    // MARK: Connections

    mutating func admit(_ slot: ConnectionSlot) {
        if slot == outgoing.count { outgoing.append(Outgoing()) }
        outgoing[slot].hear(true)
    }

    /// Forgets all lines for a closed connection.
    mutating func remove(_ slot: ConnectionSlot) { outgoing[slot] = Outgoing() }

    /// The connection gets no events any more, although it is still a watcher of some view models.
    mutating func stopHearing(_ slot: ConnectionSlot) {
        noteRun()
        outgoing[slot].hear(false)
        deafCount += 1
    }

    /// A connection for which `stopHearing` was called is a watcher of no view model any more.
    mutating func stoppedWatching() { deafCount -= 1 }

    /// `flush` reports the connection as finished when everything is written.
    mutating func closeAfterWriting(_ slot: ConnectionSlot) { outgoing[slot].finish() }

    /// Whether the connection gets events.
    func isHearing(_ slot: ConnectionSlot) -> Bool { deafCount == 0 || outgoing[slot].isHearing }

    /// Whether nothing waits for the socket.
    func isWritten(_ slot: ConnectionSlot) -> Bool { outgoing[slot].isWritten }

    /// Bytes of answers that the connection has not read, with those of this turn.
    func unreadAnswers(of slot: ConnectionSlot) -> Int {
        let outgoing = outgoing.span
        return outgoing[slot].backlog.answerBytes + outgoing[slot].turnAnswerBytes
    }

    // MARK: Lines for many

    /// Adds the line of an event to the log, and appends it to the stream.
    ///
    /// - Parameter most: lines that the stream keeps.
    mutating func publish(
        _ event: Outbox.Event, in outbox: Outbox, _ cause: Cause?,
        of stream: Stream, at now: Instant, most: Int
    ) -> EventLine {
        let start = turn.common.bytes.count
        let more = turn.add(event, in: outbox, cause, of: stream, at: now)
        let end = turn.common.bytes.count
        stream.append(
            turn.common.bytes.span.extracting(start..<(end - 1)), more, event.number, most: most)
        return EventLine(number: turn.common.next - 1, more: more, length: end - start)
    }

    /// Keeps the last common line in memory once, however many connections it waits for.
    mutating func shareLast(_ account: Account) { turn.shareLast(account) }

    /// Assigns the line of an event to the watchers that get it unchanged. Returns whether all
    /// watchers do.
    mutating func assign(_ line: Int, of model: ModelID, _ stream: Stream) -> Bool {
        if run?.grow(by: line, of: model) != true {
            noteRun()
            run = Run(line, of: model, stream.watchers)
        }
        count += run?.live ?? 0
        return run?.isForAll ?? true
    }

    /// The watchers of the run note its lines. Called before anything else is noted, and before a
    /// watcher or its state changes. `outgoing` is accessed once for all of them.
    mutating func noteRun() {
        guard let run = run.take(), run.live > 0 else { return }
        var fresh = dirty
        dirty = []
        let someAreDeaf = deafCount > 0
        var outgoing = outgoing.mutableSpan
        for watcher in run.watchers where watcher.isLive {
            if someAreDeaf, !outgoing[watcher.connection].isHearing { continue }
            if outgoing[watcher.connection].add(run: run.lines) {
                fresh.append(watcher.connection)
            }
        }
        dirty = fresh
    }

    /// Adds a line that several connections may note. Returns its number.
    mutating func add(_ text: Text, _ origin: LineOrigin) -> Int {
        noteRun()
        return turn.add(text, origin)
    }

    /// The connection gets a line of the log.
    mutating func note(_ line: Int, _ slot: ConnectionSlot) {
        if outgoing[slot].add(line, after: nil) { dirty.append(slot) }
    }

    /// Adds the line of an event again, without its `more`. Returns the number of the new line.
    mutating func add(_ line: Int, without more: More) -> Int {
        let text = more.removed(from: turn.text(of: line).dropLast())
        return add(Text(Array(text)), turn.origin(of: line))
    }

    /// The connection gets the line of an event that its filter includes.
    ///
    /// - Parameter previous: `seq` of the event queued before it; `nil`: its `seq` is one lower.
    @inline(__always)
    mutating func assign(_ line: Int, to slot: ConnectionSlot, after previous: Int?) {
        count += 1
        if outgoing[slot].add(line, after: previous) { dirty.append(slot) }
    }

    // MARK: Lines for one connection

    mutating func enqueue(
        _ text: Text, _ origin: LineOrigin, to slot: ConnectionSlot, watching index: Int?
    ) {
        noteRun(for: slot, watching: index)
        noteOwn(turn.add(own: text, origin), slot)
    }

    /// Writes a line for one connection directly into the log.
    mutating func enqueue(
        _ origin: LineOrigin, to slot: ConnectionSlot, watching index: Int?,
        _ write: Line.Writing
    ) {
        noteRun(for: slot, watching: index)
        noteOwn(turn.add(own: origin, write), slot)
    }

    /// The view model of the run.
    var modelOfRun: ModelID? { run?.model }

    /// Notes the run for one connection, so a line for it alone follows earlier events.
    ///
    /// - Parameter index: of the connection among the watchers of the run; `nil`: it is none of
    ///   them.
    private mutating func noteRun(for slot: ConnectionSlot, watching index: Int?) {
        guard let index, let run, outgoing[slot].isHearing, run.watchers[index].isLive else {
            return
        }
        if outgoing[slot].add(run: run.lines) { dirty.append(slot) }
    }

    private mutating func noteOwn(_ line: Int, _ slot: ConnectionSlot) {
        outgoing[slot].countAnswer(turn.length(of: line))
        note(line, slot)
    }

    // MARK: Backlogs

    func backlog(of slot: ConnectionSlot) -> Backlog { outgoing[slot].backlog }

    /// Queues lines behind the backlog.
    mutating func queue(_ lines: Lines, for slot: ConnectionSlot) {
        for line in lines { outgoing[slot].queue(line.text, line.kind) }
    }

    /// Queues the place of a catch-up; see `Backlog`.
    mutating func queue(catchUp number: Int, isOpen: Bool, for slot: ConnectionSlot) {
        outgoing[slot].queue(catchUp: number, isOpen: isOpen)
    }

    /// Puts lines before the place of the catch-up at the front; see `Backlog.fill`.
    mutating func fill(_ lines: Lines, isComplete: Bool, for slot: ConnectionSlot) {
        outgoing[slot].fill(lines, isComplete: isComplete)
    }

    /// The socket took `count` bytes of the backlog.
    mutating func wrote(_ count: Int, to slot: ConnectionSlot) { outgoing[slot].wrote(count) }

    /// Drops every line that can be dropped; see `Backlog.drop`.
    mutating func drop(for slot: ConnectionSlot, request: Int?, last: Int) -> [Backlog.Dropped] {
        outgoing[slot].drop(request: request, last: last)
    }

    /// Queues the connection's lines of this turn behind its backlog. Returns false if there are
    /// none.
    ///
    /// - Parameter taken: bytes of them that the socket took.
    /// - Parameter address: of a view model with lines in this turn.
    mutating func queueTurn(
        of slot: ConnectionSlot, after taken: Int, _ address: (ModelID) -> Address
    ) -> Bool {
        noteRun()
        return outgoing[slot].queueTurn(turn, after: taken, address)
    }

    // MARK: The end of the turn

    /// Writes the run directly to the watchers that have nothing else pending. Often it is all of a
    /// turn.
    private mutating func writeRun(
        _ outcomes: inout [(slot: ConnectionSlot, outcome: FlushResult)],
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) {
        guard !turn.isShared, let run = run.take() else { return noteRun() }
        let someAreDeaf = deafCount > 0
        // Taken out, so that the closure changes only local variables.
        var (outgoing, fresh): ([Outgoing], [ConnectionSlot]) = ([], dirty)
        swap(&outgoing, &self.outgoing)
        dirty = []
        turn.withBytes(of: run.lines) { bytes in
            for watcher in run.watchers where watcher.isLive {
                let slot = watcher.connection
                if someAreDeaf, !outgoing[slot].isHearing { continue }
                guard outgoing[slot].isWritten else {
                    if outgoing[slot].add(run: run.lines) { fresh.append(slot) }
                    continue
                }
                let outcome = write(slot, bytes)
                guard outcome != .took(bytes.count) else { continue }
                _ = outgoing[slot].add(run: run.lines)
                outcomes.append((slot, FlushResult(outcome)))
            }
        }
        swap(&outgoing, &self.outgoing)
        dirty = fresh
    }

    /// Writes the lines of the turn. Returns the connections for which the bus has to do something;
    /// the log of the turn stays until `endTurn`.
    ///
    /// - Parameter beginning: bytes of a long shared line that are written after `mostFlushed`.
    mutating func flush(
        beginning: Int,
        _ write: (ConnectionSlot, UnsafeRawBufferPointer) -> WriteOutcome
    ) -> [(slot: ConnectionSlot, outcome: FlushResult)] {
        var outcomes: [(slot: ConnectionSlot, outcome: FlushResult)] = []
        writeRun(&outcomes, write)
        var slots: [ConnectionSlot] = []
        swap(&slots, &dirty)
        var written = 0
        for isAnswered in [false, true] {
            for slot in slots where outgoing[slot].isAnswered == isAnswered {
                let most =
                    written <= mostFlushed
                    ? nil : outgoing[slot].startOfLastShared(in: turn).map { $0 + beginning }
                let outcome = outgoing[slot].write(turn, &gathered, most: most) { bytes in
                    written += bytes.count
                    return write(slot, bytes)
                }
                if let outcome { outcomes.append((slot, outcome)) }
            }
        }
        // The memory is reused.
        slots.removeAll(keepingCapacity: true)
        if dirty.isEmpty { swap(&slots, &dirty) }
        return outcomes
    }

    mutating func endTurn() {
        turn.removeAll()
        gathered.removeAll()
    }
}
