import BusdProtocol

/// Sends with actions that are neither applied nor refused yet, in the order of the log, and the
/// answers that are queued behind them. All connections have one queue, so an answer also waits for
/// earlier sends of other connections. Bus+Pending.swift decides which requests may be handled
/// meanwhile.
struct Pending {
    /// A handled `send` that has proposed an action.
    struct Send {
        /// The number of its log entry, as in `SendResult.pending`.
        let number: Int
        let origin: Bus.Origin
        var model: ModelID
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

    private var items: [Item] = []
    /// Items before this index have been taken.
    private var taken = 0
    /// Number of pending sends to each view model that has some.
    private var counts: [ModelID: Int] = [:]

    /// Connections with a line that waits for the outcome of pending sends.
    private var waiting: [ConnectionSlot] = []
    /// The log has more committed entries than the last turn had room to apply.
    var hasMore = false

    var isEmpty: Bool { taken == items.count }

    /// The front line of the connection is retried when pending sends have been settled.
    mutating func wait(_ slot: ConnectionSlot) { waiting.append(slot) }

    mutating func takeWaiting() -> [ConnectionSlot] {
        defer { waiting = [] }
        return waiting
    }

    /// View models with pending sends.
    var models: some Collection<ModelID> { counts.keys }

    /// Whether a `send` to the view model is pending.
    func concerns(_ model: ModelID) -> Bool { !counts.isEmpty && counts[model] != nil }

    /// The `send` at the front; `nil`: an answer is at the front, or nothing.
    var next: Send? {
        guard !isEmpty, case .send(let send) = items[taken] else { return nil }
        return send
    }

    mutating func append(_ send: Send) {
        items.append(.send(send))
        counts[send.model, default: 0] += 1
    }

    mutating func append(_ answer: [UInt8], to slot: ConnectionSlot, connection: Int) {
        items.append(.answer(answer, slot, connection: connection))
    }

    /// Takes the `send` at the front if it has this number; `nil`: no `send` proposed the action.
    mutating func take(_ number: Int) -> Send? {
        guard !isEmpty, case .send(let send) = items[taken], send.number == number else {
            return nil
        }
        advance()
        counts[send.model]? -= 1
        if counts[send.model] == 0 { counts[send.model] = nil }
        return send
    }

    /// Takes the answer at the front; `nil`: a `send` is at the front, or nothing.
    mutating func takeAnswer() -> (line: [UInt8], slot: ConnectionSlot, connection: Int)? {
        guard !isEmpty, case .answer(let line, let slot, let connection) = items[taken] else {
            return nil
        }
        advance()
        return (line, slot, connection)
    }

    private mutating func advance() {
        taken += 1
        if taken == items.count {
            items.removeAll(keepingCapacity: taken < 4_096)
            taken = 0
        }
    }
}
