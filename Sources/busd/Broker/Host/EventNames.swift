import BusdProtocol

/// The number of an event's name. Events of one name have the same number in all kinds.
package struct EventNumber: Hashable, Sendable {
    private let number: UInt16

    fileprivate init(_ index: Int) { number = UInt16(clamping: index) }

    /// Numbers begin at 0.
    var index: Int { Int(truncatingIfNeeded: number) }
}

/// Numbers the names of events in the order in which they are added.
package final class EventNumbers {
    private var numbers: [ExactText: EventNumber] = [:]

    package init() {}

    /// The number of a name; `nil`: no kind has such an event.
    subscript(name: ExactText) -> EventNumber? { numbers[name] }

    package func add(_ name: String) -> EventNumber {
        let new = EventNumber(numbers.count)
        if let known = numbers[ExactText(name)] { return known }
        numbers[ExactText(name)] = new
        return new
    }
}

/// The names of the events of one kind, each as its event begins in JSON: `{"said"`. An event gets
/// its number from the bytes that were just written, because that takes less time than asking the
/// event for its name.
package final class EventNames {
    private let beginnings: [[UInt8]]
    private let numbers: [EventNumber]
    /// The index of the last one found. Events of one name often follow each other. Without
    /// run-time checks for exclusive access: `number` calls no other code.
    @exclusivity(unchecked) private var last = 0

    /// - Parameter names: those of all events of the kind; they need no escapes.
    package init(_ names: [String], _ all: EventNumbers) {
        beginnings = names.map { Array(#"{"\#($0)""#.utf8) }
        numbers = names.map { all.add($0) }
    }

    /// The number of an event of the kind.
    ///
    /// - Parameter json: the event, as the writer has written it.
    package func number(of json: Span<UInt8>) -> EventNumber {
        if begins(json, last) { return numbers[last] }
        last = beginnings.indices.first { begins(json, $0) } ?? last
        return numbers[last]
    }

    @inline(__always)
    private func begins(_ json: Span<UInt8>, _ index: Int) -> Bool {
        let count = beginnings[index].count
        guard count <= json.count else { return false }
        for place in 0..<count where beginnings[index][place] != json[place] { return false }
        return true
    }
}
