import BusdProtocol

// A connection is behind while its backlog holds the place of a catch-up: because events for it
// were dropped (Bus+SlowViews.swift), because view models arrived meanwhile, or because it asked
// for more than one step can write: `list` or `subscribe` with a pattern. All of these are shown
// here. When everything before the place has been written, the catch-up goes on as far as the turn
// and the reader have room; its lines are put before its place.
//
// The next request of a connection waits for the catch-up of a request, and for no other.

extension Bus {
    func catchUps(of slot: ConnectionSlot) -> CatchUps {
        if let catchUps = roster[slot].catchUps { return catchUps }
        return CatchUps()
    }

    /// Changes what the connection is behind with.
    mutating func withCatchUps<Result>(
        of slot: ConnectionSlot, _ change: (CatchUps) -> Result
    ) -> Result {
        let catchUps = catchUps(of: slot)
        defer { roster[slot].catchUps = catchUps.isEmpty ? nil : catchUps }
        return change(catchUps)
    }

    // MARK: Places

    mutating func nextCatchUp(of slot: ConnectionSlot) -> Int {
        queueTurn(of: slot)
        roster[slot].lastCatchUp += 1
        return roster[slot].lastCatchUp
    }

    /// Queues the first lines of a request's catch-up, and its place if there are more.
    mutating func queue(
        _ number: Int, _ lines: Lines, isComplete: Bool, _ slot: ConnectionSlot
    ) {
        withBacklog(of: slot) { backlog in
            for line in lines { backlog.append(line.text, line.kind) }
            if !isComplete { backlog.append(catchUp: number, isOpen: false) }
        }
        awaitWritable(slot)
    }

    // MARK: Arrivals

    /// The connection is behind, so the view model is shown by its last catch-up, or by a new one
    /// if that has begun. Nothing of the view model is kept for this, however many arrive.
    mutating func showLater(_ model: ModelID, _ slot: ConnectionSlot) {
        queueTurn(of: slot)
        let number = roster[model].number
        if let open = delivery.backlog(of: slot).openCatchUp,
            roster[slot].catchUps?.takesArrivals(open) ?? false
        {
            return withCatchUps(of: slot) { $0.showArrivals(from: number, in: open) }
        }
        let catchUp = nextCatchUp(of: slot)
        withCatchUps(of: slot) { catchUps in
            catchUps.begin(catchUp)
            catchUps.showArrivals(from: number, in: catchUp)
        }
        withBacklog(of: slot) { $0.append(catchUp: catchUp, isOpen: true) }
    }

    // MARK: Ends of waits

    /// The view model is shown to the connection apart from its catch-up, or never again: the
    /// catch-up keeps its gap, and events are queued again.
    mutating func endWaitEarly(_ model: ModelID, _ slot: ConnectionSlot) {
        endWait(of: model, slot)
        setWatchState(slot, of: model)
    }

    /// Returns whether the connection was shown the view model before.
    @discardableResult
    mutating func endWait(of model: ModelID, _ slot: ConnectionSlot) -> Bool {
        guard let catchUps = roster[slot].catchUps else { return true }
        let (address, seq) = (roster[model].address, roster[model].seq)
        guard let wait = catchUps.endWaitEarly(model, address, at: seq) else { return true }
        noteShown(model, slot)
        return wait.previous != nil
    }

    /// The connection wants to hear nothing any more.
    mutating func endAllWaitsEarly(_ slot: ConnectionSlot) {
        guard let catchUps = roster[slot].catchUps else { return }
        for model in catchUps.waiting where isHere(model) { endWaitEarly(model, slot) }
        withCatchUps(of: slot) { $0.stopWalks() }
        roster.joiners.remove(slot)
        retryCatchUp(slot)
    }

    // MARK: Steps

    /// Writes the next lines of the catch-up at the front of the backlog. Returns false if there
    /// are none now.
    mutating func catchUp(_ slot: ConnectionSlot) -> Bool {
        while let number = delivery.backlog(of: slot).catchUpAtFront {
            roster[slot].isCatchUpPutOff = false
            let (lines, isComplete) = step(of: number, slot)
            roster[slot].isCatchUpDue = false
            guard isHere(slot) else { return false }
            guard isComplete || !lines.isEmpty else {
                let isStopped = isStopping && !roster[slot].isBeingAnswered
                if !roster[slot].isCatchUpPutOff, !isStopped { writeLater(slot) }
                return false
            }
            withBacklog(of: slot) { $0.fill(lines, isComplete: isComplete) }
            guard lines.isEmpty else { return true }
        }
        return true
    }

    /// Something has happened that a catch-up at the front may have waited for.
    mutating func retryCatchUp(_ slot: ConnectionSlot) {
        roster.putOff.remove(slot)
        roster[slot].isCatchUpPutOff = false
        let isNext = delivery.backlog(of: slot).catchUpAtFront != nil
        if isNext, !roster[slot].isBlocked { writeLater(slot) }
    }

