import BusdProtocol

// A catch-up shows a connection view models that it missed or asked for, in steps (`CatchUps`). It
// has a place in the backlog. When everything before the place has been written, `step` makes the
// next lines, as many as the turn and the reader have room for. They are put before the place,
// which is removed when the catch-up is complete.
//
// A connection is *behind* while its backlog has such a place. There are three reasons for one:
//
// - Events for the connection were dropped (Bus+SlowViews.swift).
// - View models arrived while the connection was behind.
// - The client has sent `list`, or `subscribe` with a pattern, and one step cannot write
//   everything. (`unsubscribe` with a pattern is done in pieces too, but writes only its answer, at
//   the end. So it has no place: Bus+Leaving.swift.)
//
// The next request of a connection waits for the catch-up of a request, and for no other.

extension Bus {
    /// The catch-ups of a connection. If it has none, a new object that it does not keep.
    func catchUps(of slot: ConnectionSlot) -> CatchUps {
        outlet.catchUps(of: slot) ?? CatchUps()
    }

    /// Changes the catch-ups of a connection. It keeps the object only while there are some.
    mutating func withCatchUps<Result>(
        of slot: ConnectionSlot, _ change: (CatchUps) -> Result
    ) -> Result {
        let catchUps = catchUps(of: slot)
        defer { outlet.keep(catchUps, of: slot) }
        return change(catchUps)
    }

    // MARK: Places

    /// The number of a catch-up that begins now. The lines of this turn are queued, so its place
    /// follows them.
    mutating func nextCatchUp(of slot: ConnectionSlot) -> Int {
        queueTurn(of: slot)
        return catchUps(of: slot).lastNumber + 1
    }

    /// Queues the first lines of a request's catch-up, and its place if there are more.
    mutating func queue(
        _ number: Int, _ lines: Lines, isComplete: Bool, _ slot: ConnectionSlot
    ) {
        delivery.queue(lines, for: slot)
        if !isComplete { delivery.queue(catchUp: number, isOpen: false, for: slot) }
        charge(slot)
        awaitWritable(slot)
    }

    // MARK: Arrivals

    /// A view model has arrived while the connection is behind. The open catch-up shows it, or, if
    /// that one has begun its walk, a new one. A walk stores a range of numbers, so it needs no
    /// memory for each arrival.
    mutating func showLater(_ model: ModelID, _ slot: ConnectionSlot) {
        queueTurn(of: slot)
        let number = roster[model].number
        if let open = delivery.backlog(of: slot).openCatchUp,
            outlet.catchUps(of: slot)?.takesArrivals(open) ?? false
        {
            return withCatchUps(of: slot) { $0.showArrivals(from: number, in: open) }
        }
        let catchUp = nextCatchUp(of: slot)
        withCatchUps(of: slot) { catchUps in
            catchUps.begin(catchUp)
            catchUps.showArrivals(from: number, in: catchUp)
        }
        delivery.queue(catchUp: catchUp, isOpen: true, for: slot)
    }

    // MARK: Ends of waits

    /// The view model is shown in another way than by its catch-up, or never again. The catch-up
    /// keeps the `gap`, and from now on events are queued.
    mutating func endWaitEarly(_ model: ModelID, _ slot: ConnectionSlot) {
        endWait(of: model, slot)
        setWatchState(slot, of: model)
    }

    /// Ends the wait of the view model, if it waits; its watch state is left to the caller. Returns
    /// whether the connection was shown the view model before.
    @discardableResult
    mutating func endWait(of model: ModelID, _ slot: ConnectionSlot) -> Bool {
        guard let catchUps = outlet.catchUps(of: slot) else { return true }
        let (address, seq) = (roster[model].address, roster[model].seq)
        guard let wait = catchUps.endWaitEarly(model, address, at: seq) else { return true }
        if catchUps.isBeingPrepared(wait.catchUp), let missed = wait.missed(at: seq) {
            // What follows, such as `gone`, precedes the place of the catch-up.
            enqueue(gapLine(address, missed: missed, slot), .notice, to: slot)
        }
        noteShown(model, slot)
        return wait.previous != nil
    }

    /// The connection ends all its subscriptions. Its catch-ups show gaps, but no view models.
    mutating func endAllWaitsEarly(_ slot: ConnectionSlot) {
        stopPreparing(slot)
        guard let catchUps = outlet.catchUps(of: slot) else { return }
        for model in catchUps.waiting where isHere(model) { endWaitEarly(model, slot) }
        withCatchUps(of: slot) { $0.stopWalks() }
        outlet.endJoin(slot)
        retryCatchUp(slot)
    }

    // MARK: Steps

    /// If a catch-up is at the front of the backlog, puts its next lines before it. Returns false
    /// if it has none now.
    mutating func catchUp(_ slot: ConnectionSlot) -> Bool {
        while let number = delivery.backlog(of: slot).catchUpAtFront {
            // A join must not pass what it has named, before that is reported as gone.
            guard !isHiding(slot) else { return false }
            outlet.goOn(slot)
            let (lines, isComplete) = step(of: number, slot)
            guard isHere(slot) else { return false }
            outlet.catchUps(of: slot)?.stepped()
            guard isComplete || !lines.isEmpty else {
                // A stopping daemon shows nothing more, so the catch-up waits for `sendGoodbyes`.
                let isPutOff = outlet.catchUps(of: slot)?.pace == .putOff
                if !isPutOff, !isStopping { writeLater(slot) }
                return false
            }
            delivery.fill(lines, isComplete: isComplete, for: slot)
            charge(slot)
            guard lines.isEmpty else { return true }
        }
        return true
    }

