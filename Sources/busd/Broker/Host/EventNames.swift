import BusdProtocol

/// The number of an event's name. Events of one name have the same number in all kinds.
package struct EventNumber: Hashable, Sendable {
    private let number: UInt16

    fileprivate init(_ index: Int) { number = UInt16(clamping: index) }

    /// Stands for each event that the `examples` of its kind lack, so no filter can name the event.
    fileprivate static let unlisted = EventNumber(.max)

    /// Numbers begin at 0.
    var index: Int { Int(truncatingIfNeeded: number) }
}

/// Numbers the names of events in the order in which they are added.
package final class EventNumbers {
    private var numbers: [ExactText: EventNumber] = [:]

    package init() {}

    var names: [String] { numbers.keys.map(\.text) }

    /// The number of a name; `nil`: no kind has such an event.
    subscript(name: ExactText) -> EventNumber? { numbers[name] }

    package func add(_ name: String) -> EventNumber {
        let new = EventNumber(numbers.count)
        if let known = numbers[ExactText(name)] { return known }
        numbers[ExactText(name)] = new
        return new
    }
}

/// The names of the events of one kind, as their events begin in JSON: `{"said"`. An event gets its
/// number from the bytes that were just written, because that takes less time than asking the event
/// for its name.
package final class EventNames {
    private struct Name {
        /// The first eight bytes of an event, and which of them the name decides.
        let (word, mask): (UInt64, UInt64)
        let beginning: [UInt8]
        let number: EventNumber

        init(_ name: String, _ number: EventNumber) {
            beginning = Array(#"{"\#(name)""#.utf8)
            self.number = number
            let known = beginning.prefix(8)
            word = EventNames.word(known + Array(repeating: 0, count: 8 - known.count))
            let bits = known.map { _ in UInt8.max } + Array(repeating: 0, count: 8 - known.count)
            mask = EventNames.word(bits[...])
        }
    }

    private let names: [Name]
    /// Called for each event with another name.
    private let unlisted: (ArraySlice<UInt8>) -> Void
    /// No two names have the same first bytes, so these decide.
    private let areDistinct: Bool

    /// - Parameters:
    ///   - names: those of all events of the kind; they need no escapes.
    ///   - unlisted: called with each event that has another name.
    package init(
        _ names: [String], _ all: EventNumbers,
        unlisted: @escaping (ArraySlice<UInt8>) -> Void = { _ in }
    ) {
        self.names = names.map { Name($0, all.add($0)) }
        self.unlisted = unlisted
        areDistinct = Set(self.names.map(\.word)).count == names.count
    }

    /// The number of an event of the kind.
    ///
    /// - Parameter json: the event, as the writer has written it. Only an event with a custom form
    ///   can be shorter than `{"x":{}}`.
    package func number(of json: ArraySlice<UInt8>) -> EventNumber {
        guard json.count >= 8 else {
            return names.first { json.starts(with: $0.beginning) }?.number ?? unlisted(json)
        }
        let word = Self.word(json)
        for place in names.indices where word & names[place].mask == names[place].word {
            if areDistinct || json.starts(with: names[place].beginning) {
                return names[place].number
            }
        }
        return unlisted(json)
    }

    private func unlisted(_ json: ArraySlice<UInt8>) -> EventNumber {
        unlisted(json)
        return .unlisted
    }

    @inline(__always)
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
}