    /// The next lines of a catch-up: as many as the turn and the reader have room for, at least one
    /// view model or row.
    mutating func step(
        of number: Int, _ slot: ConnectionSlot
    ) -> (lines: Lines, isComplete: Bool) {
        var piece = Piece(most: budget.mostOfStep)
        let isComplete =
            writeAnswer(of: number, slot, &piece) && showItems(of: number, slot, &piece)
            && walkOn(number, slot, &piece)
        guard isComplete else { return (piece.lines, false) }
        if roster[slot].catchUps?.request == number { roster.joiners.remove(slot) }
        withCatchUps(of: slot) { $0.complete(number) }
        return (piece.lines, true)
    }

    /// Writes the next part of the answer. Returns whether the answer is complete.
    private mutating func writeAnswer(
        of number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        guard var answer = roster[slot].catchUps?.answer(of: number) else { return true }
        var line = Text()
        let isComplete = write(&answer, to: &line)
        if isComplete { line.append("\n") }
        spend(line.length)
        piece.add([(line, .answer)])
        withCatchUps(of: slot) { $0.setAnswer(isComplete ? nil : answer, of: number) }
        return isComplete
    }

    private mutating func showItems(
        of number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        while let item = roster[slot].catchUps?.nextItem(of: number) {
            guard hasRoom(piece) else { return false }
            switch item {
            case .gap(_, let address, let missed):
                add(to: &piece) { $0.showGap(address, missed: missed, slot, &$1) }
                roster[slot].catchUps?.passItem(of: number)
            case .show(let model):
                guard mayShow(model, slot) else { return false }
                add(to: &piece) { $0.show(model, number, slot, &$1) }
                roster[slot].catchUps?.passItem(of: number, showing: model)
            }
        }
        return true
    }

    /// Shows the next view models of the walk. Returns whether these were the last.
    private mutating func walkOn(
        _ number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        guard roster[slot].catchUps?.walk(of: number) != nil else { return true }
        // A daemon that stops completes answers, and shows nothing more.
        guard !isStopping else { return roster[slot].stage == .closing }
        roster[slot].catchUps?.beginWalk(of: number, lastNumber: roster.lastMark)
        while let walk = roster[slot].catchUps?.walk(of: number) {
            let next = next(on: walk, most: 64, of: Walk.stride)
            for model in next.found where isToShow(model, number, slot) {
                guard hasRoom(piece), mayShow(model, slot) else { return false }
                let address = roster[model].address.text
                add(to: &piece) { $0.show(model, number, slot, &$1) }
                roster[slot].catchUps?.pass(address, of: number)
            }
            guard let last = next.last else { break }
            roster[slot].catchUps?.pass(roster[last].address.text, of: number)
            guard spent < scheduler.visitEnd else { return false }
        }
        if roster[slot].catchUps?.request == number,
            let pattern = roster[slot].catchUps?.walk(of: number)?.pattern
        {
            piece.lines.append((Text(line: Line.live(pattern)), .joined(nil, seq: 0)))
        }
        return true
    }

    /// A request shows everything that matches; other catch-ups show what is not heard yet.
    private func isToShow(_ model: ModelID, _ number: Int, _ slot: ConnectionSlot) -> Bool {
        guard isHere(model), let catchUps = roster[slot].catchUps else { return false }
        return catchUps.request == number
            || roster[slot].watches[model] == nil
                && !catchUps.isShownByRequest(roster[model])
    }

    /// Shows a view model as it is now. From here on the connection hears it.
    private mutating func show(
        _ model: ModelID, _ number: Int, _ slot: ConnectionSlot, _ lines: inout Lines
    ) {
        // Waking it may make others emit, arrive or end.
        wake(model)
        guard isHere(model), let catchUps = roster[slot].catchUps else { return }
        let isRequest = catchUps.request == number
        if roster[slot].watches[model] == nil {
            if isRequest { catchUps.releaseMembership(of: number) }
            refreshWatch(slot, of: model)
            guard roster[slot].watches[model] != nil else { return }
        }
        let (address, seq) = (roster[model].address, roster[model].seq)
        if let missed = catchUps.take(model)?.missed(at: seq) {
            showGap(address, missed: missed, slot, &lines)
        }
        if isRequest { refreshWatch(slot, of: model) }
        for line in snapshotLines(of: model, for: slot) {
            lines.append((Text(line: line), isRequest ? .answer : .notice))
        }
        setWatchState(slot, of: model)
        let live = Text(line: Line.live(address, noteLive(model, to: slot)))
        lines.append((live, isRequest ? .joined(model, seq: seq) : .notice))
    }

    private mutating func showGap(
        _ address: Address, missed: Int, _ slot: ConnectionSlot, _ lines: inout Lines
    ) {
        roster[slot].missed += missed
        reports.gaps += 1
        viewsChanged()
        lines.append((Text(line: Line.gap(address, missed: missed)), .notice))
    }

    private func hasRoom(_ piece: Piece) -> Bool {
        piece.lines.isEmpty || piece.length < piece.most && spent < scheduler.visitEnd
    }

    private mutating func add(
        to piece: inout Piece, _ show: (inout Bus, inout Lines) -> Void
    ) {
        var lines: Lines = []
        show(&self, &lines)
        let before = piece.length
        piece.add(lines)
        spend(Cost.join + piece.length - before)
    }
}
