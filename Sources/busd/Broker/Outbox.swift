package import Protocol

/// What view models have said since the bus last took it: their events, encoded once, and which of
/// them have come and gone, all in one order.
package final class Outbox {
    package struct Arrival {
        package let model: ModelID
        package let address: Address
        package let kind: KindID
        package let isOnDemand: Bool

        package init(model: ModelID, address: Address, kind: KindID, isOnDemand: Bool) {
            self.model = model
            self.address = address
            self.kind = kind
            self.isOnDemand = isOnDemand
        }
    }

    package struct Event {
        package let model: ModelID
        /// Where its JSON stands in `bytes`.
        package let json: Range<Int>
        /// The same view model says more in this update.
        package fileprivate(set) var hasMore = false
    }

    package enum Entry {
        case arrived(Arrival)
        case said(Event)
        case ended(ModelID)

        var model: ModelID {
            switch self {
            case .arrived(let arrival): arrival.model
            case .said(let event): event.model
            case .ended(let model): model
            }
        }
    }

    /// What has been said while one input was handled.
    struct Update {
        fileprivate(set) var entries: [Entry] = []
        fileprivate var writer = JSONWriter()

        func json(of event: Event) -> ArraySlice<UInt8> { writer.bytes[event.json] }
    }

    private var update = Update()
    /// An update that has been dealt with, whose memory serves again.
    private var spare = Update()
    /// For each slot the entry of its last event, `-1` where it has said nothing.
    private var lastEvent: [Int] = []

    package init() {}

    package var isEmpty: Bool { update.entries.isEmpty }
    package var entries: [Entry] { update.entries }

    package func append(_ arrival: Arrival) { update.entries.append(.arrived(arrival)) }

    package func append(ended model: ModelID) { update.entries.append(.ended(model)) }

    /// Encodes an event. Throws where it holds what JSON has no form for; then nothing is said.
    package func append(_ event: some WireEvent, from model: ModelID) throws {
        let start = update.writer.bytes.count
        update.writer.beginDocument()
        try update.writer.value(encoding: event)
        markMore(from: model)
        lastEvent[model.slot] = update.entries.count
        update.entries.append(.said(Event(model: model, json: start..<update.writer.bytes.count)))
    }

    private func markMore(from model: ModelID) {
        while lastEvent.count <= model.slot { lastEvent.append(-1) }
        let last = lastEvent[model.slot]
        if last >= 0, case .said(var event) = update.entries[last], event.model == model {
            event.hasMore = true
            update.entries[last] = .said(event)
        }
    }

    // MARK: Taking

    /// What has been said since the last time; `nil` where that is nothing.
    func take() -> Update? {
        guard !isEmpty else { return nil }
        for entry in update.entries {
            if case .said(let event) = entry { lastEvent[event.model.slot] = -1 }
        }
        let taken = update
        update = spare
        spare = Update()
        return taken
    }

    /// An update that has been dealt with.
    func giveBack(_ update: consuming Update) {
        // One of an unusual size gives its memory back.
        guard update.entries.count < 1_000 else { return }
        update.entries.removeAll(keepingCapacity: true)
        update.writer.removeAll()
        spare = update
    }
}
