import BusdProtocol

// A join of many view models is answered and shown in pieces (Bus+Showing.swift). A view model that
// the connection heard before is heard until it emits something, and then not until it is shown:
// its events are passed over, which a gap reports. If a view model ends before it is shown, `gone`
// takes its place.

extension Bus {
    /// Answers a `subscribe` with a pattern, and shows all that matches.
    ///
    /// - Parameter count: the join adds at most this many memberships.
    mutating func beginJoin(
        _ pattern: Pattern, adding count: Int, _ id: Request.ID?, _ slot: ConnectionSlot
    ) {
        let isFree = connections[slot].backlog.isEmpty
        queueTurn(of: slot)
        let total = subscribed.bytes(of: connections[slot].access)
        let reserved = Weight(Subscription.membershipBytes * count, on: total)
        connections[slot].showing = .join(Join(pattern, id, lastNumber: lastMark, reserved))
        joiners.insert(slot)
        if !connections[slot].models.isEmpty { rejoiners.insert(slot) }
        // A large dictionary takes long to grow. Of these, the connection may hear some already.
        let heard = connections[slot].models.count
        connections[slot].reserve(min(count, max(0, modelCount - heard)))
        queueFirst(isFree ? nextLines(of: slot) : [], of: slot)
    }

    /// The view model is about to emit something: connections to which a join will show it again
    /// do not hear it before.
    mutating func suspendInJoins(_ model: ModelID) {
        spend(Cost.comparison * rejoiners.count)
        for slot in rejoiners { suspendInJoin(model, slot) }
    }

    /// If a join will show the view model again, the connection does not hear it before.
    mutating func suspendInJoin(_ model: ModelID, _ slot: ConnectionSlot) {
        guard connections[slot].models[model] != nil, isToJoin(model, slot) else { return }
        // A pending gap already keeps its events from this connection.
        let view = connections[slot].special[model]
        guard view?.stall == nil else { return }
        let seq = models[model.slot].seq
        let last = view?.only == nil ? seq : lastHeard(model, slot)
        connections[slot].withJoin { $0.suspend(model, at: seq, last: last) }
        hearNothing(of: model, until: Stall.join, slot)
    }

    /// Nothing more of it will be shown.
    mutating func cancelJoin(of slot: ConnectionSlot) {
        guard connections[slot].join != nil else { return }
        endJoin(slot)
        connections[slot].backlog.removeShowing(.request)
    }

    private mutating func endJoin(_ slot: ConnectionSlot) {
        connections[slot].showing = nil
        joiners.remove(slot)
        rejoiners.remove(slot)
    }

    // MARK: Lines

    /// The next lines of a join: as many as the turn and the backlog have room for.
    mutating func nextLines(of slot: ConnectionSlot) -> Lines {
        var piece = Piece(most: mostOfPiece)
        guard completeAnswer(of: slot, &piece), showNext(of: slot, &piece) else {
            // No view model that was examined matched.
            if piece.lines.isEmpty, !connections[slot].isShowingPutOff { makeRunnable(slot) }
            return piece.lines
        }
        endJoin(slot)
        return piece.lines
    }

    /// Writes the next part of the answer. Returns whether the answer is complete.
    private mutating func completeAnswer(of slot: ConnectionSlot, _ piece: inout Piece) -> Bool {
        guard var answer = connections[slot].join?.answer else { return true }
        var line = answer.hasBegun ? Text() : Line.joining(answer.walk.pattern)
        answer.hasBegun = true
        let isComplete = writeRows(of: &answer, to: &line) { $0.writeAddress(of: $1, to: &$2) }
        if isComplete {
            Line.endJoining(&line, answer.id)
            line.append("\n")
        }
        spend(line.length)
        piece.count += line.length
        if !line.isEmpty { piece.lines.append((line, .answer)) }
        connections[slot].withJoin { $0.answer = isComplete ? nil : answer }
        return isComplete
    }

    private mutating func writeAddress(of model: ModelID, to line: inout Text) {
        line.append("\"")
        line.append(models[model.slot].address)
        line.append("\"")
    }

    /// Shows the next view models. Returns whether these were the last.
    private mutating func showNext(of slot: ConnectionSlot, _ piece: inout Piece) -> Bool {
        // A daemon that stops only completes the answer, also behind its goodbye.
        guard !isStopping else { return connections[slot].stage == .closing }
        while let walk = connections[slot].join?.walk {
            let next = next(on: walk, most: 64, of: Walk.stride)
            for model in next.found {
                guard mayShow(model, slot),
                    add(model, to: &piece, slot, { $0.show(model, to: slot, &$1) })
                else { return false }
            }
            guard let last = next.last else { break }
            let passed = models[last.slot].address.text
            connections[slot].withJoin { $0.walk.passed = max(passed, $0.walk.passed) }
            guard spent < turnEnd else { return false }
        }
        tellEnded(before: nil, slot, &piece.lines)
        if let pattern = connections[slot].join?.walk.pattern {
            piece.lines.append((Text(line: Line.live(pattern)), .patternLive))
        }
        return true
    }

    private mutating func show(_ model: ModelID, to slot: ConnectionSlot, _ lines: inout Lines) {
        // Who wakes may make others speak, or come, or end.
        wake(model)
        guard isHere(model), connections[slot].join != nil else { return }
        let (address, seq) = (models[model.slot].address, models[model.slot].seq)
        let isNew = connections[slot].models[model] == nil
        if isNew { connections[slot].join?.releaseMembership() }
        tellEnded(before: address, slot, &lines)
        if let missed = connections[slot].withJoin({ $0.show(model, address, at: seq) }) {
            lines.append((tellGap(address, missed: missed, slot), .answer))
        }
        connections[slot].special[model]?.stall = nil
        settle(slot, model)
        refreshMembership(slot, of: model)
        for line in snapshotLines(of: model, for: slot) {
            lines.append((Text(line: line), .answer))
        }
        let live = Line.live(address, noteLive(model, to: slot))
        lines.append((Text(line: live), .joined(model, seq: seq)))
    }

    private mutating func tellEnded(
        before address: Address?, _ slot: ConnectionSlot, _ lines: inout Lines
    ) {
        while let ended = connections[slot].withJoin({ $0.takeEnded(before: address) }) {
            if let missed = ended.missed {
                lines.append((tellGap(ended.address, missed: missed, slot), .answer))
            }
            lines.append((Text(line: Line.gone(ended.address)), .answer))
        }
    }

    private mutating func tellGap(_ address: Address, missed: Int, _ slot: ConnectionSlot) -> Text {
        connections[slot].missed += missed
        gaps += 1
        viewsChanged()
        return Text(line: Line.gap(address, missed: missed))
    }

    // MARK: Ends

    /// A view model has ended that joins were about to show.
    mutating func endInJoins(_ id: ModelID) {
        let model = models[id.slot]
        for slot in joiners where isToJoin(id, slot) {
            let wasHeard = connections[slot].models[id] != nil
            connections[slot].withJoin { $0.end(model, wasHeard: wasHeard) }
        }
    }

    /// It will be shown as a part of a join.
    func isToJoin(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        connections[slot].join?.walk.isBefore(models[model.slot]) ?? false
    }
}
