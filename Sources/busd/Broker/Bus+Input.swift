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
            guard let line = nextLine(of: slot) else { break }
            if handle(line, from: slot) { requests += 1 }
            if isHere(slot), connections[slot].waiting != nil { return setReading(slot) }
        }
        guard isHere(slot) else { return }
        setReading(slot)
        if connections[slot].stage == .inputEnded, connections[slot].held == 0 {
            finishInput(slot)
        }
    }

    private mutating func nextLine(of slot: ConnectionSlot) -> InputBuffer.Line? {
        if let line = connections[slot].waiting {
            connections[slot].waiting = nil
            return line
        }
        return connections[slot].input.nextLine(longest: limits.line)
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

    /// Returns whether the line was a request.
    private mutating func handle(_ line: InputBuffer.Line, from slot: ConnectionSlot) -> Bool {
        do throws(RequestRefusal) {
            guard let request = try read(line) else { return false }
            guard !mustWait(request, slot) else {
                wait(with: line, slot)
                return true
            }
            connections[slot].badLines = 0
            perform(request, from: slot)
        } catch {
            guard connections[slot].held == 0 else {
                wait(with: line, slot)
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

    /// The request of a line; `nil` where there is nothing in it.
    private func read(_ line: InputBuffer.Line) throws(RequestRefusal) -> Request? {
        guard case .text(let bytes) = line else {
            throw RequestRefusal(
                error: WireError(.tooLong, "a line has at most \(limits.line) bytes (limit line)"),
                id: nil)
        }
        let text = bytes.trimmed
        guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
        do throws(WireError) {
            try document.read(
                first == UInt8(ascii: "{") ? Array(text) : words(text), limits: limits)
        } catch {
            throw RequestRefusal(error: error, id: nil)
        }
        return try Request(document, limits: limits)
    }

    private func words(_ text: ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
        guard let line = String(validating: text, as: UTF8.self), !line.hasPrefix("\u{FEFF}") else {
            throw WireError(.parse, "this is not UTF-8 without a byte-order mark")
        }
        return try Words.json(line, limits: limits)
    }
}

extension [UInt8] {
    /// Without the spaces around it.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return [] }
        return self[first...last]
    }
}
