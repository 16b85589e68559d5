import Protocol

// Bytes become lines, lines become requests. One connection gets a share of each turn, and what is
// left waits for the next: so a client that sends a million requests delays nobody.

extension Bus {
    /// Bytes have come.
    package mutating func received(_ bytes: UnsafeRawBufferPointer, on slot: ConnectionSlot) {
        guard isHere(slot), connections[slot].stage == .open else { return }
        connections[slot].input.append(bytes)
        makeRunnable(slot)
    }

    /// The peer has closed its side: no more requests will come.
    package mutating func inputEnded(_ slot: ConnectionSlot) {
        guard isHere(slot), connections[slot].stage == .open else { return }
        connections[slot].stage = .inputEnded
        connections[slot].input.end()
        makeRunnable(slot)
    }

    /// Some connection has lines that may be handled now.
    package var hasWork: Bool { !runnable.isEmpty }

    /// Gives every connection that has lines its share of the turn.
    package mutating func work() {
        let slots = runnable
        runnable.removeAll(keepingCapacity: true)
        for slot in slots where isHere(slot) && connections[slot].isRunnable && !isStopping {
            connections[slot].isRunnable = false
            handleLines(of: slot)
        }
        if !slots.isEmpty { wipeStack() }
        drain()
        reportStatistics()
    }

    mutating func makeRunnable(_ slot: ConnectionSlot) {
        guard !connections[slot].isRunnable else { return }
        connections[slot].isRunnable = true
        runnable.append(slot)
    }

    private mutating func handleLines(of slot: ConnectionSlot) {
        var requests = 0
        let inputBefore = connections[slot].input.count
        while isHere(slot), connections[slot].stage != .closing {
            guard requests < Limits.turnRequests, mayAnswer(slot),
                inputBefore - connections[slot].input.count < Limits.turnBytes
            else {
                waitForTurn(slot)
                return
            }
            guard let line = connections[slot].input.nextLine(longest: limits.line) else { break }
            connections[slot].isWaiting = false
            if handle(line, from: slot) { requests += 1 }
            document.forget()
            guard isHere(slot) else { return }
            if connections[slot].isWaiting { return setReading(slot) }
            connections[slot].input.dropLine()
        }
        guard isHere(slot) else { return }
        setReading(slot)
        if connections[slot].stage == .inputEnded, connections[slot].held == 0 {
            finishInput(slot)
        }
    }

    /// A client that does not read its answers is asked nothing more until it has read them.
    private func mayAnswer(_ slot: ConnectionSlot) -> Bool {
        connections[slot].backlog.answerBytes + turnBytes(of: slot) <= limits.output
    }

    /// Bytes of this turn that are for the connection.
    private func turnBytes(of slot: ConnectionSlot) -> Int {
        var bytes = 0
        connections[slot].stretches.forEach { bytes += turn.bytes(of: $0).count }
        return bytes
    }

    private mutating func waitForTurn(_ slot: ConnectionSlot) {
        setReading(slot)
        if connections[slot].backlog.answerBytes <= limits.output { makeRunnable(slot) }
    }

    /// Reads on while there is room for answers and not too much input waits.
    mutating func setReading(_ slot: ConnectionSlot) {
        let wanted =
            connections[slot].stage == .closing
            || connections[slot].backlog.answerBytes <= limits.output
                && connections[slot].input.count <= limits.line + Limits.turnBytes
        guard wanted != connections[slot].isReading else { return }
        connections[slot].isReading = wanted
        effects.append(.read(slot, wanted))
    }

    // MARK: Lines

    /// Returns whether the line at the front was a request.
    private mutating func handle(_ line: InputBuffer.Line, from slot: ConnectionSlot) -> Bool {
        do throws(RequestRefusal) {
            guard let request = try read(line, from: slot) else { return false }
            guard !mustWait(request, slot) else {
                waitForDisk(slot)
                return true
            }
            connections[slot].badLines = 0
            perform(request, from: slot)
        } catch {
            guard connections[slot].held == 0 else {
                waitForDisk(slot)
                return true
            }
            refuse(error.error, error.id, slot)
            connections[slot].badLines = error.error.isBadInput ? connections[slot].badLines + 1 : 0
            if connections[slot].badLines == 3 {
                sayGoodbye(slot, .badInput, "three lines running were not requests")
            }
        }
        return true
    }

    /// The request of the line at the front; `nil` where there is nothing in it.
    private func read(
        _ line: InputBuffer.Line, from slot: ConnectionSlot
    ) throws(RequestRefusal) -> Request? {
        do throws(WireError) {
            guard line == .text else {
                throw WireError(
                    .tooLong, "a line has at most \(limits.line) bytes (limit line)")
            }
            let isSomething = try connections[slot].input.withLine { line throws(WireError) in
                try document.read(line: line, limits: limits)
            }
            guard isSomething else { return nil }
        } catch {
            throw RequestRefusal(error: error, id: nil)
        }
        return try Request(document, limits: limits)
    }
}

extension JSONDocument {
    /// Reads a line in either form; returns whether there is anything in it.
    fileprivate func read(line: Span<UInt8>, limits: Limits) throws(WireError) -> Bool {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = line.indices.first(where: { !isSpace(line[$0]) }),
            let last = line.indices.last(where: { !isSpace(line[$0]) }),
            line[first] != UInt8(ascii: "#")
        else { return false }
        let text = line.extracting(first...last)
        if text[0] == UInt8(ascii: "{") {
            try read(text, limits: limits)
        } else {
            // Whatever is in the line is in what is made of it, too.
            var json = try Words.json(text, limits: limits)
            defer { json.wipe() }
            try read(json, limits: limits)
        }
        return true
    }
}
