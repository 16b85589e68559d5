package import BusdProtocol

/// What view models have emitted and asked for and the bus has not done yet, in one order: events,
/// view models to add and to remove, a move of the clock, and a new policy. Events are encoded
/// here, once for all connections.
///
/// An *update* is everything in the outbox when the bus begins to take it. Entries that are added
/// while the bus publishes an update belong to the next one.
package final class Outbox {
    package struct Arrival {
        package let address: Address
        package let kind: KindID
        /// A request made it. It ends without use.
        package let isOnDemand: Bool

        package init(_ kind: KindID, at address: Address, isOnDemand: Bool) {
            self.address = address
            self.kind = kind
            self.isOnDemand = isOnDemand
        }
    }

    package struct Event {
        package let model: ModelID
        /// Range of its JSON in the bytes of all events.
        fileprivate let range: Range<Int>
        let number: EventNumber
        /// The same view model emits another event in this update.
        package fileprivate(set) var hasMore = false

        /// Bytes of its JSON.
        var length: Int { range.count }
    }

    package enum Entry {
        /// `at`: the argument of `arrival(_:)`.
        case arrived(at: Int)
        case emitted(Event)
        /// A view model on demand has ended.
        case ended(ModelID)
        /// The view models at the address and below it have ended.
        case removed(Address)
        case advanced(by: Duration)
        /// The policy comes into force, and then the function is called.
        case policyChanged(Policy, () -> Void)
    }

    private struct Contents {
        var entries: [Entry] = []
        var arrivals: [Arrival] = []
        var writer = JSONWriter()
        /// By slot: the index of its last event behind the update; -1: none.
        var lastEvent: [Int] = []
        /// Index of the next entry that `take` returns.
        var next = 0
        /// The end of the update that is being taken.
        var updateEnd = 0

        mutating func append(
            _ event: some WireEvent, _ names: EventNames, from model: ModelID
        ) throws {
            let start = writer.bytes.count
            writer.beginDocument()
            try writer.value(event: event)
            while lastEvent.count <= model.slot { lastEvent.append(-1) }
            let last = lastEvent[model.slot]
            if last >= 0, case .emitted(var before) = entries[last], before.model == model {
                before.hasMore = true
                entries[last] = .emitted(before)
            }
            lastEvent[model.slot] = entries.count
            let range = start..<writer.bytes.count
            let number = names.number(of: writer.bytes[range])
            entries.append(.emitted(Event(model: model, range: range, number: number)))
        }

        mutating func take() -> Entry? {
            if next == updateEnd {
                guard next < entries.count else {
                    removeAll()
                    return nil
                }
                beginUpdate()
            }
            next += 1
            return entries[next - 1]
        }

        private mutating func beginUpdate() {
            updateEnd = entries.count
            for place in next..<updateEnd {
                if case .emitted(let event) = entries[place] { lastEvent[event.model.slot] = -1 }
            }
        }

        private mutating func removeAll() {
            // The memory of updates of unusual size is freed.
            let isUsual = entries.count < 1_000 && writer.bytes.count < 1 << 20
            entries.removeAll(keepingCapacity: isUsual)
            if !arrivals.isEmpty { arrivals = [] }
            if isUsual { writer.removeAll() } else { writer = JSONWriter() }
            (next, updateEnd) = (0, 0)
        }
    }

    /// Without run-time checks for exclusive access: only the encoding of an event calls code
    /// outside this class, and `isEncoding` shows whether that code adds an entry.
    @exclusivity(unchecked) private var contents = Contents()
    private var isEncoding = false

    package init() {}

    /// Whether everything has been taken.
    package var isEmpty: Bool { contents.next == contents.entries.count }

    /// Number of entries that have not been taken.
    package var count: Int { contents.entries.count - contents.next }

    /// All arrivals since the outbox was empty.
    var arrivals: [Arrival] { contents.arrivals }
    var hasArrivals: Bool { !contents.arrivals.isEmpty }

    // MARK: In

    package func append(_ arrival: Arrival) {
        append(.arrived(at: contents.arrivals.count))
        contents.arrivals.append(arrival)
    }

    package func append(removed address: Address) { append(.removed(address)) }

    package func append(advance span: Duration) { append(.advanced(by: span)) }

    package func append(policy: Policy, _ done: @escaping () -> Void) {
        append(.policyChanged(policy, done))
    }

    func append(ended model: ModelID) { append(.ended(model)) }

    /// Encodes an event. Throws, and emits nothing, if JSON cannot represent one of its values.
    ///
    /// - Parameter names: those of the kind of the view model.
    package func append(
        _ event: some WireEvent, _ names: EventNames, from model: ModelID
    ) throws {
        precondition(!isEncoding)  // holds: encoding an event emits nothing
        isEncoding = true
        defer { isEncoding = false }
        try contents.append(event, names, from: model)
    }

    private func append(_ entry: Entry) {
        precondition(!isEncoding)  // holds: encoding an event makes and ends no view model
        contents.entries.append(entry)
    }

    // MARK: Out

    /// Takes the next entry; `nil`: there is none. Events and arrivals that were taken are valid
    /// until it returns `nil`.
    package func take() -> Entry? { contents.take() }

    package func arrival(_ place: Int) -> Arrival { contents.arrivals[place] }

    /// Appends the JSON of an event.
    func append(_ event: Event, to line: inout OutputSpan<UInt8>) {
        // A method of `contents` would copy all of them.
        let bytes = contents.writer.bytes
        line.append(bytes.span.extracting(event.range))
    }

    /// Whether events of the view model have not been taken.
    func hasEvents(of model: ModelID) -> Bool {
        contents.entries[contents.next...].contains { entry in
            if case .emitted(let event) = entry { event.model == model } else { false }
        }
    }

    /// The numbers of the events of the view model that are left in this update.
    func numbersLeft(of model: ModelID) -> [EventNumber] {
        contents.entries[contents.next..<contents.updateEnd].compactMap { entry in
            if case .emitted(let event) = entry, event.model == model { event.number } else { nil }
        }
    }
}
