import BusdProtocol

/// Sends with actions that are neither applied nor refused yet, in the order of the log, and the
/// answers that are queued behind them. All connections have one queue, so an answer also waits for
/// earlier sends of other connections. Bus+Pending.swift decides which requests may be handled
/// meanwhile; the others wait as the front line of their connection.
struct Pending {
    /// A handled `send` that has proposed an action.
    struct Send {
        /// The number of its log entry, as in `SendResult.pending`.
        let number: Int
        let origin: Bus.Origin
        let model: ModelID
        /// The address of `model`: another view model may have it when the action is applied.
        let address: Address
        let cause: Cause?
        /// It creates, deletes or moves a thing.
        let changesLibrary: Bool
    }

    private enum Item {
        case send(Send)
        /// The answer to another request. It was queued behind pending sends of its connection. The
        /// number tells connections of the same slot apart.
        case answer([UInt8], ConnectionSlot, connection: Int)
    }

    /// What a connection has here. Counts have 32 bits, because there may be thousands of
    /// connections; see `Bus.mostPendingOfConnection`.
    private struct Share {
        /// Its pending sends, and answers queued behind them.
        var count: Int32 = 0
        /// Its pending sends that create, delete or move a thing.
        var libraryChanges: Int32 = 0
        /// Its front line waits for the outcome of pending sends.
        var isWaiting = false
    }

    private var items = Queue<Item>()
    /// By slot of the view model: the number of pending sends to it, and to one that had the slot
    /// before.
    private var counts: [Int32] = []

    /// By connection slot.
    private var shares: [Share] = []
    /// Connections with a front line that waits. Some may be closed.
    private var waiting: [ConnectionSlot] = []
    /// The log has more committed entries than the last turn had room to apply.
    private(set) var hasMore = false

    var isEmpty: Bool { items.isEmpty }

    /// `hasMore`: as above.
    mutating func applied(hasMore: Bool) { self.hasMore = hasMore }

    // MARK: Connections

    mutating func admit(_ slot: ConnectionSlot) {
        if slot == shares.count { shares.append(Share()) } else { shares[slot] = Share() }
    }

    /// Number of its pending sends, with the answers behind them.
    func count(of slot: ConnectionSlot) -> Int { Int(widening: shares[slot].count) }

    /// Whether a pending `send` of the connection creates, deletes or moves a thing.
    func changesLibrary(_ slot: ConnectionSlot) -> Bool { shares[slot].libraryChanges > 0 }

    /// The front line of the connection is retried when pending sends have been settled.
    mutating func wait(_ slot: ConnectionSlot) {
        shares[slot].isWaiting = true
        waiting.append(slot)
    }

    func isWaiting(_ slot: ConnectionSlot) -> Bool { shares[slot].isWaiting }

    /// Ends all waits, and returns their connections.
    mutating func takeWaiting() -> [ConnectionSlot] {
        var slots: [ConnectionSlot] = []
        for slot in waiting where shares[slot].isWaiting {
            shares[slot].isWaiting = false
            slots.append(slot)
        }
        waiting = []
        return slots
    }

    // MARK: The queue

    /// View models with pending sends, some of them repeatedly.
    var models: some Sequence<ModelID> {
        items.lazy.compactMap { if case .send(let send) = $0 { send.model } else { nil } }
    }

    /// Whether a `send` to the view model is pending.
    func concerns(_ model: ModelID) -> Bool {
        model.slot < counts.count && counts[model.slot] > 0
    }

    /// The `send` at the front; `nil`: an answer is at the front, or nothing.
    var next: Send? {
        guard case .send(let send) = items.first else { return nil }
        return send
    }

    mutating func append(_ send: Send) {
        items.append(.send(send))
        while counts.count <= send.model.slot { counts.append(0) }
        counts[send.model.slot] &+= 1
        shares[send.origin.slot].count &+= 1
        if send.changesLibrary { shares[send.origin.slot].libraryChanges &+= 1 }
    }

    mutating func append(_ answer: [UInt8], to slot: ConnectionSlot, connection: Int) {
        items.append(.answer(answer, slot, connection: connection))
        shares[slot].count &+= 1
    }

    /// Takes the `send` at the front if it has this number; `nil`: no `send` proposed the action.
    mutating func take(_ number: Int) -> Send? {
        guard let send = next, send.number == number else { return nil }
        _ = items.takeFirst()
        counts[send.model.slot] &-= 1
        return send
    }

    /// Takes the answer at the front; `nil`: a `send` is at the front, or nothing.
    mutating func takeAnswer() -> (line: [UInt8], slot: ConnectionSlot, connection: Int)? {
        guard case .answer(let line, let slot, let connection) = items.first else { return nil }
        _ = items.takeFirst()
        return (line, slot, connection)
    }

    /// A `send` of the connection, or an answer behind it, is done. It is counted until then, and
    /// not only until it is taken. Returns whether it was the last one.
    ///
    /// - Parameter changesLibrary: as in the `send`; false for an answer.
    mutating func settle(_ slot: ConnectionSlot, changesLibrary: Bool = false) -> Bool {
        if changesLibrary { shares[slot].libraryChanges &-= 1 }
        shares[slot].count &-= 1
        return shares[slot].count == 0
    }
}
