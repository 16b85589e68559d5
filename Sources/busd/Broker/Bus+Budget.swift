import BusdProtocol

// The memory that connections and view models hold is charged to the `Budget`. If it exceeds a
// limit for all together, the largest holders give way, clients of the view socket first.

extension Bus {
    /// Memory that is held, by kind.
    package var held: HeldMemory { budget.held }

    /// Bytes that may be read from the socket of a connection now; 0: not before lines that wait
    /// have been handled.
    package func mostToRead(_ slot: ConnectionSlot) -> Int {
        intake.isRead(slot) ? budget.mostToRead(roster[slot].access) : 0
    }

    /// Updates the charge for the memory that the connection holds now.
    mutating func charge(_ slot: ConnectionSlot) {
        budget.charge(held(by: slot, delivery.backlog(of: slot)), to: slot)
        if budget.isOver(.unfinishedInput) { discardLongestLines() }
    }

    private func held(by slot: ConnectionSlot, _ backlog: borrowing Backlog) -> Budget.Holding {
        Budget.Holding(
            unfinished: intake.unfinished(of: slot), input: intake.count(of: slot),
            events: backlog.eventBytes, shared: backlog.sharedEventBytes,
            answers: backlog.keptBytes)
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

    /// Evicts the largest holders until the budget's goal for this kind is met.
    private mutating func evictLargest(
        _ kind: Budget.Kind, of holders: [Holder], _ evict: (inout Bus, Holder) -> Void
    ) {
        for holder in holders.sorted(by: { $0.givesWay(before: $1) }) {
            guard budget.isOverGoal(kind) else { return }
            evict(&self, holder)
        }
    }

    /// The connections that hold more than `least` bytes of a kind.
    private func holders(of bytes: (Budget.Holding) -> Int, over least: Int = 0) -> [Holder] {
        roster.slots.compactMap { slot in
            let held = bytes(budget.holding(of: slot))
            return held <= least
                ? nil : Holder(slot: slot, bytes: held, isView: roster[slot].access == .view)
        }
    }

    /// Discards the longest unfinished lines, up to their LF.
    private mutating func discardLongestLines() {
        let holders = holders(of: \.unfinishedInput, over: Limits.littleInput)
        evictLargest(.unfinishedInput, of: holders) { bus, holder in
            bus.intake.giveUpUnfinished(of: holder.slot)
            bus.charge(holder.slot)
            bus.makeReady(holder.slot)
        }
    }

    /// Called at the end of a turn: evicts events, and kept events and keys, that exceed the
    /// limits.
    mutating func evictLargest() {
        if budget.isOver(.events) {
            evictLargest(.events, of: holders(of: \.events)) { $0.dropEvents(of: $1.slot) }
        }
        guard budget.isOver(.history) else { return }
        // Without the events, a view that resumes gets a snapshot. Without the keys, durable things
        // still know their hashes.
        forget(\.eventBytes) { $0.forgetOlderEvents() }
        forget(\.keyBytes) { $0.forgetOlderKeys() }
    }

    /// Lets the view models that keep most forget the older half.
    private mutating func forget(_ bytes: (Stream) -> Int, _ forget: (Stream) -> Void) {
        let streams = roster.awake
        let holders = streams.indices.compactMap { index in
            let held = bytes(streams[index].stream)
            return held == 0 ? nil : Holder(slot: index, bytes: held)
        }
        evictLargest(.history, of: holders) { forget(streams[$1.slot].stream) }
    }

    // MARK: Questions

    /// Whether the connection's next request may be answered: a client that does not read its
    /// answers gets no more.
    func mayAnswer(_ slot: ConnectionSlot) -> Bool {
        budget.mayAnswer(delivery.unreadAnswers(of: slot), roster[slot].access)
    }

    /// Like `mayAnswer`, but answers of this turn do not count: the socket may take them.
    func hasRoom(_ slot: ConnectionSlot) -> Bool {
        budget.mayAnswer(
            delivery.backlog(of: slot).answerBytes, roster[slot].access)
    }

    /// Reads from the connection while there is room for answers, and not too much input waits. A
    /// closing connection is read too, but its input is ignored.
    mutating func setReading(_ slot: ConnectionSlot) {
        charge(slot)
        let wanted =
            roster[slot].stage == .closing
            || hasRoom(slot) && budget.mayRead(slot)
        if intake.read(slot, wanted) { effects.append(.read(slot, wanted)) }
    }

    /// While too much is unread, refuses to show a long snapshot, if possible before it is encoded:
    /// its last length is known. A kept snapshot is in memory already, so only its bytes that are
    /// not shared count. That ends at a quarter above the limit, because clients decide how long
    /// shared bytes stay in memory.
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
}
