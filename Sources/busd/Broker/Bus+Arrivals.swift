import BusdProtocol

// A view whose pattern matches a view model joins it when it arrives.
//
// A view that is too slow is told later. Until then it hears nothing of these view models, and the
// bus remembers no more than the first of them and a place in the backlog, so a view that does not
// read costs nothing however many arrive. When the socket has taken what stands before that place,
// those that match and have not been told are shown there, in pieces (Bus+Showing.swift). Requests
// of the connection wait meanwhile, so their answers come after it.
//
// Answers to earlier requests may stand behind the place, and the end of a view model that had the
// same address. These go first.

extension Bus {
    /// A view model has come.
    mutating func arrived(_ arrival: Outbox.Arrival) {
        add(arrival)
        spend(Cost.arrival)
        used(arrival.model)
        tellArrival(of: arrival.model)
    }

    /// Whoever's pattern matches the view model joins it, unless that has been done.
    private mutating func tellArrival(of model: ModelID) {
        guard patterns.shapeCount > 0 else { return }
        spend(Cost.look * patterns.shapeCount)
        // Who wants to hear everything is told the same as others.
        var common: Int?
        for (slot, wish) in patterns.wishes(for: models[model.slot].address)
        where connections[slot].models[model] == nil && !isToJoin(model, slot)
            && !isUntold(model, slot)
        {
            fulfil(wish, slot, of: model)
            guard case .everything = wish else {
                note(addArrival(of: model, for: slot), slot)
                continue
            }
            let line = common ?? addArrival(of: model, for: slot)
            common = line
            note(line, slot)
        }
    }

    /// Snapshot and `live`, as one piece: either all of it is dropped or nothing.
    private mutating func addArrival(of model: ModelID, for slot: ConnectionSlot) -> Int {
        var text = Text()
        for line in snapshotLines(of: model, for: slot) { text.append(line: line) }
        text.append(Text(Line.live(models[model.slot].address, noteLive(model, to: slot))))
        noteRun()
        return turn.add(text, .arrival(model, at: now))
    }

    // MARK: Untold

    /// Nothing of a view model's coming has been written: it will be told later.
    mutating func leaveUntold(_ model: ModelID, _ slot: ConnectionSlot) {
        leave(slot, model)
        if connections[slot].untold == nil {
            withBacklog(of: slot) { $0.appendShowing(.arrivals) }
            awaitWritable(slot)
        }
        var walk = Walk(.everything, lastNumber: .max)
        let number = models[model.slot].number
        walk.firstNumber = min(number, connections[slot].untold?.firstNumber ?? number)
        connections[slot].untold = walk
    }

    /// It will be told with others that have come.
    func isUntold(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        connections[slot].untold?.isBefore(models[model.slot]) ?? false
    }

    /// The connection wants to hear nothing any more.
    mutating func forgetUntold(_ slot: ConnectionSlot) {
        guard connections[slot].untold != nil else { return }
        connections[slot].untold = nil
        connections[slot].backlog.removeShowing(.arrivals)
    }

    /// As many of them as this turn and the reader have room for.
    mutating func nextArrivals(of slot: ConnectionSlot) -> Lines {
        queueTurn(of: slot)
        guard !connections[slot].backlog.putArrivalsBehindAnswers() else {
            awaitWritable(slot)
            return []
        }
        var piece = Piece(most: mostOfPiece)
        // Who comes from now on is told at once.
        if connections[slot].untold?.passed.isEmpty == true {
            connections[slot].untold?.lastNumber = lastMark
        }
        while let walk = connections[slot].untold {
            let next = next(on: walk, most: 64, of: Walk.stride)
            for model in next.found where isToBeTold(model, slot) {
                guard mayShow(model, slot),
                    add(model, to: &piece, slot, { $0.showArrival(model, to: slot, &$1) })
                else { return piece.lines }
            }
            guard let last = next.last else {
                connections[slot].untold = nil
                return piece.lines
            }
            connections[slot].untold?.passed = models[last.slot].address.text
            guard spent < turnEnd else { break }
        }
        if piece.lines.isEmpty { makeRunnable(slot) }
        return piece.lines
    }

    private func isToBeTold(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        isHere(model) && connections[slot].models[model] == nil && !isToJoin(model, slot)
    }

    private mutating func showArrival(
        _ model: ModelID, to slot: ConnectionSlot, _ lines: inout Lines
    ) {
        // Who wakes may make others speak, or come, or end.
        wake(model)
        guard isHere(model), connections[slot].untold != nil else { return }
        connections[slot].untold?.passed = models[model.slot].address.text
        refreshMembership(slot, of: model)
        guard connections[slot].models[model] != nil else { return }
        for line in snapshotLines(of: model, for: slot) {
            lines.append((Text(line: line), .notice))
        }
        let live = Line.live(models[model.slot].address, noteLive(model, to: slot))
        lines.append((Text(line: live), .notice))
    }
}
