import BusdProtocol

/// Sends with actions that are neither applied nor refused yet, in the order of the log, and the
/// answers behind them; see Bus+Pending.swift.
struct Pending {
    /// A handled `send` that has proposed an action.
    struct Send {
        /// As in `SendResult.pending`.
        let number: Int
        let origin: Bus.Origin
        var model: ModelID
        /// Another view model may be at the address when the action is applied.
        let address: Address
        let cause: Cause?
        /// It creates, deletes or moves a thing.
        let changesLibrary: Bool
    }

    private enum Item {
        case send(Send)
        /// An answer behind the answers to sends of the same connection.
        case answer([UInt8], ConnectionSlot, connection: Int)
    }

    private var items: [Item] = []
    /// How many of them have been taken.
    private var taken = 0
    /// How many sends are pending, of each view model that has one.
    private var counts: [ModelID: Int] = [:]

    /// Connections with a line that waits for the outcome of pending sends.
    private var waiting: [ConnectionSlot] = []
    /// The log has more than the last turn had room to apply.
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

    func concerns(_ model: ModelID) -> Bool { !counts.isEmpty && counts[model] != nil }

    /// The next `send`, unless an answer comes first.
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

    /// Takes the `send` with that number; `nil` if the action was proposed by no `send`.
    mutating func take(_ number: Int) -> Send? {
        guard !isEmpty, case .send(let send) = items[taken], send.number == number else {
            return nil
        }
        advance()
        counts[send.model]? -= 1
        if counts[send.model] == 0 { counts[send.model] = nil }
        return send
    }

    /// Takes an answer with no `send` before it.
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