    /// Retries the catch-up at the front of the backlog, if there is one: it may have waited for
    /// room.
    mutating func retryCatchUp(_ slot: ConnectionSlot) {
        outlet.goOn(slot)
        let isNext = delivery.backlog(of: slot).catchUpAtFront != nil
        if isNext, !outlet.isFull(slot) { writeLater(slot) }
    }

    /// The next lines of a catch-up: as many as the turn and the reader have room for, but at least
    /// one view model or row.
    mutating func step(
        of number: Int, _ slot: ConnectionSlot
    ) -> (lines: Lines, isComplete: Bool) {
        var piece = Piece(most: budget.mostOfStep)
        let isComplete =
            writeAnswer(of: number, slot, &piece) && showItems(of: number, slot, &piece)
            && walkOn(number, slot, &piece)
        guard isComplete else { return (piece.lines, false) }
        if outlet.catchUps(of: slot)?.request == number { outlet.endJoin(slot) }
        withCatchUps(of: slot) { $0.complete(number) }
        return (piece.lines, true)
    }

    /// Writes the next part of the answer. Returns whether the answer is complete.
    private mutating func writeAnswer(
        of number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        guard var answer = outlet.catchUps(of: slot)?.answer(of: number) else { return true }
        var line = Text()
        let isComplete = write(&answer, to: &line, slot)
        if isComplete { line.append("\n") }
        spend(line.length)
        piece.add([(line, .answer)])
        withCatchUps(of: slot) { $0.setAnswer(isComplete ? nil : answer, of: number) }
        return isComplete
    }

    /// Shows the next items of the list. Returns whether these were the last.
    private mutating func showItems(
        of number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        while let item = outlet.catchUps(of: slot)?.nextItem(of: number) {
            guard hasRoom(piece) else { return false }
            switch item {
            case .gap(_, let address, let missed):
                add(to: &piece) { $0.showGap(address, missed: missed, slot, &$1) }
                outlet.catchUps(of: slot)?.passItem(of: number)
            case .show(let model):
                guard mayShow(model, slot) else { return false }
                add(to: &piece) { $0.show(model, number, slot, &$1) }
                outlet.catchUps(of: slot)?.passItem(of: number, showing: model)
            }
        }
        return true
    }

    /// Shows the next view models of the walk. Returns whether these were the last.
    private mutating func walkOn(
        _ number: Int, _ slot: ConnectionSlot, _ piece: inout Piece
    ) -> Bool {
        guard outlet.catchUps(of: slot)?.walk(of: number) != nil else { return true }
        // A daemon that stops completes answers, and shows nothing more.
        guard !isStopping else { return roster[slot].stage == .closing }
        outlet.catchUps(of: slot)?.beginWalk(of: number, lastNumber: roster.lastNumber)
        while let walk = outlet.catchUps(of: slot)?.walk(of: number) {
            let next = next(on: walk, for: slot, most: 16, of: Walk.stride)
            for model in next.found where isToShow(model, number, slot) {
                guard hasRoom(piece), mayShow(model, slot) else { return false }
                let address = roster[model].address.text
                add(to: &piece) { $0.show(model, number, slot, &$1) }
                outlet.catchUps(of: slot)?.pass(address, of: number)
            }
            guard let last = next.last else { break }
            outlet.catchUps(of: slot)?.pass(roster[last].address.text, of: number)
            guard spent < scheduler.visitEnd else { return false }
        }
        if outlet.catchUps(of: slot)?.request == number,
            let pattern = outlet.catchUps(of: slot)?.walk(of: number)?.pattern
        {
            piece.add([(Text(line: Line.live(pattern)), .joined(nil, seq: 0))])
        }
        return true
    }

    /// A request shows every match, also view models that the connection watches already. Other
    /// catch-ups show a view model only if the connection is subscribed to it and does not watch it
    /// yet, and if the request will not show it.
    private mutating func isToShow(
        _ model: ModelID, _ number: Int, _ slot: ConnectionSlot
    ) -> Bool {
        guard isHere(model), let catchUps = outlet.catchUps(of: slot) else { return false }
        guard catchUps.request != number else { return true }
        guard roster[slot].watches[model] == nil else { return false }
        spend(Cost.comparison * roster[slot].subscriptions.count)  // fits: a limit
        return isSubscribed(to: model, slot) && !catchUps.isShownByRequest(roster[model])
    }

    /// Shows the present state of a view model, after its gap. From now on its events are queued
    /// for the connection.
    private mutating func show(
        _ model: ModelID, _ number: Int, _ slot: ConnectionSlot, _ lines: inout Lines
    ) {
        // Waking it may make view models emit, arrive or end.
        wake(model)
        guard isHere(model), let catchUps = outlet.catchUps(of: slot) else { return }
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
        lines.append((Text(line: gapLine(address, missed: missed, slot)), .notice))
    }

    /// Counts a gap, and returns its line.
    private mutating func gapLine(
        _ address: Address, missed: Int, _ slot: ConnectionSlot
    ) -> [UInt8] {
        outlet.miss(missed, slot)
        reports.countGap()
        viewsChanged()
        return Line.gap(address, missed: missed)
    }

    /// Whether another view model or gap may be added to the piece.
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
