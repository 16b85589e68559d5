import BusdProtocol

// What connections and view models hold is charged to the `Budget`. If all together hold too much,
// the largest holders give way: clients of the view socket first.

extension Bus {
    /// Bytes that are held of each kind.
    package var held: HeldMemory { budget.held }

    /// Bytes that may be read from a socket at once.
    package var mostToRead: Int { budget.mostToRead }

    /// Charges what the connection holds now.
    mutating func charge(_ slot: ConnectionSlot) {
        let held = roster[slot].held(delivery.backlog(of: slot))
        budget.charge(held, to: &roster[slot].holding)
        if budget.isOver(.unfinishedInput) { discardLongestLines() }
    }

    /// Changes a backlog, and charges it.
    mutating func withBacklog<Result>(
        of slot: ConnectionSlot, _ change: (inout Backlog) -> Result
    ) -> Result {
        defer { charge(slot) }
        return delivery.changeBacklog(of: slot, change)
    }

    // MARK: Eviction

    private struct Holder {
        /// The slot of a connection, or the index of a stream.
        let slot: Int
        let bytes: Int
        var isView = false

        func givesWay(before other: Holder) -> Bool {
            isView != other.isView ? isView : bytes > other.bytes
        }
    }

    /// Lets the largest holders give way until enough is free.
    private mutating func evictLargest(
        _ kind: Budget.Kind, of holders: [Holder], _ evict: (inout Bus, Holder) -> Void
    ) {
        for holder in holders.sorted(by: { $0.givesWay(before: $1) }) {
            guard budget.isOverGoal(kind) else { return }
            evict(&self, holder)
        }
    }

    private func holders(of bytes: (Budget.Holding) -> Int, over least: Int = 0) -> [Holder] {
        roster.slots.compactMap { slot in
            let held = bytes(roster[slot].holding)
            return held <= least
                ? nil : Holder(slot: slot, bytes: held, isView: roster[slot].access == .view)
        }
    }

    /// The longest lines without an end are discarded, up to their LF.
    private mutating func discardLongestLines() {
        let holders = holders(of: \.unfinishedInput, over: Limits.littleInput)
        evictLargest(.unfinishedInput, of: holders) { bus, holder in
            bus.roster[holder.slot].input.giveUpUnfinished()
            bus.charge(holder.slot)
            bus.makeReady(holder.slot)
        }
    }

    /// At the end of a turn.
    mutating func evictLargest() {
        if budget.isOver(.events) {
            evictLargest(.events, of: holders(of: \.events)) { $0.dropEvents(of: $1.slot) }
        }
        guard budget.isOver(.history) else { return }
        // A view that comes back later gets a snapshot instead. Things remember hashes of the keys.
        forget(\.eventBytes) { $0.forgetOlderEvents() }
        forget(\.keyBytes) { $0.forgetOlderKeys() }
    }

    /// Lets the view models of which most is kept forget the older half.
    private mutating func forget(_ bytes: (Stream) -> Int, _ forget: (Stream) -> Void) {
        let streams = roster.awake
        let holders = streams.indices.compactMap { index in
            let held = bytes(streams[index].stream)
            return held == 0 ? nil : Holder(slot: index, bytes: held)
        }
        evictLargest(.history, of: holders) { forget(streams[$1.slot].stream) }
    }

    // MARK: Questions

    /// A client that does not read is answered nothing more until it has read its answers.
    func mayAnswer(_ slot: ConnectionSlot) -> Bool {
        budget.mayAnswer(delivery.unreadAnswers(of: slot), roster[slot].access)
    }

    /// Whether the connection has read enough to be answered in the next turn.
    func hasRoom(_ slot: ConnectionSlot) -> Bool {
        budget.mayAnswer(
            delivery.backlog(of: slot).answerBytes, roster[slot].access)
    }

    /// Reads on while there is room for answers and not too much input waits.
    mutating func setReading(_ slot: ConnectionSlot) {
        charge(slot)
        let wanted =
            roster[slot].stage == .closing
            || hasRoom(slot)
                && budget.mayRead(
                    roster[slot].holding, roster[slot].input.count,
                    roster[slot].access)
        guard wanted != roster[slot].isReading else { return }
        roster[slot].isReading = wanted
        effects.append(.read(slot, wanted))
    }

    /// While too much is unread, no long snapshot is encoded or copied: its length when it was last
    /// shown tells beforehand. A snapshot that is kept and shared is in memory already; but even
    /// of these there is a limit, because the client decides how long it keeps them.
    mutating func checkRoom(toShow model: ModelID, _ slot: ConnectionSlot) throws(WireError) {
        let access = roster[slot].access
        let excess = budget.excess(for: access)
        guard excess > 0 else { return }
        if excess <= budget.mostUnread(of: access) / 4,
            let kept = kept.find(model, roster[model].seq)
        {
            return try checkRoom(for: kept.ownLength, access)
        }
        try checkRoom(for: roster[model].stream?.shownLength ?? 0, access)
        try checkRoom(for: snapshot(of: model).length, access)
    }

    private func checkRoom(for length: Int, _ access: Access) throws(WireError) {
        guard length >= kept.least else { return }
        throw WireError(
            .overloaded,
            "more than \(budget.mostUnread(of: access)) bytes of output are unread: try again later "
                + "(limit outputTotal)")
    }

    var inputDiscarded: WireError {
        WireError(
            .overloaded,
            "unfinished lines have more than \(limits.inputTotal) bytes together, and this was "
                + "one of the longest (limit inputTotal)")
    }
}

extension Connection {
    fileprivate func held(_ backlog: borrowing Backlog) -> Budget.Holding {
        let unfinished = input.unfinished
        return Budget.Holding(
            unfinishedInput: unfinished, waitingInput: unfinished == 0 ? input.count : 0,
            events: backlog.eventBytes, answers: backlog.keptBytes)
    }
}
