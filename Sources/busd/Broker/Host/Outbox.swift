package import BusdProtocol

/// Events, arrivals and ends of view models since the last `take`, in one order. Events are encoded
/// here, once for all connections.
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
        /// Range of its JSON in the bytes of the update.
        package let json: Range<Int>
        /// The same view model emits another event in this update.
        package fileprivate(set) var hasMore = false
    }

    package enum Entry {
        /// `at`: index in `arrivals`.
        case arrived(ModelID, at: Int)
        case emitted(Event)
        case ended(ModelID)

        var model: ModelID {
            switch self {
            case .arrived(let model, _), .ended(let model): model
            case .emitted(let event): event.model
            }
        }
    }

    /// Everything that one input caused.
    package struct Update {
        package fileprivate(set) var entries: [Entry] = []
        package private(set) var arrivals: [Arrival] = []
        private var writer = JSONWriter()

        /// Bytes of the JSON of all events.
        var size: Int { writer.bytes.count }

        package func json(of event: Event) -> ArraySlice<UInt8> { writer.bytes[event.json] }

        /// Appends the JSON of an event.
        func append(_ event: Event, to line: inout OutputSpan<UInt8>) {
            line.append(writer.bytes.span.extracting(event.json))
        }

        fileprivate mutating func append(_ arrival: Arrival) {
            entries.append(.arrived(arrival.model, at: arrivals.count))
            arrivals.append(arrival)
        }

        /// Encodes an event. Throws if JSON cannot represent one of its values.
        fileprivate mutating func append(
            _ event: some WireEvent, from model: ModelID, after last: inout Int
        ) throws {
            let start = writer.bytes.count
            writer.beginDocument()
            try writer.value(event: event)
            if last >= 0, case .emitted(var before) = entries[last], before.model == model {
                before.hasMore = true
                entries[last] = .emitted(before)
            }
            last = entries.count
            entries.append(.emitted(Event(model: model, json: start..<writer.bytes.count)))
        }

        fileprivate mutating func removeAll() {
            entries.removeAll(keepingCapacity: true)
            if !arrivals.isEmpty { arrivals = [] }
            writer.removeAll()
        }
    }

    /// One property, so each event costs one exclusivity check.
    private struct Contents {
        var update = Update()
        /// Entry of the last event of each slot; -1: it has emitted none.
        var lastEvent: [Int] = []
        /// Finished updates. Their memory is used again.
        var spares: [Update] = []

        mutating func append(_ event: some WireEvent, from model: ModelID) throws {
            while lastEvent.count <= model.slot { lastEvent.append(-1) }
            try update.append(event, from: model, after: &lastEvent[model.slot])
        }

        /// Takes everything, and begins a new update.
        mutating func take() -> Update {
            var taken = spares.popLast() ?? Update()
            swap(&update, &taken)
            for place in taken.entries.indices {
                if case .emitted(let event) = taken.entries[place] {
                    lastEvent[event.model.slot] = -1
                }
            }
            return taken
        }

        /// Keeps at most 32, so the memory of an unusual turn is freed.
        mutating func keep(_ spare: consuming Update) {
            if spares.count < 32 { spares.append(spare) }
        }
    }

    private var contents = Contents()
    private var hasEntries = false
    /// Asked after each `send`, so it is apart from `contents`.
    private var hasArrivals = false

    package init() {}

    package var isEmpty: Bool { !hasEntries }

    package var entries: [Entry] { contents.update.entries }

    /// Address of the first arrival.
    var firstArrival: Address? {
        hasArrivals ? contents.update.arrivals[0].address : nil
    }

    package func append(_ arrival: Arrival) {
        contents.update.append(arrival)
        hasArrivals = true
        hasEntries = true
    }

    package func append(ended model: ModelID) {
        contents.update.entries.append(.ended(model))
        hasEntries = true
    }

    /// Encodes an event. Throws, and emits nothing, if JSON cannot represent one of its values.
    package func append(_ event: some WireEvent, from model: ModelID) throws {
        try contents.append(event, from: model)
        hasEntries = true
    }

    // MARK: Taking

    /// Takes everything since the last call; `nil`: nothing.
    package func take() -> Update? {
        guard !isEmpty else { return nil }
        hasEntries = false
        hasArrivals = false
        return contents.take()
    }

    /// Accepts a finished update, to use its memory again.
    package func giveBack(_ update: consuming Update) {
        // The memory of an update of unusual size is freed.
        guard update.entries.count < 1_000 else { return }
        update.removeAll()
        contents.keep(update)
    }
}
