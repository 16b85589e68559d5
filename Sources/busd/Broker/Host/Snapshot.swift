import BusdProtocol

/// The present values of a view model as events, each in JSON.
package struct Snapshot: Equatable {
    package private(set) var events: [[UInt8]] = []
    private var numbers: [EventNumber] = []
    /// Bytes of all events.
    package private(set) var length = 0
    /// The long events, at the indices of `events`; empty if no event is shared.
    private var shared: [SharedBytes?] = []

    package init() {}

    package static func == (a: Snapshot, b: Snapshot) -> Bool { a.events == b.events }

    /// - Parameter names: those of the kind of the view model.
    package mutating func append(_ event: [UInt8], _ names: EventNames) {
        events.append(event)
        numbers.append(names.number(of: event[...]))
        length += event.count
    }

    /// The indices of the events that the filter wants; `nil`: it wants all.
    func indices(wanted filter: Filter?) -> [Int] {
        events.indices.filter { filter?.wants(numbers[$0]) ?? true }
    }

    /// Keeps each event of at least `least` bytes in memory once for all connections.
    mutating func share(_ account: Account, from least: Int) {
        shared = events.map { $0.count < least ? nil : SharedBytes($0, account) }
    }

    /// Bytes of events that are not shared.
    var ownLength: Int { length - shared.reduce(0) { $0 + ($1?.bytes.count ?? 0) } }

    func shared(_ index: Int) -> SharedBytes? { shared.isEmpty ? nil : shared[index] }
}
