import BusdProtocol

/// The present values of a view model as events, each in JSON.
package struct Snapshot: Equatable {
    package private(set) var events: [[UInt8]] = []
    /// Bytes of all events.
    package private(set) var length = 0
    /// The long events, at the indices of `events`; empty if no event is shared.
    private var shared: [SharedBytes?] = []

    package init() {}

    package static func == (a: Snapshot, b: Snapshot) -> Bool { a.events == b.events }

    package mutating func append(_ event: [UInt8]) {
        events.append(event)
        length += event.count
    }

    /// Keeps each event of at least `least` bytes in memory once for all connections.
    mutating func share(_ account: Account, from least: Int) {
        shared = events.map { $0.count < least ? nil : SharedBytes($0, account) }
    }

    /// Bytes of events that are not shared.
    var ownLength: Int { length - shared.reduce(0) { $0 + ($1?.bytes.count ?? 0) } }

    func shared(_ index: Int) -> SharedBytes? { shared.isEmpty ? nil : shared[index] }

    /// The name of an event: the only key of its JSON. Names of cases need no escapes.
    package static func name(of event: some Collection<UInt8>) -> String {
        String(decoding: event.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
