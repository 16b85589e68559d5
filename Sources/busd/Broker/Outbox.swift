package import Protocol

/// What view models have said since the bus last took it: their events, encoded once, and which of them
/// have come and gone, all in one order.
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
    }

    package private(set) var entries: [Entry] = []
    package private(set) var writer = JSONWriter()
    /// For each slot the entry of its last event, `-1` where it has said nothing.
    private var lastEvent: [Int] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    package func append(_ arrival: Arrival) { entries.append(.arrived(arrival)) }

    package func append(ended model: ModelID) { entries.append(.ended(model)) }

    /// Encodes an event. Throws where it holds what JSON has no form for; then nothing is said.
    package func append(_ event: some WireEvent, from model: ModelID) throws {
        let start = writer.bytes.count
        writer.beginDocument()
        try writer.value(encoding: event)
        markMore(from: model)
        lastEvent[model.slot] = entries.count
        entries.append(.said(Event(model: model, json: start..<writer.bytes.count)))
    }

    package func removeAll() {
        for entry in entries {
            if case .said(let event) = entry { lastEvent[event.model.slot] = -1 }
        }
        entries.removeAll(keepingCapacity: true)
        writer.removeAll()
    }

    private func markMore(from model: ModelID) {
        while lastEvent.count <= model.slot { lastEvent.append(-1) }
        let last = lastEvent[model.slot]
        if last >= 0, case .said(var event) = entries[last], event.model == model {
            event.hasMore = true
            entries[last] = .said(event)
        }
    }
}
